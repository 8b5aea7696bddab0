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

    /**
     * How the limits of a rule are meant.
     *
     * @param whenUnsatisfiable whether a pod waits where no node keeps them, or the nodes that keep them best go before all others
     * @param matchLabelKeys labels by which the pods are told apart: one counts only pods that have the same values as itself
     * @param knownDomains domains that there are, even while no node is in them
     * @param relaxAfterSeconds after which a pod that waits need not wait any longer for domains in which nothing has room for it;
     *     empty where it waits for ever
     * @param rememberDomainsSeconds for how long a domain counts as known after the last node went that was open to the policy's pods;
     *     empty where it is forgotten at once
     */
    public record RuleTerms(
            WhenUnsatisfiable whenUnsatisfiable,
            List<String> matchLabelKeys,
            List<String> knownDomains,
            OptionalInt relaxAfterSeconds,
            OptionalInt rememberDomainsSeconds) {
        public static final RuleTerms STRICT = new RuleTerms(
                WhenUnsatisfiable.DO_NOT_SCHEDULE, List.of(), List.of(), OptionalInt.empty(), OptionalInt.empty());

        public RuleTerms {
            matchLabelKeys = List.copyOf(matchLabelKeys);
            knownDomains = List.copyOf(knownDomains);
        }

        public RuleTerms whenUnsatisfiable(WhenUnsatisfiable action) {
            return new RuleTerms(action, matchLabelKeys, knownDomains, relaxAfterSeconds, rememberDomainsSeconds);
        }

        public RuleTerms matching(List<String> labelKeys) {
            return new RuleTerms(whenUnsatisfiable, labelKeys, knownDomains, relaxAfterSeconds, rememberDomainsSeconds);
        }

        public RuleTerms knowing(List<String> domains) {
            return new RuleTerms(whenUnsatisfiable, matchLabelKeys, domains, relaxAfterSeconds, rememberDomainsSeconds);
        }

        public RuleTerms relaxedAfter(int seconds) {
            return new RuleTerms(
                    whenUnsatisfiable, matchLabelKeys, knownDomains, OptionalInt.of(seconds), rememberDomainsSeconds);
        }

        public RuleTerms remembering(int seconds) {
            return new RuleTerms(
                    whenUnsatisfiable, matchLabelKeys, knownDomains, relaxAfterSeconds, OptionalInt.of(seconds));
        }
    }
}
