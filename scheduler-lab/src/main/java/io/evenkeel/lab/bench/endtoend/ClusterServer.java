package io.evenkeel.lab.bench.endtoend;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.WorkloadCluster;
import io.evenkeel.lab.bench.WorkloadPods;
import io.evenkeel.model.Pod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * The other process: an API server with the workload's nodes, that creates and deletes pods as it is told, line by line:
 * {@code create FROM TO}, {@code delete FROM TO}. It answers each with a line when it is done, and ends with its input.
 */
public final class ClusterServer {
    static final String READY = "ready ";
    static final String DONE = "done";

    private final BenchCase benchCase;

    public ClusterServer(BenchCase benchCase) {
        this.benchCase = benchCase;
    }

    /** Serves until there is no more input; the kubeconfig is written to the file. */
    public void run(Path kubeconfig, BufferedReader in, PrintWriter out) throws IOException {
        try (HollowCluster cluster = HollowCluster.start()) {
            WorkloadCluster.objects(benchCase)
                    .forEach(object -> cluster.objects().create(Manifests.of(object)));
            cluster.writeKubeconfig(kubeconfig);
            List<Pod> pods = WorkloadPods.of(benchCase);
            out.println(READY + cluster.url());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                List<Pod> named = pods.subList(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                if (words[0].equals("create")) {
                    named.forEach(pod -> cluster.objects().create(Manifests.of(pod)));
                } else {
                    named.forEach(pod -> cluster.objects().deleteNow(ResourceTable.PODS, pod.namespace(), pod.name()));
                }
                out.println(DONE);
            }
        }
    }
}
