package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.Difference;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * Who has to go from a node for a pod: all that may are taken away, and as many put back as the pod leaves room for, those
 * first whose budgets are used up, then the most important.
 *
 * <pre>
 * a node of 4 cpus                         put back: violating first, then by importance
 * a (priority 9, 2 cpus)                   b  does the new pod fit beside it? yes, it stays
 * b (priority 1, 1 cpu, budget used up)    a  no: a victim
 * c (priority 0, 1 cpu)                    c  yes, it stays
 * the new pod needs 2
 * </pre>
 *
 * <p>Used for one node after the other, and what it tells is of the last one; it allocates nothing once it has seen the fullest.
 */
final class NodeDryRun implements Answers.Harm {
    static final Status NO_VICTIMS = Status.unresolvable("No preemption victims found for incoming pod");

    static final int BEFORE_ALL_FILTERS = -1;
    static final int AFTER_ALL_FILTERS = Integer.MAX_VALUE;

    private final ClusterView cluster;
    private final ImportanceOrder order;
    private final Budgets budgets;
    private final boolean extendersNameVictims;

    /** The pods that may go, the most important first. */
    private int count;

    private int[] rows = new int[16];
    private int[] priorities = new int[16];
    private boolean[] violating = new boolean[16];
    private boolean[] goes = new boolean[16];

    private int violations;
    private int victimCount;
    private int position;
    private String objector = "";

    NodeDryRun(ClusterView cluster, EvictionIndex index) {
        this.cluster = cluster;
        this.order = index.order();
        this.budgets = index.budgets();
        extendersNameVictims = cluster.featureGates().has(Difference.EXTENDERS_NAME_VICTIMS);
    }

    /**
     * Success where the pod fits once the victims are gone, else why not. Where by these filters it fits as it is, though it was
     * turned away, that is {@link #NO_VICTIMS} after all filters, or an error.
     */
    Status on(int node, int priority, NodeFilters filters) {
        victimCount = 0;
        violations = 0;
        position = BEFORE_ALL_FILTERS;
        objector = "";
        findThoseWhoMayGo(node, priority);
        if (count == 0) {
            return NO_VICTIMS;
        }
        budgets.markViolating(rows, count, violating);
        filters.begin(node);
        try {
            Status verdict = withoutAll(filters);
            if (!verdict.isSuccess()) {
                position = filters.position();
                objector = filters.plugin();
                return verdict;
            }
            position = AFTER_ALL_FILTERS;
            return reprieve(node, filters);
        } finally {
            filters.end();
        }
    }

    /** Asks filters about the node without all pods that may go; {@link #position} tells which. */
    Status whereAllAreGone(int node, int priority, FollowedFilters filters) {
        findThoseWhoMayGo(node, priority);
        filters.begin(node);
        Status verdict = withoutAll(filters);
        position = filters.position();
        objector = filters.plugin();
        return verdict;
    }

    /** Whether one of those who might go, when the last node was looked at, concerns the filters. */
    boolean concerns(FollowedFilters filters) {
        for (int i = 0; i < count; i++) {
            if (filters.concerns(rows[i])) {
                return true;
            }
        }
        return false;
    }

    private Status withoutAll(NodeFilters filters) {
        for (int i = 0; i < count; i++) {
            filters.remove(rows[i]);
        }
        return filters.verdict();
    }

    private Status reprieve(int node, NodeFilters filters) {
        putBack(true, filters);
        violations = victimCount;
        putBack(false, filters);
        if (victimCount > 0) {
            return Status.SUCCESS;
        }
        return extendersNameVictims
                ? NO_VICTIMS
                : Status.error("expected at least one victim pod on node \""
                        + cluster.nodes().name(node) + '"');
    }

    /** Puts pods back, one after the other, but those beside which the preemptor does not fit. */
    private void putBack(boolean areViolating, NodeFilters filters) {
        for (int i = 0; i < count; i++) {
            if (violating[i] == areViolating) {
                filters.putBack(rows[i]);
                goes[i] = !filters.verdict().isSuccess();
                if (goes[i]) {
                    filters.remove(rows[i]);
                    victimCount++;
                }
            }
        }
    }

    private void findThoseWhoMayGo(int node, int priority) {
        long[] all = order.on(node);
        int first = all.length;
        while (first > 0 && ImportanceOrder.priority(all[first - 1]) < priority) {
            first--;
        }
        count = all.length - first;
        cluster.work().add(1L + count);
        ensureCapacity(count);
        for (int i = 0; i < count; i++) {
            rows[i] = ImportanceOrder.row(all[first + i]);
            priorities[i] = ImportanceOrder.priority(all[first + i]);
        }
    }

    @Override
    public long violations() {
        return violations;
    }

    /** Which filter objects, in their order. */
    int position() {
        return position;
    }

    /** The filter that objects though all are gone who may go; empty where none does. */
    String objector() {
        return objector;
    }

    @Override
    public int victimCount() {
        return victimCount;
    }

    @Override
    public int highestPriority() {
        return priorities[firstVictim()];
    }

    @Override
    public String earliestStart() {
        return Victims.start(cluster.pods().pod(rows[firstVictim()]));
    }

    @Override
    public long prioritySum() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += goes[i] ? Victims.positive(priorities[i]) : 0;
        }
        return sum;
    }

    /** The most important first; of equal ones, first the pods with a budget that is used up. */
    List<Pod> victims() {
        List<Pod> victims = new ArrayList<>(victimCount);
        addVictims(true, victims);
        addVictims(false, victims);
        if (isMixed()) {
            Victims.sort(victims);
        }
        return victims;
    }

    /** Whether some of those who may go would violate a budget, and others none. */
    private boolean isMixed() {
        for (int i = 1; i < count; i++) {
            if (violating[i] != violating[0]) {
                return true;
            }
        }
        return false;
    }

    private void addVictims(boolean areViolating, List<Pod> victims) {
        for (int i = 0; i < count; i++) {
            if (goes[i] && violating[i] == areViolating) {
                victims.add(cluster.pods().pod(rows[i]));
            }
        }
    }

    private int firstVictim() {
        for (int i = 0; i < count; i++) {
            if (goes[i]) {
                return i;
            }
        }
        throw new IllegalStateException("nobody goes");
    }

    private void ensureCapacity(int needed) {
        if (needed > rows.length) {
            rows = new int[2 * needed];
            priorities = new int[2 * needed];
            violating = new boolean[2 * needed];
            goes = new boolean[2 * needed];
        }
    }
}
