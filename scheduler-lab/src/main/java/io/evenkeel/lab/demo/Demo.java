package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Scene.Progress;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Plays all stories on one stage, one after the other, and says whether each came out as it should. */
public final class Demo {
    static final List<Story> STORIES = List.of(
            SpreadStories.ZoneSpread.STORY,
            SpreadStories.ZonesAndNodes.STORY,
            SpreadStories.ConflictingConstraints.STORY,
            SpreadStories.MinDomains.STORY,
            SpreadStories.RevisionSpread.STORY,
            SpreadStories.TaintedNodes.STORY,
            SpreadStories.ProfileDefaults.STORY,
            GroupStories.RedisShards.STORY,
            GroupStories.WaitingGang.STORY,
            AnswerStories.WaitingPod.STORY,
            AnswerStories.SimulatedScale.STORY,
            AnswerStories.HealedOutage.STORY,
            AnswerStories.PlannedUpgrade.STORY,
            AnswerStories.HeldDevice.STORY,
            SpreadStories.LargeDeployment.STORY);

    /** Generous: a story takes a second or two. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int AS_TOLD = 0;
    private static final int NOT_AS_TOLD = 1;

    private final Page page;
    private final PrintWriter out;
    private final List<Story> stories;
    private final Duration patience;

    /** @param width in columns of a terminal, which may want colours */
    public Demo(PrintWriter out, boolean coloured, int width) {
        this(new Page(out, coloured ? Palette.COLOURED : Palette.PLAIN, width), STORIES, PATIENCE);
    }

    Demo(Page page, List<Story> stories, Duration patience) {
        this.page = page;
        this.out = page.out();
        this.stories = stories;
        this.patience = patience;
    }

    /** Plays the stories and ends; the exit code is 0 if every story came out as told, else 1. */
    public int playOnce() throws IOException, InterruptedException {
        introduce();
        try (Stage stage = new Stage(patience)) {
            return play(stage);
        }
    }

    /**
     * Plays the stories, then keeps the cluster to be tried by hand, until a signal ends the process; with the same exit
     * code.
     *
     * @param browser shows the page, if it can
     */
    public int playAndStay(Consumer<URI> browser) throws IOException, InterruptedException {
        introduce();
        try (Stage stage = new Stage(patience)) {
            invite(stage.page());
            browser.accept(stage.page());
            return new HandsOn(stage, page, play(stage)).untilSignalled();
        } catch (NotAsToldException e) {
            out.println(page.palette().bad("✗ ") + e.getMessage());
            return NOT_AS_TOLD;
        }
    }

    int play(Stage stage) throws InterruptedException {
        int asTold = 0;
        for (int i = 0; i < stories.size(); i++) {
            if (tell(stage, i + 1, stories.get(i))) {
                asTold++;
            }
        }
        conclude(asTold);
        return asTold == stories.size() ? AS_TOLD : NOT_AS_TOLD;
    }

    private void introduce() {
        page.heading("Stories of topology spread, played on a cluster in this process.");
        page.paragraph("", """
                An API server (HTTPS), its controllers and its nodes, which run nothing; and the
                real scheduler, which knows the cluster by its API only. Every ✓ is what the API
                shows, not what the scheduler believes.
                """);
        out.flush();
    }

    private void invite(URI address) {
        page.paragraph("", "To look at it meanwhile: " + address + "\n");
        out.flush();
    }

    private boolean tell(Stage stage, int number, Story story) throws InterruptedException {
        out.println();
        page.rule(number + " · " + story.title());
        page.paragraph(Page.MARGIN, story.explanation());
        out.println();
        out.flush();
        Telling telling = new Telling(page);
        try {
            Scene scene = Scene.inNew(story.namespace(), stage, new Progress(page));
            try {
                story.course().play(scene, telling);
            } catch (NotAsToldException e) {
                telling.breaksOff(e);
            }
            scene.strike();
        } catch (NotAsToldException e) {
            telling.breaksOff(e);
        }
        telling.end();
        return telling.isAsTold();
    }

    private void conclude(int asTold) {
        out.println();
        page.rule("");
        String summary = asTold + " of " + stories.size() + " stories came out as told.";
        Palette palette = page.palette();
        out.println(asTold == stories.size() ? palette.good("✓ " + summary) : palette.bad("✗ " + summary));
        out.flush();
    }

    /** The cluster to try by hand when the stories are over: six nodes in three zones, and the scheduler. */
    static final class HandsOn {
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
            out.println(palette.faint("   0  what waits, and what would help, in a browser"));
            out.println("      " + stage.page());
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

    /**
     * One thing that a scheduler must get right: what is asked of a cluster, and how it must come out.
     *
     * @param namespace the namespace it plays in
     * @param explanation the question, in two lines
     */
    record Story(String namespace, String title, String explanation, Course course) {

        /** The course that it takes. */
        @FunctionalInterface
        interface Course {
            /**
             * Plays the story and tells what came of it.
             *
             * @throws NotAsToldException as soon as something that it waits for does not come
             */
            void play(Scene scene, Telling telling) throws InterruptedException;
        }
    }
}
