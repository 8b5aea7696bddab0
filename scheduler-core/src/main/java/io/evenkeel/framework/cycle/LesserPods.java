package io.evenkeel.framework.cycle;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The pods in place that may have to go for a waiting one. A change need not let that one onto a node, to be worth an
 * attempt: it is enough that it would without them. For example, on a node with 4 CPUs:
 *
 * <pre>
 *   waits: 3 CPUs, priority 9     there: 2 CPUs of priority 9, 2 of priority 0
 *   the 2 of priority 9 go        2 are free, too few; but 4 once the others go too
 * </pre>
 */
public final class LesserPods implements ClusterIndex {
    /** The properties of a waiting pod that decide which pods may have to go for it. */
    public record Rank(int priority, boolean preempts) {}

    private final PodTable pods;
    /** How many pods in place have which priority, the lowest first. */
    private final SortedMap<Integer, int[]> counts = new TreeMap<>();

    private LesserPods(PodTable pods) {
        this.pods = pods;
    }

    public static LesserPods of(ClusterView cluster) {
        return cluster.index(LesserPods.class, view -> new LesserPods(view.pods()));
    }

    public static Rank rankOf(Pod waiting) {
        return new Rank(waiting.spec().priority(), waiting.spec().preempts());
    }

    /** Whether some pod may have to go for this one. */
    public boolean mayGoFor(Pod waiting) {
        return waiting.spec().preempts()
                && !counts.isEmpty()
                && counts.firstKey() < waiting.spec().priority();
    }

    /** Whether the filter has nothing against the pod on the node, once all are gone that may have to. */
    public boolean passesWithout(FilterDryRun filter, int node, Pod waiting) {
        if (!mayGoFor(waiting)) {
            return false;
        }
        if (filter.begin(node)) {
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                if (isLesser(pods.pod(row), waiting)) {
                    filter.count(row, -1);
                }
            }
        }
        return filter.verdict().isSuccess();
    }

    /** Whether the one may have to go for the other. */
    public static boolean isLesser(Pod pod, Pod waiting) {
        return pod.spec().priority() < waiting.spec().priority();
    }

    @Override
    public void podPlaced(int row) {
        counts.computeIfAbsent(priority(pods.pod(row)), _ -> new int[1])[0]++;
    }

    @Override
    public void podRemoved(int row) {
        remove(priority(pods.pod(row)));
    }

    @Override
    public void podReplaced(int row, Pod before) {
        if (priority(before) != priority(pods.pod(row))) {
            remove(priority(before));
            podPlaced(row);
        }
    }

    private void remove(int priority) {
        counts.computeIfPresent(priority, (_, count) -> --count[0] == 0 ? null : count);
    }

    private static int priority(Pod pod) {
        return pod.spec().priority();
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Map<Integer, Integer> kept = new HashMap<>();
        counts.forEach((priority, count) -> kept.put(priority, count[0]));
        Map<Integer, Integer> there = new HashMap<>();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                there.merge(priority(pods.pod(row)), 1, Integer::sum);
            }
        }
        differences.compare(() -> "pods by priority", kept, there);
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        counts.forEach((priority, count) -> line.accept("priority " + priority + " " + count[0]));
    }
}
