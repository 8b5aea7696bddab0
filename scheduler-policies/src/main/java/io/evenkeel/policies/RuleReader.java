package io.evenkeel.policies;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.policies.BoundRule.RuleStatuses;
import io.evenkeel.policies.PolicyReading.Breach;
import io.evenkeel.policies.PolicyReading.Limit;
import io.evenkeel.policies.PolicyReading.RuleReading;
import io.evenkeel.policies.ReadablePolicy.SomePod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.IntPredicate;
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

    /** The limits of a rule that pods on nodes break, however they were placed there. */
    private static final class RuleBreaches {
        private static final int MOST_NAMED = 5;

        private final BoundRule bound;
        private final PolicyRule rule;
        private final String whose;
        private final DomainCounter counter;
        private final Topology topology;

        RuleBreaches(BoundRule bound) {
            this.bound = bound;
            this.rule = bound.rule();
            this.whose = bound.kind().inWords();
            this.counter = bound.counter();
            this.topology = counter.topology();
        }

        /**
         * @param fewest pods of a domain that counts for skew
         * @param most pods of such a domain
         */
        List<Breach> of(int fewest, int most) {
            List<Breach> all = new ArrayList<>();
            rule.maxPods().ifPresent(cap -> above(cap, Limit.MAX_PODS, "").ifPresent(all::add));
            rule.maxPercent().ifPresent(percent -> {
                long cap = (counter.total() * percent + 99) / 100;
                above(cap, Limit.MAX_PERCENT, ", " + cap + " of " + counter.total() + " at most")
                        .ifPresent(all::add);
            });
            rule.maxDomains().ifPresent(domains -> {
                if (counter.occupiedDomains() > domains) {
                    all.add(breach(Limit.MAX_DOMAINS, counter.occupiedDomains() + " have some"));
                }
            });
            unused().ifPresent(all::add);
            sharesOff().ifPresent(all::add);
            rule.maxSkew().ifPresent(skew -> {
                if (most - fewest > skew) {
                    all.add(breach(
                            Limit.MAX_SKEW,
                            "is " + (most - fewest) + ": from " + fewest + " to " + most + " of a domain"));
                }
            });
            return all;
        }

        private Optional<Breach> above(long cap, Limit limit, String more) {
            List<Integer> over = occupied(domain -> counter.sumOf(domain) > cap);
            return over.isEmpty() ? Optional.empty() : Optional.of(breach(limit, named(over) + more));
        }

        /** Of domains that must be used some have none, and others have more than they may before. */
        private Optional<Breach> unused() {
            List<String> missing = rule.mustUse().stream()
                    .filter(domain -> bound.podsIn(domain) == 0)
                    .toList();
            if (missing.isEmpty()) {
                return Optional.empty();
            }
            boolean noPlaceIsLeft = rule.maxDomains().isPresent()
                    && counter.occupiedDomains() + missing.size()
                            > rule.maxDomains().getAsInt();
            List<Integer> second = occupied(domain -> counter.sumOf(domain) > 1);
            return second.isEmpty() && !noPlaceIsLeft
                    ? Optional.empty()
                    : Optional.of(breach(
                            Limit.MUST_USE,
                            "without any: " + String.join(", ", missing)
                                    + (second.isEmpty() ? ", and no domain may be added" : "; " + named(second))));
        }

        /** Somebody has less than its share rounded down, or more than its share rounded up, or has some without a share. */
        private Optional<Breach> sharesOff() {
            List<DomainWeight> weights = rule.weights();
            if (weights.isEmpty()) {
                return Optional.empty();
            }
            long all = weights.stream()
                    .mapToLong(part -> bound.podsIn(part.domain()))
                    .sum();
            long sum = weights.stream().mapToLong(DomainWeight::weight).sum();
            List<String> off = new ArrayList<>();
            for (DomainWeight part : weights) {
                long share = all * part.weight();
                long pods = bound.podsIn(part.domain());
                if (pods < share / sum || pods > (share + sum - 1) / sum) {
                    off.add(part.domain() + " " + pods + " by weight " + part.weight() + " of " + sum);
                }
            }
            Set<String> weighted = weights.stream().map(DomainWeight::domain).collect(Collectors.toSet());
            occupied(domain -> !weighted.contains(topology.value(domain))).stream()
                    .limit(MOST_NAMED)
                    .forEach(domain ->
                            off.add(topology.value(domain) + " " + counter.sumOf(domain) + " without a weight"));
            return off.isEmpty()
                    ? Optional.empty()
                    : Optional.of(breach(
                            Limit.WEIGHTS,
                            off.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                                    + (off.size() > MOST_NAMED ? " and others" : "")));
        }

        /** The fullest first. */
        private List<Integer> occupied(IntPredicate wanted) {
            List<Integer> found = new ArrayList<>();
            counter.forEachOccupied(domain -> {
                if (wanted.test(domain)) {
                    found.add(domain);
                }
            });
            found.sort(Comparator.<Integer>comparingInt(domain -> -counter.sumOf(domain))
                    .thenComparing(topology::value));
            return found;
        }

        private String named(List<Integer> domains) {
            return domains.stream()
                            .limit(MOST_NAMED)
                            .map(domain -> topology.value(domain) + " has " + counter.sumOf(domain))
                            .collect(Collectors.joining(", "))
                    + (domains.size() > MOST_NAMED ? " and " + (domains.size() - MOST_NAMED) + " more" : "");
        }

        private Breach breach(Limit limit, String numbers) {
            return new Breach(
                    limit,
                    rule.topologyKey(),
                    RuleStatuses.words(limit, rule) + " over " + rule.topologyKey()
                            + (whose.isEmpty() ? "" : " for pods" + whose) + ": " + numbers);
        }
    }
}
