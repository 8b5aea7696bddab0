package io.evenkeel.model.policy;

import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import java.util.List;
import java.util.OptionalInt;

/**
 * Limits of how a policy's pods may be distributed over the domains of a label of nodes. What is absent limits nothing.
 *
 * @param terms how the limits are meant
 * @param maxPods how many of the pods a domain may have
 * @param maxPercent how many of a hundred of them a domain may have, rounded up
 * @param maxDomains how many domains may have any
 * @param maxSkew how many more a domain may have than the one with the fewest; of the domains that may have any
 * @param mustUse domains that each have a pod before another has a second one
 * @param weights by which the pods are apportioned to the domains; those without one get none
 */
public record PolicyRule(
        String topologyKey,
        RuleTerms terms,
        OptionalInt maxPods,
        OptionalInt maxPercent,
        OptionalInt maxDomains,
        OptionalInt maxSkew,
        List<String> mustUse,
        List<DomainWeight> weights) {

    public PolicyRule {
        mustUse = List.copyOf(mustUse);
        weights = List.copyOf(weights);
    }

    /** One that limits nothing yet. */
    public static PolicyRule over(String topologyKey) {
        OptionalInt absent = OptionalInt.empty();
        return new PolicyRule(topologyKey, RuleTerms.STRICT, absent, absent, absent, absent, List.of(), List.of());
    }

    public PolicyRule withMaxPods(int pods) {
        return new PolicyRule(
                topologyKey, terms, OptionalInt.of(pods), maxPercent, maxDomains, maxSkew, mustUse, weights);
    }

    public PolicyRule withMaxPercent(int percent) {
        return new PolicyRule(
                topologyKey, terms, maxPods, OptionalInt.of(percent), maxDomains, maxSkew, mustUse, weights);
    }

    public PolicyRule withMaxDomains(int domains) {
        return new PolicyRule(
                topologyKey, terms, maxPods, maxPercent, OptionalInt.of(domains), maxSkew, mustUse, weights);
    }

    public PolicyRule withMaxSkew(int skew) {
        return new PolicyRule(
                topologyKey, terms, maxPods, maxPercent, maxDomains, OptionalInt.of(skew), mustUse, weights);
    }

    public PolicyRule using(List<String> domains) {
        return new PolicyRule(topologyKey, terms, maxPods, maxPercent, maxDomains, maxSkew, domains, weights);
    }

    public PolicyRule weighing(List<DomainWeight> parts) {
        return new PolicyRule(topologyKey, terms, maxPods, maxPercent, maxDomains, maxSkew, mustUse, parts);
    }

    public PolicyRule on(RuleTerms other) {
        return new PolicyRule(topologyKey, other, maxPods, maxPercent, maxDomains, maxSkew, mustUse, weights);
    }

    /** Whether nodes that break it are no choice for a pod. */
    public boolean isHard() {
        return terms.whenUnsatisfiable() == WhenUnsatisfiable.DO_NOT_SCHEDULE;
    }

    /** Whether it says nothing of how the pods are distributed. */
    public boolean limitsNothing() {
        return equals(over(topologyKey).on(terms));
    }

    /** Which part of a policy's pods a domain gets: its weight of the sum of all weights. */
    public record DomainWeight(String domain, int weight) {}
}
