package io.evenkeel.lab.demo;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.AtRandom;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The outcome for pods that are decided one by one, over and over from seeds 1, 2, …: the best node for each, and where several
 * are, one of them at random.
 *
 * @param pods of each run
 * @param runsByPlaced how many runs placed so many pods
 */
record PodByPod(int pods, Map<Integer, Integer> runsByPlaced) {

    /** The pods of the cluster that wait, decided by the engine alone as its cluster is. */
    static PodByPod run(SchedulerConfiguration configuration, Cluster cluster, int runs) {
        PluginRegistry registry = InTreePlugins.registry();
        Map<Integer, Integer> runsByPlaced = new TreeMap<>();
        for (int seed = 1; seed <= runs; seed++) {
            Engine engine = new Engine(
                    configuration,
                    registry,
                    new AtRandom(new SplittableRandom(seed)),
                    SchedulingCycle.Scoring.WHEN_NEEDED);
            cluster.nodes().forEach(engine::put);
            runsByPlaced.merge(placed(cluster, engine), 1, Integer::sum);
        }
        return new PodByPod(cluster.waiting().size(), runsByPlaced);
    }

    private static int placed(Cluster cluster, Engine engine) {
        int placed = 0;
        for (Pod pod : cluster.waiting()) {
            if (engine.decide(pod) instanceof Decision.Placed decision) {
                engine.assume(pod, decision);
                placed++;
            }
        }
        return placed;
    }

    /** Whether the last pod found no node in some runs, and all did in others. */
    boolean strandsTheLastInSome() {
        return runsByPlaced.keySet().equals(Set.of(pods - 1, pods));
    }

    TextTable table() {
        TextTable table = TextTable.withHeads("pods with a node", "runs").rule();
        runsByPlaced.forEach((placed, count) -> table.row(placed + " of " + pods, String.valueOf(count)));
        return table;
    }
}
