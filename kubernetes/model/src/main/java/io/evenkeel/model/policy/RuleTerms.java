package io.evenkeel.model.policy;

import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import java.util.List;
import java.util.OptionalInt;

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
