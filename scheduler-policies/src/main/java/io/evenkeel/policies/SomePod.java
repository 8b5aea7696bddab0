package io.evenkeel.policies;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.Pod;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Finds one of the pods that are counted: pods of a policy are mostly alike. */
record SomePod(ClusterView cluster) {
    /** On the first node that has any of them. */
    Optional<Pod> in(PodTally tally, Predicate<Pod> isMeant) {
        OptionalInt node = firstOf(tally.counts());
        if (node.isEmpty()) {
            return Optional.empty();
        }
        PodTable pods = cluster.pods();
        for (int row = pods.firstOnNode(node.getAsInt()); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            if (cluster.selectors().isCounted(row, tally) && isMeant.test(pods.pod(row))) {
                return Optional.of(pods.pod(row));
            }
        }
        return Optional.empty();
    }

    private static OptionalInt firstOf(SparseCounts counts) {
        int[] first = {Integer.MAX_VALUE};
        counts.forEachNode(node -> first[0] = Math.min(first[0], node));
        return first[0] == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(first[0]);
    }
}
