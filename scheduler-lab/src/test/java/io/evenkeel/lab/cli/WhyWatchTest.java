package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.app.logging.LogLevels;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.watch.Watches;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that follow a cluster. */
class WhyWatchTest {
    private final HollowCluster cluster = HollowCluster.start();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        cluster.close();
    }

    private CompletableFuture<Integer> why(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("why", "--watch", "--kubeconfig"));
        all.add(cluster.writeKubeconfig(folder.resolve("kubeconfig")).toString());
        all.addAll(List.of(arguments));
        return CompletableFuture.supplyAsync(() -> evenkeel(all.toArray(String[]::new)));
    }

    private int evenkeel(String... arguments) {
        return Evenkeel.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private void node(String name, int cpus) {
        cluster.objects().create("""
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s"}},
                 "status":{"allocatable":{"cpu":"%2$d","memory":"8Gi","pods":"10"}}}
                """.formatted(name, cpus));
    }

    private void pod(String name, String cpu) {
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default"},"spec":{
                 "containers":[{"name":"main","image":"example.com/main:1","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, cpu));
    }

    private void awaitSaid(String text) {
        await().untilAsserted(() -> assertThat(out.toString()).contains(text));
    }

    @Test
    void aPodIsFollowedUntilItHasItsNode() throws Exception {
        node("n1", 4);
        pod("big", "5");

        CompletableFuture<Integer> command = why("big");
        awaitSaid("default/big waits: 0/1 nodes are available: 1 Insufficient cpu.");
        node("n2", 4);
        awaitSaid("default/big waits: 0/2 nodes are available: 2 Insufficient cpu.");
        node("n3", 8);
        awaitSaid("default/big waits for its turn; now it would go to n3");
        cluster.objects().bind("default", "big", "n3");

        assertThat(command.get()).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("default/big is on node n3");
        assertThat(out.toString().lines().filter(line -> line.matches("--- \\d\\d:\\d\\d:\\d\\d")))
                .hasSize(3);
    }

    @Test
    void aServerThatGoesAwayIsToldOfInALine() throws Exception {
        node("n1", 4);
        pod("big", "5");

        Path kubeconfig = cluster.writeKubeconfig(folder.resolve("kubeconfig"));
        Thread command =
                Thread.ofPlatform().start(() -> evenkeel("why", "-w", "big", "--kubeconfig", kubeconfig.toString()));
        awaitSaid("default/big waits");
        cluster.close();

        await().atMost(Duration.ofMinutes(10)).until(() -> !err.toString().isEmpty());
        assertThat(err.toString()).hasLineCount(1).startsWith("evenkeel: warning: cannot watch 127.0.0.1:");
        assertThat(LogLevels.tellsWarnings(Watches.CONNECTION_LOG))
                .as("each kind's watch says it again")
                .isFalse();
        command.interrupt();
        command.join();
    }

    @Test
    void thePodsEndIsTheCommands() throws Exception {
        node("n1", 4);
        pod("big", "5");

        CompletableFuture<Integer> command = why("big", "-o", "json");
        awaitSaid("\"state\":\"waits\"");
        cluster.objects().deleteNow(ResourceTable.PODS, "default", "big");

        assertThat(command.get()).isEqualTo(1);
        assertThat(out.toString().lines()).hasSize(1);
        assertThat(err.toString())
                .matches("evenkeel: there is no pod default/big in 127.0.0.1:\\d+, or it has finished\n");
    }
}
