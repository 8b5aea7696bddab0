package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Places the same pods among the same events of nodes in two clusters, one with a crowd of waiting pods, in rounds
 * by turns; the result is the figures of the median round.
 */
public final class CrowdBench {
    private static final int WARM_UPS = 20;
    private static final int ROUNDS = 5;

    private final PluginRegistry registry;

    public CrowdBench(PluginRegistry registry) {
        this.registry = registry;
    }

    /** Whether the workload has a crowd. */
    public static boolean measures(Workload workload) {
        return workload == Workload.CROWD;
    }

    public CrowdResult run(BenchCase benchCase) {
        List<Pod> pods = WorkloadPods.of(benchCase).stream()
                .map(pod -> PodBuilder.from(pod).uid(pod.name()).build())
                .toList();
        CrowdRun alone = CrowdRun.alone(benchCase, registry);
        CrowdRun crowded = CrowdRun.crowded(benchCase, registry);
        int waiting = crowded.waiting();
        for (int i = 0; i < WARM_UPS; i++) {
            alone.place(pods);
            crowded.place(pods);
        }
        List<Costs> without = new ArrayList<>();
        List<Costs> with = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            without.add(alone.place(pods));
            with.add(crowded.place(pods));
        }
        return new CrowdResult(benchCase, waiting, median(without), median(with));
    }

    private static Costs median(List<Costs> rounds) {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(Costs::allMicros))
                .toList()
                .get(rounds.size() / 2);
    }
}
