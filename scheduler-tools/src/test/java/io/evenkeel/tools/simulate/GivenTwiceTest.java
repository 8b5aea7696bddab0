package io.evenkeel.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same thing named twice, and names that are taken. */
class GivenTwiceTest {
    private static final String NODE = """
            {kind: Node, apiVersion: v1, metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}},
             status: {allocatable: {cpu: "2", memory: 4Gi, pods: "10"}}}
            """;
    private static final String WEB = """
            {kind: Deployment, apiVersion: apps/v1, metadata: {name: web}, spec: {replicas: %d, selector: {matchLabels: {app: web}},
             template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}}}
            """;

    @TempDir
    private Path folder;

    private Path nodes = Path.of("");

    @BeforeEach
    void writeNodes() throws IOException {
        nodes = write("nodes.yaml", NODE.formatted("n9") + "---\n" + NODE.formatted("n9-new-1"));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), name.endsWith(".yaml") ? "---\n" + text : text);
    }

    private Typed simulate(Object... arguments) {
        List<String> all = new ArrayList<>(List.of("simulate", "--empty", "-f", nodes.toString()));
        for (Object argument : arguments) {
            all.add(argument.toString());
        }
        return Typed.evenkeel(all.toArray(String[]::new));
    }

    private static String flat(Typed typed) {
        return typed.out().replaceAll("\\s+", " ");
    }

    @Test
    void aWorkloadIsScaledOnce() {
        assertThat(simulate("--scale", "deploy/web=5", "--scale", "default/Deployment/web=7"))
                .isEqualTo(new Typed(
                        2,
                        "",
                        "evenkeel: --scale names Deployment default/web twice, with 5 pods and with 7; see 'evenkeel"
                                + " simulate --help'\n"));
    }

    @Test
    void ofTwoManifestsOfOneObjectTheLaterCounts() throws IOException {
        Path first = write("first.yaml", WEB.formatted(1) + "---\n" + WEB.formatted(4));
        Path second = write("second.yaml", WEB.formatted(3));

        Typed typed = simulate("-f", first, "-f", second);

        assertThat(flat(typed))
                .contains(
                        "3 pods to place: 3 placed",
                        "Deployment default/web is given twice, and the one further down counts")
                .contains("Deployment default/web is given twice, and the one of");
        assertThat(simulate("-f", first, "-f", second, "-o", "dump").err())
                .contains("warning: " + first + ": Deployment default/web is given twice, and the one of " + second
                        + " counts");
    }

    @Test
    void objectsOfTheSameNameElsewhereAreOthers() throws IOException {
        Path web = write("web.yaml", WEB.formatted(1));
        Path other = write("other.yaml", WEB.formatted(1).replace("{name: web}", "{name: web, namespace: other}"));

        assertThat(flat(simulate("-f", web, "-f", other)))
                .contains("2 pods to place")
                .doesNotContain("twice");
    }

    /** Pods are still said to be on n9-new-2, which is gone: they would be on a new node of that name. */
    @Test
    void aNodeMoreHasANameOfItsOwn() throws IOException {
        Path left = write("left.yaml", """
                {kind: Pod, apiVersion: v1, metadata: {name: left}, spec: {nodeName: n9-new-2, containers: [{name: c}]}}
                """);
        Path dump = write("dump.jsonl", simulate("-f", left, "-o", "dump").out());

        String then = Typed.evenkeel(
                        "simulate", "--dump", dump.toString(), "--add-nodes", "2", "--like", "n9", "-o", "dump")
                .out();

        assertThat(then.lines().filter(line -> line.contains("\"kind\":\"Node\"")))
                .hasSize(4)
                .anyMatch(line -> line.contains("\"name\":\"n9-new-3\""))
                .anyMatch(line -> line.contains("\"name\":\"n9-new-4\""));
    }
}
