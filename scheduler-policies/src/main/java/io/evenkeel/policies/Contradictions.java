package io.evenkeel.policies;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.policies.PolicyReading.Contradiction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        for (BoundRule rule : policy.rulesOfAll()) {
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
        List<PolicyRule> others = outer.rulesOfAll().stream()
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
}
