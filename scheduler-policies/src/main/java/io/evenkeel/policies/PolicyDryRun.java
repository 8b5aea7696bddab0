package io.evenkeel.policies;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorIndex;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.policies.PolicyReading.Limit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Follows the counts in the domains of a node, as pods of the policies leave it and come back in thought. */
final class PolicyDryRun implements FilterDryRun {
    private final SelectorIndex selectors;
    private final Work work;
    private final PodShape shape;
    private final List<RuleBounds> rules;
    private final List<DomainCounter> open;
    /** By rule, how many of the pods that it counts have left the node. */
    private final int[] left;

    private int node;

    PolicyDryRun(ClusterView cluster, List<BoundPolicy> policies, PodInfo pod) {
        this.selectors = cluster.selectors();
        this.work = cluster.work();
        this.shape = pod.shape();
        this.rules = policies.stream()
                .flatMap(policy -> policy.hardRules(pod.pod()).stream())
                .map(RuleBounds::new)
                .toList();
        this.open =
                rules.stream().map(bounds -> bounds.bound().openTo(pod.shape())).toList();
        this.left = new int[rules.size()];
    }

    @Override
    public boolean isAlike() {
        return true;
    }

    @Override
    public boolean begin(int begun) {
        node = begun;
        Arrays.fill(left, 0);
        return rules.stream().anyMatch(bounds -> bounds.bound().group().tally().countOn(node) > 0);
    }

    @Override
    public void count(int row, int more) {
        for (int i = 0; i < left.length; i++) {
            if (selectors.isCounted(row, rules.get(i).bound().group().tally())) {
                left[i] -= more;
            }
        }
    }

    /** One that is counted may use a domain, or give another one its turn. */
    @Override
    public boolean addNominated(PodInfo pod) {
        return rules.stream()
                .noneMatch(bounds -> selectors.selects(
                        bounds.bound().group().key(),
                        pod.pod().namespace(),
                        pod.pod().labels()));
    }

    @Override
    public Status verdict() {
        work.add(left.length);
        for (int i = 0; i < left.length; i++) {
            RuleBounds bounds = rules.get(i);
            int domain = bounds.bound().topology().domainOf(node);
            int counted = bounds.bound().counter().eligibility().includes(node) ? left[i] : 0;
            int countedOpen = open.get(i).eligibility().includes(node) ? counted : 0;
            bounds.measure(shape, open.get(i), domain, counted, countedOpen);
            Optional<Limit> broken = bounds.brokenIn(domain);
            if (broken.isPresent()) {
                return bounds.status(broken.get());
            }
        }
        return Status.SUCCESS;
    }
}
