package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * The answers of local filters, kept for the next pod of the same shape and priority. They go with the shape; beyond 64 MB of
 * them those go that were not asked for longest, whoever's pods bring ever new shapes or priorities.
 */
final class KeptAnswers {
    private static final int FEWEST = 16;

    private final ClusterView cluster;
    private final EvictionIndex index;
    private final FacetCache<PodShape, Map<Integer, Kept>> byShape;
    private final LinkedHashSet<Kept> eldestFirst = new LinkedHashSet<>();

    /** The answers for pods of a shape and this priority, with the filters that gave the last of them. */
    private static final class Kept {
        final Map<Integer, Kept> ofShape;
        final int priority;
        final Answers answers;
        FilterDryRuns filters;

        Kept(Map<Integer, Kept> ofShape, int priority, Answers answers, FilterDryRuns filters) {
            this.ofShape = ofShape;
            this.priority = priority;
            this.answers = answers;
            this.filters = filters;
        }
    }

    KeptAnswers(ClusterView cluster, EvictionIndex index) {
        this.cluster = cluster;
        this.index = index;
        byShape = new FacetCache<>(
                cluster.shapes().shapes(),
                this::capacity,
                _ -> new HashMap<>(2),
                kept -> kept.values().forEach(eldestFirst::remove));
        index.audits(this);
    }

    /** Returns the answers for this pod, as far as they are still true. */
    Answers of(PodInfo pod, FilterDryRuns filters) {
        int priority = Victims.priority(pod.pod());
        Map<Integer, Kept> ofShape = byShape.get(pod.interned());
        Kept kept = ofShape.computeIfAbsent(
                priority, _ -> new Kept(ofShape, priority, new Answers(cluster.nodes()), filters));
        kept.filters = filters;
        eldestFirst.remove(kept);
        eldestFirst.add(kept);
        while (eldestFirst.size() > capacity()) {
            Kept eldest = eldestFirst.removeFirst();
            eldest.ofShape.remove(eldest.priority);
        }
        kept.answers.catchUp(index.changes());
        return kept.answers;
    }

    private int capacity() {
        return Math.max(FEWEST, cluster.columnsWorthKeeping() * Integer.BYTES / Answers.BYTES_A_NODE);
    }

    /** Runs dry all that is kept. */
    void audit(Differences differences) {
        NodeDryRun dryRun = new NodeDryRun(cluster, index);
        Answers recounted = new Answers(cluster.nodes());
        for (Kept kept : eldestFirst) {
            kept.answers.catchUp(index.changes());
            FollowedFilters filters = new FollowedFilters(kept.filters, FilterDryRun::isLocal);
            FollowedFilters beyond = new FollowedFilters(kept.filters, run -> !run.isLocal());
            for (int node = cluster.nodes().present().first();
                    node >= 0;
                    node = cluster.nodes().present().next(node + 1)) {
                if (kept.answers.isKnown(node)) {
                    Status verdict = dryRun.on(node, kept.priority, filters);
                    recounted.put(node, verdict, dryRun);
                    String difference = kept.answers.difference(node, recounted);
                    differences.require(difference.isEmpty(), () -> difference);
                    String name = cluster.nodes().name(node);
                    differences.require(
                            !dryRun.concerns(beyond) || kept.answers.concerned().contains(node),
                            () -> "no pod on node " + name + " is known to concern filters, but one does");
                }
            }
        }
    }
}
