package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.Page.Palette;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The cluster to try by hand when the stories are over: six nodes in three zones, and the scheduler. */
final class HandsOn {
    private static final Manifest WEB =
            Manifest.deployment("web", 6, "schedulerName: evenkeel\n" + Manifest.ZONES_AND_NODES.formatted("web"));

    private final Stage stage;
    private final Page page;
    private final PrintWriter out;
    private final int exitCode;

    /** @param exitCode for the process, when a signal ends it */
    HandsOn(Stage stage, Page page, int exitCode) {
        this.stage = stage;
        this.page = page;
        this.out = page.out();
        this.exitCode = exitCode;
    }

    /** Says what to try and waits for the signal that ends the process, with the exit code. */
    int untilSignalled() throws IOException, InterruptedException {
        Path manifest = prepare();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "shutdown"));
        invite(manifest);
        new CountDownLatch(1).await();
        return exitCode;
    }

    /** All that the commands name, but for what they make themselves. */
    Path prepare() throws IOException, InterruptedException {
        Scene scene = new Scene(stage, new Progress(page), "default");
        scene.draw("zone-a: node1[] node2[] | zone-b: node3[] node4[] | zone-c: node5[] node6[]");
        return stage.write("web.yaml", WEB.yaml());
    }

    void invite(Path manifest) {
        Palette palette = page.palette();
        out.println();
        page.heading("The cluster stays until Ctrl-C: six nodes in three zones. Try it by hand:");
        out.println();
        out.println("   export KUBECONFIG=" + stage.kubeconfig());
        out.println();
        out.println(palette.faint("   1  six pods, spread over zones and nodes"));
        out.println("      kubectl apply -f " + manifest);
        out.println("      kubectl get pods -o wide");
        out.println(palette.faint("   2  a node that takes no more pods, and six more pods"));
        out.println("      kubectl cordon node6");
        out.println("      kubectl scale deployment web --replicas=12");
        out.println(palette.faint("   3  what waits, and why; it goes on as soon as it may"));
        out.println("      kubectl get events --field-selector reason=FailedScheduling");
        out.println("      kubectl uncordon node6");
        out.flush();
    }

    /** A signal would make the exit code 130, as if something had gone wrong. */
    private void end() {
        try {
            stage.close();
            out.println();
            out.println("Stopped.");
            out.flush();
        } finally {
            Runtime.getRuntime().halt(exitCode);
        }
    }
}
