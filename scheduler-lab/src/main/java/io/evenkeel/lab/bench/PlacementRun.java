package io.evenkeel.lab.bench;

import com.sun.management.ThreadMXBean;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.build.PodBuilder;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The stopwatch: places pods one after the other and writes down what each took. Nothing else happens between two
 * readings of the clock but what the engine does for a pod: admit, filter, score, choose, assume; and
 * where others have to go for it, hear that they are gone and decide it again.
 */
final class PlacementRun {
    private static final int NOWHERE = -1;

    private final int[] nodes;
    private final long[] nanos;
    private final long elapsedNanos;
    private final long cpuNanos;
    private final long allocatedBytes;
    private final Evictions evictions;

    private PlacementRun(
            int[] nodes, long[] nanos, long elapsedNanos, long cpuNanos, long allocatedBytes, Evictions evictions) {
        this.nodes = nodes;
        this.nanos = nanos;
        this.elapsedNanos = elapsedNanos;
        this.cpuNanos = cpuNanos;
        this.allocatedBytes = allocatedBytes;
        this.evictions = evictions;
    }

    static PlacementRun of(Engine engine, List<Pod> pods) {
        Evictions evictions = Evictions.from(engine.cluster().objects().all());
        int[] nodes = new int[pods.size()];
        long[] nanos = new long[pods.size()];
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocatedBefore = thread.getCurrentThreadAllocatedBytes();
        long cpuBefore = thread.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        long before = start;
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = place(engine, pods.get(i), evictions);
            long after = System.nanoTime();
            nanos[i] = after - before;
            before = after;
        }
        return new PlacementRun(
                nodes,
                nanos,
                before - start,
                thread.getCurrentThreadCpuTime() - cpuBefore,
                thread.getCurrentThreadAllocatedBytes() - allocatedBefore,
                evictions);
    }

    /** A pod for which others have to go is decided again when they are gone. */
    private static int place(Engine engine, Pod pod, Evictions evictions) {
        return switch (engine.decide(pod)) {
            case Decision.Placed placed -> commit(engine, pod, placed);
            case Decision.Unschedulable nowhere -> {
                if (nowhere.victims().isEmpty()) {
                    yield NOWHERE;
                }
                evictions.carryOut(nowhere.victims(), engine);
                Pod nominated = PodBuilder.from(pod)
                        .nominatedNodeName(nowhere.nominatedNode().orElseThrow())
                        .build();
                yield engine.decide(nominated) instanceof Decision.Placed placed
                        ? commit(engine, nominated, placed)
                        : NOWHERE;
            }
        };
    }

    private static int commit(Engine engine, Pod pod, Decision.Placed placed) {
        return engine.assume(pod, placed) instanceof Commitment.Ready ? placed.node() : NOWHERE;
    }

    /** The {@code namespace/name} of the pods that had to go. */
    Set<String> evicted() {
        return evictions.evicted();
    }

    /** The name of the node that each pod was placed on, empty where it was placed nowhere. */
    List<String> nodeNames(Engine engine) {
        return Arrays.stream(nodes)
                .mapToObj(
                        node -> node == NOWHERE ? "" : engine.cluster().nodes().name(node))
                .toList();
    }

    int pods() {
        return nodes.length;
    }

    int placed() {
        return (int) Arrays.stream(nodes).filter(node -> node != NOWHERE).count();
    }

    double podsPerSecond() {
        return nodes.length * 1e9 / elapsedNanos;
    }

    double meanMicros() {
        return elapsedNanos / 1e3 / nodes.length;
    }

    /** The time that the given share of the pods did not exceed. */
    double percentileMicros(double share) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return percentileMicros(share, sorted);
    }

    double firstMicros() {
        return nanos.length == 0 ? 0 : nanos[0] / 1e3;
    }

    /** The time that the given share of these did not exceed. */
    static double percentileMicros(double share, long[] sortedNanos) {
        int rank = (int) Math.ceil(share * sortedNanos.length);
        return sortedNanos[Math.max(rank, 1) - 1] / 1e3;
    }

    /** Of the engine's thread alone: the pods would take this on a machine without other work. */
    double cpuMicros() {
        return cpuNanos / 1e3 / nodes.length;
    }

    long bytesPerPod() {
        return allocatedBytes / nodes.length;
    }

    /**
     * Carries out preemptions for a scheduler that sees its victims go at once: it hears of their deletion, and
     * of what the disruption controller makes of each budget then.
     */
    private static final class Evictions {
        private final Map<String, PodDisruptionBudget> budgetsByApp = new HashMap<>();
        private final List<Pod> evicted = new ArrayList<>();

        private Evictions() {}

        /** None yet; the budgets are named like the apps that they are for. */
        static Evictions from(List<? extends KubernetesObject> objects) {
            Evictions evictions = new Evictions();
            for (KubernetesObject object : objects) {
                if (object instanceof PodDisruptionBudget budget) {
                    evictions.budgetsByApp.put(budget.meta().name(), budget);
                }
            }
            return evictions;
        }

        void carryOut(List<Pod> victims, Engine engine) {
            for (Pod victim : victims) {
                engine.remove(victim);
                evicted.add(victim);
                PodDisruptionBudget budget = budgetsByApp.get(victim.labels().getOrDefault(WorkloadPods.APP, ""));
                if (budget != null && budget.disruptionsAllowed() > 0) {
                    PodDisruptionBudget less = new PodDisruptionBudget(
                            budget.meta(), budget.selector(), budget.disruptionsAllowed() - 1, budget.disruptedPods());
                    budgetsByApp.put(less.meta().name(), less);
                    engine.put(less);
                }
            }
        }

        /** The {@code namespace/name} of the pods that went. */
        Set<String> evicted() {
            return evicted.stream().map(Pod::key).collect(Collectors.toSet());
        }
    }
}
