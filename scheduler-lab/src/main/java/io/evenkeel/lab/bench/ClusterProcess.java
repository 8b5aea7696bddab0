package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.SchedulerProcess.ThisProgram;
import io.evenkeel.problem.UserProblem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link ClusterServer} in a process of its own, seen from here. */
final class ClusterProcess implements AutoCloseable {
    private final Process process;
    private final Path kubeconfig;
    private final BufferedReader answers;
    private final PrintWriter orders;

    private ClusterProcess(Process process, Path kubeconfig) {
        this.process = process;
        this.kubeconfig = kubeconfig;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.orders = new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
    }

    /** Returns when the server is there with all its nodes. */
    static ClusterProcess start(BenchCase benchCase) throws IOException {
        Path kubeconfig = Files.createTempFile("evenkeel-bench", ".kubeconfig");
        List<String> command = new ArrayList<>(ThisProgram.COMMAND);
        command.addAll(List.of(
                "bench-cluster",
                "--workload=" + benchCase.workload().id(),
                "--nodes=" + benchCase.nodes(),
                "--pods=" + benchCase.pods(),
                "--zones=" + benchCase.zones(),
                "--groups=" + benchCase.groups(),
                "--seed=" + benchCase.seed(),
                "--kubeconfig=" + kubeconfig));
        ClusterProcess cluster = new ClusterProcess(
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start(),
                kubeconfig);
        cluster.expect(ClusterServer.READY);
        return cluster;
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    /** Returns when all these pods have been created. */
    void create(int from, int to) throws IOException {
        orders.println("create " + from + " " + to);
        expect(ClusterServer.DONE);
    }

    /** Returns when all these pods are gone. */
    void delete(int from, int to) throws IOException {
        orders.println("delete " + from + " " + to);
        expect(ClusterServer.DONE);
    }

    /** Returns when so many pods have been bound since the cluster's start. */
    void awaitBound(int pods) throws IOException {
        orders.println("bound " + pods);
        int bound = Integer.parseInt(expect(ClusterServer.DONE).strip());
        if (bound < pods) {
            throw new UserProblem("no pod was bound for a minute; " + bound + " of " + pods + " are");
        }
    }

    /** Returns the rest of the answer, after that. */
    private String expect(String answer) throws IOException {
        String line = answers.readLine();
        if (line == null || !line.startsWith(answer)) {
            throw new UserProblem("the cluster's process said " + line + " instead of " + answer);
        }
        return line.substring(answer.length());
    }

    @Override
    public void close() throws IOException {
        orders.close();
        process.destroy();
        Files.deleteIfExists(kubeconfig);
    }
}
