package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import io.evenkeel.model.json.Trees;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A command that a user types beside the cluster.
 *
 * @param kubeconfig the flag that takes the cluster's kubeconfig
 * @param words what else is typed
 */
record Command(String kubeconfig, List<String> words) {
    private static final int SHORTEST = 55;
    private static final String TO_JSON = "--output=json";

    public static Command of(String kubeconfig, String... words) {
        return new Command(kubeconfig, List.of(words));
    }

    /** As it is typed; which cluster is meant is said by the environment. */
    public String typed() {
        return "./evenkeel " + String.join(" ", words);
    }

    /** The output, in lines for people: as short as that, but not shorter than it can. */
    String text(Path cluster, int width) {
        return out(cluster, Math.max(width, SHORTEST), List.of());
    }

    /** The output for programs. */
    JsonObject json(Path cluster) {
        return Trees.parse(out(cluster, SHORTEST, List.of(TO_JSON)));
    }

    private String out(Path cluster, int width, List<String> more) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(kubeconfig, cluster.toString()));
        all.addAll(more);
        int exitCode = Evenkeel.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setUsageHelpWidth(width)
                .execute(all.toArray(String[]::new));
        if (exitCode != 0) {
            throw new NotAsToldException(typed() + " failed: " + err.toString().strip());
        }
        return out.toString();
    }
}
