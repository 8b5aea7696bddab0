package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hard spread constraints that pods of a group have themselves. The counts are those that the filter reads, which
 * exist once for all users; here they serve to choose among nodes and to reckon ahead, never to judge.
 */
final class HardSpreads implements AutoCloseable {
    private record Key(Facet<PodShape> shape, Labels labels) {}

    private final ClusterView cluster;
    private final SpreadCounters counters;
    private final Map<Key, List<HardSpread>> acquired = new HashMap<>();

    HardSpreads(ClusterView cluster) {
        this.cluster = cluster;
        this.counters = new SpreadCounters(cluster);
    }

    List<HardSpread> of(PodInfo pod) {
        return acquired.computeIfAbsent(new Key(pod.interned(), pod.pod().labels()), _ -> acquire(pod));
    }

    private List<HardSpread> acquire(PodInfo pod) {
        PodShape shape = pod.shape();
        List<TopologySpreadConstraint> hard = shape.spread().value().constraints().stream()
                .filter(TopologySpreadConstraint::isHard)
                .toList();
        List<String> keys = SpreadCounters.keysOf(hard);
        SpreadCounters.Owner owner = new SpreadCounters.Owner(
                shape.spread().value().namespace(),
                shape.nodeRequirement().value(),
                shape.tolerations().value());
        List<HardSpread> spreads = new ArrayList<>(hard.size());
        for (TopologySpreadConstraint constraint : hard) {
            SelectorGroup group = counters.acquireGroup(constraint, owner);
            spreads.add(new HardSpread(
                    constraint,
                    group,
                    counters.acquire(group, constraint, keys, false, owner),
                    cluster.selectors()
                            .selects(
                                    group.key(),
                                    pod.pod().namespace(),
                                    pod.pod().labels())));
        }
        return List.copyOf(spreads);
    }

    @Override
    public void close() {
        for (List<HardSpread> spreads : acquired.values()) {
            for (HardSpread spread : spreads) {
                cluster.counters().release(spread.counter());
                cluster.selectors().release(spread.group());
            }
        }
    }

    /**
     * A hard spread constraint of a pod of the group, with the live counts that it reads.
     *
     * @param countsItself whether a pod that has the constraint is among the pods that it spreads
     */
    record HardSpread(
            TopologySpreadConstraint constraint, SelectorGroup group, DomainCounter counter, boolean countsItself) {

        /** How many pods are in the node's domain; none where it is in no domain. */
        int fillOf(int node) {
            int domain = counter.topology().domainOf(node);
            return domain == Topology.NO_DOMAIN ? 0 : counter.sumOf(domain);
        }

        /** Whether the emptiest domain is taken to have no pod, since there are fewer domains than minDomains. */
        boolean isMeasuredFromZero() {
            return Skew.lacksDomains(counter.countedDomains(), constraint.minDomains());
        }

        /** The most pods that a domain may hold for another to be allowed there that does not count itself. */
        int mostBesideOneThatDoesNotCount() {
            return Skew.mostAllowed(constraint.maxSkew(), isMeasuredFromZero() ? 0 : counter.minimum(), 0);
        }
    }
}
