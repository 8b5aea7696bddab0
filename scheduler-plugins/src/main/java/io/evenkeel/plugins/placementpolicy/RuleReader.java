package io.evenkeel.plugins.placementpolicy;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.plugins.placementpolicy.reading.RuleReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;

/**
 * Reads how a rule's pods are distributed. For skew those domains count that are open to one of the policy's pods: who placed it
 * looked no further either.
 */
final class RuleReader {
    private static final Comparator<DomainPods> FULLEST_FIRST =
            Comparator.comparingInt((DomainPods one) -> -one.pods()).thenComparing(DomainPods::domain);

    private final ClusterView cluster;
    private final BoundRule bound;
    private final PolicyRule rule;
    private final DomainCounter counter;
    private final RuleBreaches breaches;

    /** @param policy its kind and name */
    RuleReader(ClusterView cluster, String policy, BoundRule bound) {
        this.cluster = cluster;
        this.bound = bound;
        this.rule = bound.rule();
        this.counter = bound.counter();
        this.breaches = new RuleBreaches(bound);
    }

    RuleReading read(int mostDomains) {
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        Optional<DomainCounter> counting = forSkew();
        boolean onlyInUse = rule.maxDomains().isPresent()
                && counter.occupiedDomains() >= rule.maxDomains().getAsInt();
        PriorityQueue<DomainPods> fullest = new PriorityQueue<>(FULLEST_FIRST.reversed());
        Topology topology = counter.topology();
        for (int domain = 0; domain < topology.end(); domain++) {
            if (!counter.isCounted(domain)) {
                continue;
            }
            int pods = counter.sumOf(domain);
            keep(fullest, mostDomains, topology.value(domain), pods);
            if (counting.isPresent() && counting.get().isCounted(domain) && (pods > 0 || !onlyInUse)) {
                int counted = counting.get().sumOf(domain);
                fewest = Math.min(fewest, counted);
                most = Math.max(most, counted);
            }
        }
        int least = Math.min(fewest, most);
        List<DomainPods> domains = new ArrayList<>(fullest);
        domains.sort(FULLEST_FIRST);
        return new RuleReading(
                rule.topologyKey(),
                domains,
                counter.countedDomains() - domains.size(),
                least,
                most,
                breaches.of(least, most));
    }

    private static void keep(PriorityQueue<DomainPods> fullest, int most, String domain, int pods) {
        if (fullest.size() == most && fullest.element().pods() > pods) {
            return;
        }
        fullest.add(new DomainPods(domain, pods));
        if (fullest.size() > most) {
            fullest.remove();
        }
    }

    /** Nothing where there is no pod to look for. */
    private Optional<DomainCounter> forSkew() {
        return rule.maxSkew().isEmpty() ? Optional.of(counter) : somePod().map(bound::openTo);
    }

    private Optional<PodShape> somePod() {
        SparseCounts counts = bound.group().tally().counts();
        OptionalInt node = firstOf(counts);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        PodTable pods = cluster.pods();
        for (int row = pods.firstOnNode(node.getAsInt()); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            if (cluster.selectors().isCounted(row, bound.group().tally())) {
                return Optional.of(pods.shape(row).value());
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
