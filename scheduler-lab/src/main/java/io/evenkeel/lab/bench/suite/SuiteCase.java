package io.evenkeel.lab.bench.suite;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.Scenario;
import io.evenkeel.lab.bench.Workload;
import io.evenkeel.lab.bench.perf.PerfCase;
import io.evenkeel.lab.bench.perf.PerfScenario;
import io.evenkeel.lab.bench.perf.PerfWorkload;
import java.util.ArrayList;
import java.util.List;

/** A case of the suite: what it is called in tables, and what is measured. */
record SuiteCase(CaseName name, Scenario scenario) {
    private static final int PODS = 5_000;
    private static final int USUAL_NODES = 5_000;
    private static final int FULLER = 20;

    /** How rates fall with the nodes. */
    private static final List<Workload> AT_EACH_SIZE =
            List.of(Workload.BASIC, Workload.ZONE_HARD, Workload.BOTH_HARD, Workload.ANTI);

    private static final List<Integer> SIZES = List.of(1_000, 5_000, 15_000);

    private static final List<Workload> AT_THE_USUAL_SIZE = List.of(
            Workload.HOST_SOFT,
            Workload.BOTH_SOFT,
            Workload.AFFINITY,
            Workload.MIXED,
            Workload.SHAPES_UNIQUE,
            Workload.DEFAULT_SOFT,
            Workload.VOLUMES,
            Workload.UNSCHEDULABLE);

    /** How rates fall as nodes fill. */
    private static final List<Workload> FILLED =
            List.of(Workload.BASIC, Workload.BOTH_HARD, Workload.BOTH_SOFT, Workload.ANTI);

    private static final List<PerfWorkload> OF_THE_REFERENCE = List.of(
            PerfWorkload.SCHEDULING_REQUIRED_POD_ANTI_AFFINITY_WITH_NS_SELECTOR,
            PerfWorkload.SCHEDULING_PREFERRED_POD_AFFINITY,
            PerfWorkload.PREEMPTION_BASIC);

    /** The cases of {@link SuiteKind#USUAL}. */
    static List<SuiteCase> usual(PluginRegistry registry, long seed) {
        List<SuiteCase> cases = new ArrayList<>();
        for (Workload workload : AT_EACH_SIZE) {
            SIZES.forEach(nodes -> cases.add(of(BenchCase.of(workload, nodes, PODS, seed))));
        }
        AT_THE_USUAL_SIZE.forEach(workload -> cases.add(of(BenchCase.of(workload, USUAL_NODES, PODS, seed))));
        FILLED.forEach(workload ->
                cases.add(of(BenchCase.of(workload, USUAL_NODES, PODS, seed).filledBy(FULLER))));
        OF_THE_REFERENCE.forEach(workload -> cases.add(of(PerfCase.of(workload, seed), registry)));
        return cases;
    }

    static SuiteCase of(BenchCase benchCase) {
        CaseName name = new CaseName(benchCase.workload().id(), benchCase.nodes(), benchCase.fill(), benchCase.pods());
        return new SuiteCase(name, benchCase);
    }

    static SuiteCase of(PerfCase perfCase, PluginRegistry registry) {
        CaseName name = new CaseName(perfCase.workload().id(), perfCase.nodes(), 0, perfCase.pods());
        return new SuiteCase(name, new PerfScenario(perfCase, registry));
    }
}
