package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.SelectorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The skews of pods as spread now, beside the skews that their constraints allow, read from the counters that placing them
 * keeps anyway: a look at each shape, and O(domains) for each distinct constraint of the pods there are. Constraints that
 * have no counter yet, and soft ones over host names, which need no counter, are not in it.
 */
public final class SpreadSkews {

    /**
     * One constraint of one or more workloads.
     *
     * @param hard whether it forbids, or only dislikes
     * @param violatingDomains that have more than maxSkew above the emptiest
     */
    public record Spread(
            String namespace,
            String topologyKey,
            String selector,
            boolean hard,
            int maxSkew,
            int skew,
            int domains,
            int violatingDomains) {

        /** How far the skew is beyond what is allowed; negative within. */
        public int excess() {
            return skew - maxSkew;
        }
    }

    /**
     * The worst skews.
     *
     * @param leftOut how many more there are than were asked for
     */
    public record Worst(List<Spread> spreads, int leftOut) {}

    private record Name(String namespace, String topologyKey, String selector, boolean hard, int maxSkew) {}

    private SpreadSkews() {}

    /** The constraints that are violated worst, worst first. */
    public static Worst worst(ClusterView cluster, int most) {
        Map<Name, Spread> byName = new LinkedHashMap<>();
        for (Facet<SpreadRules> facet : rulesOfPodsThatThereAre(cluster)) {
            SpreadRules rules = facet.value();
            rules.constraints()
                    .forEach(constraint -> read(cluster, rules.namespace(), constraint)
                            .forEach(skew -> byName.merge(nameOf(skew), skew, SpreadSkews::worse)));
        }
        List<Spread> all = new ArrayList<>(byName.values());
        all.sort(Comparator.comparingInt(Spread::excess)
                .reversed()
                .thenComparing(Spread::namespace)
                .thenComparing(Spread::selector)
                .thenComparing(Spread::topologyKey));
        int kept = Math.min(most, all.size());
        return new Worst(List.copyOf(all.subList(0, kept)), all.size() - kept);
    }

    /** A shape that lies idle still has its rules, but no pod. */
    private static Set<Facet<SpreadRules>> rulesOfPodsThatThereAre(ClusterView cluster) {
        return cluster.shapes().shapes().all().stream()
                .filter(shape -> shape.references() > 0)
                .map(shape -> shape.value().spread())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Name nameOf(Spread skew) {
        return new Name(skew.namespace(), skew.topologyKey(), skew.selector(), skew.hard(), skew.maxSkew());
    }

    private static Spread worse(Spread one, Spread other) {
        return one.skew() >= other.skew() ? one : other;
    }

    private static List<Spread> read(ClusterView cluster, String namespace, TopologySpreadConstraint constraint) {
        PodMatch match = new PodMatch(NamespaceScope.only(namespace), constraint.labelSelector());
        return cluster.selectors()
                .find(new SelectorGroup.Key(List.of(match), false))
                .map(group -> group.tally().counters().stream()
                        .filter(counter -> counter.topology().key().label().equals(constraint.topologyKey())
                                && counter.keepsMinimum() == constraint.isHard())
                        .map(counter -> spreadOf(counter, namespace, constraint))
                        .toList())
                .orElse(List.of());
    }

    private static Spread spreadOf(DomainCounter counter, String namespace, TopologySpreadConstraint constraint) {
        Skew skew = Skew.of(counter, constraint);
        int violating = 0;
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counter.isCounted(domain) && skew.isAbove(counter.sumOf(domain), constraint)) {
                violating++;
            }
        }
        return new Spread(
                namespace,
                constraint.topologyKey(),
                SelectorText.of(constraint.labelSelector()),
                constraint.isHard(),
                constraint.maxSkew(),
                skew.skew(),
                skew.domains(),
                violating);
    }
}
