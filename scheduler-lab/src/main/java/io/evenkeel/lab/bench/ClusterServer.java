package io.evenkeel.lab.bench;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.HollowObjects.BoundPods;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.bench.WorkloadConverter.ChosenWorkload;
import io.evenkeel.model.Pod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code evenkeel bench-cluster}, the other process of {@code bench --end-to-end}: an API server with the workload's nodes, that creates and deletes pods as it is told, line by line:
 * {@code create FROM TO}, {@code delete FROM TO}. It answers each with a line when it is done, and ends with its input. Of
 * {@code bound COUNT} it is done when so many have been bound since its start, or none was for a minute: it says how many.
 */
@Command(name = "bench-cluster", hidden = true)
final class ClusterServer implements Callable<Integer> {
    static final String READY = "ready ";
    static final String DONE = "done";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Mixin
    private BenchCaseOptions options = new BenchCaseOptions();

    @Option(names = "--kubeconfig", required = true)
    private Path kubeconfig = Path.of("");

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(options.workload() instanceof ChosenWorkload.Own own)) {
            throw options.mistake("there is no server for " + options.workload().id());
        }
        BenchCase benchCase = options.caseOf(own.workload());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        try (HollowCluster cluster = HollowCluster.start()) {
            WorkloadCluster.objects(benchCase)
                    .forEach(object -> cluster.objects().create(Manifests.of(object)));
            cluster.writeKubeconfig(kubeconfig);
            BoundPods bound = cluster.objects().countBound();
            List<Pod> pods = WorkloadPods.of(benchCase);
            out.println(READY + cluster.url());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("bound")) {
                    out.println(DONE + " " + bound.await(Integer.parseInt(words[1]), PATIENCE));
                } else {
                    carryOut(
                            words[0],
                            pods.subList(Integer.parseInt(words[1]), Integer.parseInt(words[2])),
                            cluster.objects());
                    out.println(DONE);
                }
            }
        }
        return 0;
    }

    private static void carryOut(String order, List<Pod> pods, HollowObjects objects) {
        if (order.equals("create")) {
            pods.forEach(pod -> objects.create(Manifests.of(pod)));
        } else {
            pods.forEach(pod -> objects.deleteNow(ResourceTable.PODS, pod.namespace(), pod.name()));
        }
    }
}
