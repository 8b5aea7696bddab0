package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Bench.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Cases that are measured one after the other, in this order: each warms the process up for those after it. */
enum Suite {
    /** A bit of everything: what a change is held against. */
    USUAL("usual") {
        @Override
        public List<Case> cases(PluginRegistry registry, long seed) {
            List<Case> cases = new ArrayList<>();
            for (Workload workload : AT_EACH_SIZE) {
                SIZES.forEach(nodes -> cases.add(Case.of(BenchCase.of(workload, nodes, FEW_PODS, seed))));
            }
            AT_THE_USUAL_SIZE.forEach(
                    workload -> cases.add(Case.of(BenchCase.of(workload, USUAL_NODES, FEW_PODS, seed))));
            FILLED.forEach(workload -> cases.add(
                    Case.of(BenchCase.of(workload, USUAL_NODES, FEW_PODS, seed).filledBy(FULLER))));
            OF_THE_REFERENCE.forEach(workload -> cases.add(Case.of(PerfCase.of(workload, seed, registry))));
            return cases;
        }
    },

    /**
     * Equal workloads at sizes a few times apart: once with more and more nodes for as many pods, once with more and more pods for
     * as many nodes. Where the two cross, a case is measured once.
     */
    SCALE("scale") {
        @Override
        public List<Case> cases(PluginRegistry registry, long seed) {
            List<Case> cases = new ArrayList<>();
            for (Workload workload : AT_EACH_SCALE) {
                Stream<BenchCase> byNodes =
                        SCALES.stream().map(nodes -> BenchCase.of(workload, nodes, USUAL_PODS, seed));
                Stream<BenchCase> byPods = SCALES.stream()
                        .filter(pods -> pods != USUAL_PODS)
                        .map(pods -> BenchCase.of(workload, USUAL_NODES, pods, seed));
                Stream.concat(byNodes, byPods).map(Case::of).forEach(cases::add);
            }
            return cases;
        }
    };

    private static final int FEW_PODS = 5_000;
    private static final int USUAL_PODS = 20_000;
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

    private static final List<Workload> AT_EACH_SCALE = List.of(
            Workload.BASIC,
            Workload.ZONE_HARD,
            Workload.BOTH_HARD,
            Workload.BOTH_SOFT,
            Workload.ANTI,
            Workload.AFFINITY,
            Workload.MIXED);

    private static final List<Integer> SCALES = List.of(1_000, 5_000, 20_000, 100_000);

    private final String id;

    Suite(String id) {
        this.id = id;
    }

    /** What is measured, and what it is called in tables: measurements of equal workloads at an equal size are of one case. */
    record Case(Name name, Scenario scenario) {
        static Case of(BenchCase own) {
            return new Case(new Name(own.workload().id(), own.nodes(), own.fill(), own.pods()), own);
        }

        static Case of(PerfCase ofTheReference) {
            return new Case(
                    new Name(ofTheReference.workload().id(), ofTheReference.nodes(), 0, ofTheReference.pods()),
                    ofTheReference);
        }

        record Name(String workload, int nodes, int fill, int pods) {}
    }

    record Row(Case.Name name, Figures figures) {}

    abstract List<Case> cases(PluginRegistry registry, long seed);

    /** Measures cases one after the other, and tells of each as soon as it is measured. */
    static List<Row> measure(List<Case> cases, Bench bench, Consumer<Row> measured) {
        List<Row> rows = new ArrayList<>();
        for (Case one : cases) {
            Row row = new Row(one.name(), bench.measure(one.scenario()));
            measured.accept(row);
            rows.add(row);
        }
        return rows;
    }

    /** The name on the command line. */
    String id() {
        return id;
    }

    static Optional<Suite> find(String id) {
        return Arrays.stream(values()).filter(suite -> suite.id.equals(id)).findFirst();
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(Suite::id).toList();
    }
}
