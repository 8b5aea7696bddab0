package io.evenkeel.policies;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.policies.PolicyReading.Contradiction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Contradictions that keep a policy's pods from being placed as it asks: of its rules over one label together, and of these
 * with rules of other policies that are about all of its pods.
 */
final class Contradictions {
    private final BoundPolicy policy;
    private final long waiting;
    private final List<Contradiction> found = new ArrayList<>();

    /** @param waiting of the pods that it is about, how many wait for a node */
    Contradictions(BoundPolicy policy, int waiting) {
        this.policy = policy;
        this.waiting = waiting;
    }

    /** Returns the contradictions without these policies, then those with each of them. */
    List<Contradiction> with(List<BoundPolicy> enclosing) {
        Map<String, List<BoundRule>> byKey = new LinkedHashMap<>();
        for (BoundRule rule : policy.rulesSharedByAllPods()) {
            byKey.computeIfAbsent(rule.rule().topologyKey(), _ -> new ArrayList<>())
                    .add(rule);
        }
        byKey.forEach((key, rules) -> {
            alone(key, rules);
            if (found.isEmpty()) {
                enclosing.forEach(outer -> together(key, rules, outer));
            }
        });
        return found;
    }

    private void alone(String key, List<BoundRule> rules) {
        DomainCounter counter = rules.getFirst().counter();
        CombinedRules own =
                new CombinedRules(rules.stream().map(BoundRule::rule).toList());
        own.mustUse().stream()
                .filter(domain -> !counter.topology().has(domain))
                .findFirst()
                .ifPresent(domain -> say("DomainWithoutNodes", "mustUse over " + key + ": no node is in " + domain));
        own.mustUse().stream()
                .filter(domain -> !own.isOpen(domain))
                .findFirst()
                .ifPresent(domain -> say(
                        "DomainWithoutWeight",
                        "mustUse over " + key + ": weights give " + domain + " none of the pods"));
        rules.forEach(rule -> weightsWithoutNodes(key, rule));
        if (counter.countedDomains() == 0) {
            say("DomainWithoutNodes", "no node has the label " + key);
            return;
        }
        if (own.domains(counter) == 0) {
            say("DomainWithoutNodes", "weights over " + key + ": no node is in a domain that has one");
            return;
        }
        if (areAllItsOwn()) {
            long pods = counter.total() + waiting;
            long room = own.room(counter, pods);
            if (room < pods) {
                say(
                        own.isByPercent(pods) ? "PercentTooSmall" : "CapTooSmall",
                        own.capInWords(pods) + " over " + key + ": room for " + room + " of " + pods + " pods in "
                                + own.domains(counter) + " domains");
            } else if (Math.min(pods, own.mustUse().size()) > own.mostDomains()) {
                say(
                        "RulesConflict",
                        "over " + key + ": mustUse has " + own.mustUse().size() + " domains, maxDomains is "
                                + own.mostDomains());
            } else {
                own.sharesConflict(counter, pods)
                        .ifPresent(words -> say("RulesConflict", "over " + key + ": " + words));
            }
        }
    }

    private void weightsWithoutNodes(String key, BoundRule rule) {
        List<DomainWeight> weights = rule.rule().weights();
        long pods = rule.counter().total() + waiting;
        long sum = weights.stream().mapToLong(DomainWeight::weight).sum();
        weights.stream()
                .filter(part -> !rule.topology().has(part.domain()) && pods * part.weight() >= sum)
                .findFirst()
                .ifPresent(part -> say(
                        "DomainWithoutNodes",
                        "weights over " + key + ": no node is in " + part.domain() + ", whose share of " + pods
                                + " pods is " + pods * part.weight() / sum));
    }

    /** A policy that counts pods of other namespaces does not say where those may be. */
    private boolean areAllItsOwn() {
        return !(policy.policy() instanceof PlacementPolicy own
                && !own.spec().namespaceSelector().matchesNothing());
    }

    private void together(String key, List<BoundRule> rules, BoundPolicy outer) {
        List<PolicyRule> others = outer.rulesSharedByAllPods().stream()
                .map(BoundRule::rule)
                .filter(rule -> rule.topologyKey().equals(key))
                .toList();
        if (others.isEmpty() || !found.isEmpty() || !areAllItsOwn()) {
            return;
        }
        DomainCounter counter = rules.getFirst().counter();
        CombinedRules own =
                new CombinedRules(rules.stream().map(BoundRule::rule).toList());
        CombinedRules theirs = new CombinedRules(others);
        CombinedRules both = own.and(theirs);
        long pods = counter.total() + waiting;
        own.mustUse().stream()
                .filter(domain -> !theirs.isOpen(domain))
                .findFirst()
                .ifPresent(domain -> conflict("mustUse over " + key + ": weights of " + outer.name() + " give " + domain
                        + " none of the pods"));
        int used = (int) Math.min(pods, own.mustUse().size());
        if (used > theirs.mostDomains()) {
            conflict("mustUse over " + key + ": " + used + " domains must be used, and maxDomains of " + outer.name()
                    + " is " + theirs.mostDomains());
        }
        both.sharesConflict(counter, pods)
                .ifPresent(words -> conflict("over " + key + ", with " + outer.name() + ": " + words));
        long room = both.roomByCaps(counter);
        if (room < pods) {
            conflict("over " + key + ": with " + outer.name() + " there is room for " + room + " of " + pods + " pods");
        }
    }

    private void conflict(String message) {
        if (found.isEmpty()) {
            say("PoliciesConflict", message);
        }
    }

    private void say(String reason, String message) {
        found.add(new Contradiction(reason, message));
    }

    /** Rules over one label that all hold for the same pods: how many of these there is room for. */
    private static final class CombinedRules {
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
            return weighted.map(domains -> (int)
                            domains.stream().filter(counter.topology()::has).count())
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
                    .map(gap -> "by weights " + gap.fullest() + " has " + gap.most() + " of " + shares.pods()
                            + " pods and " + gap.emptiest() + " " + gap.fewest() + ", maxSkew is " + maxSkew);
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
            return rules.stream()
                    .map(limit)
                    .flatMapToInt(OptionalInt::stream)
                    .min()
                    .orElse(Integer.MAX_VALUE);
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
                List<DomainWeight> there = weights.stream()
                        .filter(part -> some.test(part.domain()))
                        .toList();
                return there.stream()
                        .max(Comparator.comparingLong(this::atLeast))
                        .flatMap(full -> there.stream()
                                .min(Comparator.comparingLong(this::atMost))
                                .map(empty -> new Gap(full.domain(), atLeast(full), empty.domain(), atMost(empty))));
            }
        }
    }
}
