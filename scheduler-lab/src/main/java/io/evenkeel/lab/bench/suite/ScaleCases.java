package io.evenkeel.lab.bench.suite;

import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Equal workloads at sizes a few times apart: once with more and more nodes for as many pods, once with more and more pods for
 * as many nodes. Where the two cross, a case is measured once.
 */
final class ScaleCases {
    private static final List<Workload> WORKLOADS = List.of(
            Workload.BASIC,
            Workload.ZONE_HARD,
            Workload.BOTH_HARD,
            Workload.BOTH_SOFT,
            Workload.ANTI,
            Workload.AFFINITY,
            Workload.MIXED);

    private static final List<Integer> NODES = List.of(1_000, 5_000, 20_000, 100_000);
    private static final List<Integer> PODS = List.of(1_000, 5_000, 20_000, 100_000);
    private static final int USUAL_NODES = 5_000;
    private static final int USUAL_PODS = 20_000;

    private ScaleCases() {}

    static List<SuiteCase> all(long seed) {
        List<SuiteCase> cases = new ArrayList<>();
        for (Workload workload : WORKLOADS) {
            Stream<BenchCase> byNodes = NODES.stream().map(nodes -> BenchCase.of(workload, nodes, USUAL_PODS, seed));
            Stream<BenchCase> byPods = PODS.stream()
                    .filter(pods -> pods != USUAL_PODS)
                    .map(pods -> BenchCase.of(workload, USUAL_NODES, pods, seed));
            Stream.concat(byNodes, byPods).map(SuiteCase::of).forEach(cases::add);
        }
        return cases;
    }
}
