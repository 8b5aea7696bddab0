package io.evenkeel.plugins.placementpolicy;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.model.policy.RelaxedDomain;
import io.evenkeel.plugins.placementpolicy.reading.Breach;
import io.evenkeel.plugins.placementpolicy.reading.RuleReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Reads how a rule's pods are distributed. For skew those domains count that are open to one of the policy's pods: who placed it
 * looked no further either.
 */
final class RuleReader {
    private static final Comparator<DomainPods> FULLEST_FIRST =
            Comparator.comparingInt((DomainPods one) -> -one.pods()).thenComparing(DomainPods::domain);

    private final ClusterView cluster;
    private final RuleOfMany rules;
    private final PolicyRule rule;

    RuleReader(ClusterView cluster, RuleOfMany rules) {
        this.cluster = cluster;
        this.rules = rules;
        this.rule = rules.rule();
    }

    /** How many pods the domains have that count for skew. */
    private record Span(int fewest, int most) {}

    RuleReading read(int mostDomains) {
        BoundRule all = rules.ofAll();
        DomainCounter counter = all.counter();
        PriorityQueue<DomainPods> fullest = new PriorityQueue<>(FULLEST_FIRST.reversed());
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counter.isCounted(domain)) {
                keep(fullest, mostDomains, counter.topology().value(domain), counter.sumOf(domain));
            }
        }
        List<DomainPods> domains = new ArrayList<>(fullest);
        domains.sort(FULLEST_FIRST);
        Span span = span(all);
        return new RuleReading(
                rule.topologyKey(),
                domains,
                counter.countedDomains() - domains.size(),
                span.fewest(),
                span.most(),
                breaches());
    }

    /** A preference is broken by nobody. */
    private List<Breach> breaches() {
        List<Breach> breaches = new ArrayList<>();
        if (rule.isHard()) {
            for (BoundRule kind : rules.kinds()) {
                Span span = span(kind);
                breaches.addAll(new RuleBreaches(kind).of(span.fewest(), span.most()));
            }
        }
        return breaches;
    }

    private Span span(BoundRule bound) {
        Optional<DomainCounter> counting = forSkew(bound);
        if (counting.isEmpty()) {
            return new Span(0, 0);
        }
        DomainCounter counter = bound.counter();
        List<String> relaxed =
                bound.relaxed().stream().map(RelaxedDomain::domain).toList();
        boolean onlyInUse = rule.maxDomains().isPresent()
                && counter.occupiedDomains() >= rule.maxDomains().getAsInt();
        int fewest = onlyInUse ? Integer.MAX_VALUE : fewestOfKnown(bound, counting.get(), relaxed);
        int most = 0;
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counting.get().isCounted(domain) && (counter.sumOf(domain) > 0 || !onlyInUse)) {
                int counted = counting.get().sumOf(domain);
                fewest = relaxed.contains(counter.topology().value(domain)) ? fewest : Math.min(fewest, counted);
                most = Math.max(most, counted);
            }
        }
        return new Span(Math.min(fewest, most), most);
    }

    /** Of the domains that count although no node of theirs is open. */
    private int fewestOfKnown(BoundRule bound, DomainCounter open, List<String> relaxed) {
        Topology topology = open.topology();
        return rule.terms().knownDomains().stream()
                .filter(domain -> !relaxed.contains(domain))
                .filter(domain -> !topology.has(domain) || !open.isCounted(topology.find(domain)))
                .mapToInt(domain -> topology.has(domain) ? bound.counter().sumOf(topology.find(domain)) : 0)
                .min()
                .orElse(Integer.MAX_VALUE);
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
    private Optional<DomainCounter> forSkew(BoundRule bound) {
        return rule.maxSkew().isEmpty()
                ? Optional.of(bound.counter())
                : somePod(bound).map(bound::openTo);
    }

    private Optional<PodShape> somePod(BoundRule bound) {
        return new SomePod(cluster)
                .in(bound.group().tally(), _ -> true)
                .map(pod -> cluster.pods().shape(cluster.pods().find(pod.key())).value());
    }
}
