package io.evenkeel.policies;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.policies.PolicyReading.Breach;
import io.evenkeel.policies.PolicyReading.RuleReading;
import io.evenkeel.policies.ReadablePolicy.SomePod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
    private record Span(int fewest, int most) {
        int width() {
            return most - fewest;
        }
    }

    String topologyKey() {
        return rule.topologyKey();
    }

    /** The domains that are open to one of the policy's pods, where the rule remembers such. */
    Optional<Set<String>> domainsToRemember() {
        if (rule.terms().rememberDomainsSeconds().isEmpty()) {
            return Optional.empty();
        }
        BoundRule all = rules.ofAll();
        return somePod(all).map(pod -> {
            DomainCounter open = all.openTo(pod);
            return IntStream.range(0, open.topology().end())
                    .filter(open::isCounted)
                    .mapToObj(open.topology()::value)
                    .collect(Collectors.toSet());
        });
    }

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
        List<Span> spans = new ArrayList<>();
        List<Breach> breaches = new ArrayList<>();
        for (BoundRule kind : rules.kindsOnNodes()) {
            Span span = span(kind);
            spans.add(span);
            breaches.addAll(breaches(kind, span));
        }
        Span widest = spans.stream().max(Comparator.comparingInt(Span::width)).orElse(new Span(0, 0));
        return new RuleReading(
                rule.topologyKey(),
                domains,
                counter.countedDomains() - domains.size(),
                widest.fewest(),
                widest.most(),
                breaches);
    }

    /** No pod breaks a preference. */
    private List<Breach> breaches(BoundRule kind, Span span) {
        return rule.isHard() ? new RuleBreaches(kind).of(span.fewest(), span.most()) : List.of();
    }

    /** The fewest are those by which the next pod would be placed; without a limit of skew, of all domains that may be used. */
    private Span span(BoundRule bound) {
        if (rule.maxSkew().isEmpty()) {
            return span(bound, bound.counter(), fewestOf(bound.counter()));
        }
        return somePod(bound)
                .map(pod -> {
                    RuleBounds bounds = bound.bounds(pod);
                    return span(bound, bounds.open(), bounds.fewestBySkew());
                })
                .orElse(new Span(0, 0));
    }

    private Span span(BoundRule bound, DomainCounter counting, int fewest) {
        int most = 0;
        for (int domain = 0; domain < bound.topology().end(); domain++) {
            most = Math.max(most, counting.isCounted(domain) ? counting.sumOf(domain) : 0);
        }
        return new Span(Math.min(fewest, most), most);
    }

    private int fewestOf(DomainCounter counter) {
        boolean onlyInUse = rule.maxDomains().isPresent()
                && counter.occupiedDomains() >= rule.maxDomains().getAsInt();
        int fewest = Integer.MAX_VALUE;
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counter.isCounted(domain) && (counter.sumOf(domain) > 0 || !onlyInUse)) {
                fewest = Math.min(fewest, counter.sumOf(domain));
            }
        }
        return fewest;
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
    private Optional<PodShape> somePod(BoundRule bound) {
        return new SomePod(cluster)
                .in(bound.group().tally(), _ -> true)
                .map(pod -> cluster.pods().shape(cluster.pods().find(pod.key())).value());
    }
}
