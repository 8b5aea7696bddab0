package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.SelectorIndex;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.Pod;
import java.util.Arrays;
import java.util.List;

/**
 * Follows the skew in the domains of a node. Pods that leave it make its domain's sum smaller, and the minimum over all
 * domains at most by making this one the smallest: {@code min(minimum, sum)}. So what fits goes on fitting as pods leave, and
 * what does not fit without all of the node's pods never does. Nominated pods make the sum larger, and the minimum at most by
 * taking this domain from it.
 *
 * <pre>{@code
 * maxSkew 1        zone a   zone b   a pod more in a   minimum   skew
 *                  3        1        4                 1         3      rejected
 * two leave a      1        1        2                 1         1      fits
 * three leave a    0        1        1                 0         1      fits
 * }</pre>
 *
 * <p>An empty selector counts no pod in place. Of pods that come and go in thought it counts all of the namespace, as in the
 * reference.
 */
final class SkewDryRun implements FilterDryRun {
    private final List<HardConstraint> constraints;
    private final SelectorIndex selectors;
    private final Work work;
    private final PodTable pods;
    private final String namespace;
    private final boolean isAlike;
    private final int[] selfMatches;
    /** By constraint, how many more of the pods that it counts have left the node than are nominated to it. */
    private final int[] left;

    private int node;

    /** @param isAlike whether pods of the shape have these constraints, whatever selects them */
    SkewDryRun(ClusterView cluster, List<HardConstraint> constraints, Pod pod, boolean isAlike) {
        this.isAlike = isAlike;
        this.constraints = constraints;
        this.selectors = cluster.selectors();
        this.pods = cluster.pods();
        this.namespace = pod.namespace();
        this.work = cluster.work();
        this.selfMatches = constraints.stream()
                .mapToInt(constraint -> constraint.selfMatch(pod.labels()))
                .toArray();
        this.left = new int[selfMatches.length];
    }

    @Override
    public boolean isAlike() {
        return isAlike;
    }

    @Override
    public boolean begin(int begun) {
        node = begun;
        for (int i = 0; i < left.length; i++) {
            left[i] = countedOnNode(constraints.get(i));
        }
        Status without = verdict();
        Arrays.fill(left, 0);
        return !verdict().equals(without);
    }

    @Override
    public boolean addNominated(PodInfo pod) {
        Pod nominated = pod.pod();
        for (int i = 0; i < left.length; i++) {
            HardConstraint constraint = constraints.get(i);
            if (constraint.counter().eligibility().includes(node)
                    && (selectsAll(constraint, nominated)
                            || selectors.selects(
                                    constraint.group().key(), nominated.namespace(), nominated.labels()))) {
                left[i]--;
            }
        }
        return true;
    }

    private boolean selectsAll(HardConstraint constraint, Pod pod) {
        return constraint.selectsAll() && pod.namespace().equals(namespace);
    }

    @Override
    public Status verdict() {
        work.add(left.length);
        for (int i = 0; i < left.length; i++) {
            Status verdict = constraints.get(i).verdict(node, selfMatches[i], left[i]);
            if (!verdict.isSuccess()) {
                return verdict;
            }
        }
        return Status.SUCCESS;
    }

    @Override
    public void count(int row, int more) {
        for (int i = 0; i < left.length; i++) {
            HardConstraint constraint = constraints.get(i);
            if (constraint.counter().eligibility().includes(node)
                    && (selectsAll(constraint, pods.pod(row))
                            || selectors.isCounted(row, constraint.counter().tally()))) {
                left[i] -= more;
            }
        }
    }

    private int countedOnNode(HardConstraint constraint) {
        return constraint.counter().eligibility().includes(node)
                ? constraint.counter().tally().countOn(node)
                : 0;
    }
}
