package io.evenkeel.policies;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Rules over one label that all hold for the same pods: how many of these there is room for. */
final class CombinedRules {
    private final List<PolicyRule> rules;
    /** The domains that have a weight in each rule with weights; none where there is no such rule. */
    private final Optional<Set<String>> weighted;

    CombinedRules(List<PolicyRule> rules) {
        this.rules = rules;
        this.weighted = rules.stream()
                .filter(rule -> !rule.weights().isEmpty())
                .map(CombinedRules::weighted)
                .reduce((some, others) -> {
                    some.retainAll(others);
                    return some;
                });
    }

    private static Set<String> weighted(PolicyRule rule) {
        return rule.weights().stream()
                .filter(part -> part.weight() > 0)
                .map(DomainWeight::domain)
                .collect(Collectors.toCollection(HashSet::new));
    }

    CombinedRules and(CombinedRules others) {
        List<PolicyRule> all = new ArrayList<>(rules);
        all.addAll(others.rules);
        return new CombinedRules(all);
    }

    Set<String> mustUse() {
        Set<String> all = new LinkedHashSet<>();
        rules.forEach(rule -> all.addAll(rule.mustUse()));
        return all;
    }

    /** Whether no weights keep pods away from the domain. */
    boolean isOpen(String domain) {
        return weighted.map(domains -> domains.contains(domain)).orElse(true);
    }

    int mostDomains() {
        return least(PolicyRule::maxDomains);
    }

    /** How many of the domains with nodes may have pods. */
    int domains(DomainCounter counter) {
        return Math.min(mostDomains(), openDomains(counter));
    }

    private int openDomains(DomainCounter counter) {
        return weighted.map(domains ->
                        (int) domains.stream().filter(counter.topology()::has).count())
                .orElseGet(counter::countedDomains);
    }

    /** Which limit the shares of so many pods break by themselves, in words. */
    Optional<String> sharesConflict(DomainCounter counter, long pods) {
        return rules.stream()
                .filter(rule -> !rule.weights().isEmpty())
                .flatMap(rule -> sharesConflict(new Shares(rule.weights(), pods), counter).stream())
                .findFirst();
    }

    private Optional<String> sharesConflict(Shares shares, DomainCounter counter) {
        if (shares.needed() > mostDomains()) {
            return Optional.of("by weights " + shares.needed() + " domains have some of " + shares.pods()
                    + " pods, maxDomains is " + mostDomains());
        }
        int maxSkew = least(PolicyRule::maxSkew);
        return shares.widest(counter.topology()::has)
                .filter(gap -> gap.most() - gap.fewest() > maxSkew)
                .map(gap -> "by weights " + gap.fullest() + " has " + gap.most() + " of " + shares.pods() + " pods and "
                        + gap.emptiest() + " " + gap.fewest() + ", maxSkew is " + maxSkew);
    }

    /** For how many pods there is room, if there are so many in all. */
    long room(DomainCounter counter, long pods) {
        return times(domains(counter), Math.min(least(PolicyRule::maxPods), byPercent(pods)));
    }

    /** Returns the room without regard to percentages, which are of other pods too where policies are about others. */
    long roomByCaps(DomainCounter counter) {
        return times(domains(counter), least(PolicyRule::maxPods));
    }

    private static long times(int domains, long cap) {
        return cap == Integer.MAX_VALUE && domains > 0 ? Long.MAX_VALUE : domains * cap;
    }

    private long byPercent(long pods) {
        int percent = least(PolicyRule::maxPercent);
        return percent > 100 ? Integer.MAX_VALUE : Math.min(Integer.MAX_VALUE, (pods * percent + 99) / 100);
    }

    boolean isByPercent(long pods) {
        return byPercent(pods) < least(PolicyRule::maxPods);
    }

    /** The cap that leaves less room. */
    String capInWords(long pods) {
        if (isByPercent(pods)) {
            return "maxPercent " + least(PolicyRule::maxPercent);
        }
        return "maxPods " + least(PolicyRule::maxPods);
    }

    private int least(Function<PolicyRule, OptionalInt> limit) {
        return rules.stream().map(limit).flatMapToInt(OptionalInt::stream).min().orElse(Integer.MAX_VALUE);
    }

    /** The shares that weights fix: each gets at least its share of so many pods rounded down, at most it rounded up. */
    private record Shares(List<DomainWeight> weights, long pods) {

        /** The domains with shares that are farthest apart, at their nearest. */
        record Gap(String fullest, long most, String emptiest, long fewest) {}

        private long sum() {
            return weights.stream().mapToLong(DomainWeight::weight).sum();
        }

        private long atLeast(DomainWeight part) {
            return pods * part.weight() / sum();
        }

        private long atMost(DomainWeight part) {
            return (pods * part.weight() + sum() - 1) / sum();
        }

        /** How many domains have pods for certain. */
        long needed() {
            return weights.stream().filter(part -> atLeast(part) > 0).count();
        }

        /** Of these domains. */
        Optional<Gap> widest(Predicate<String> some) {
            List<DomainWeight> there =
                    weights.stream().filter(part -> some.test(part.domain())).toList();
            return there.stream()
                    .max(Comparator.comparingLong(this::atLeast))
                    .flatMap(full -> there.stream()
                            .min(Comparator.comparingLong(this::atMost))
                            .map(empty -> new Gap(full.domain(), atLeast(full), empty.domain(), atMost(empty))));
        }
    }
}
