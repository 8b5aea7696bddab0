package io.evenkeel.policies;

import io.evenkeel.api.Status;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.policies.PolicyReading.Limit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The words to users for a node that a rule turns away: made once, as pods come by the thousand. */
final class RuleStatuses {
    private final Map<Limit, Status> statuses = new EnumMap<>(Limit.class);
    private final Map<String, Status> awaiting = new HashMap<>();
    private final String skew;

    /** @param policy its kind and name */
    RuleStatuses(String policy, PolicyRule rule) {
        String over = " over " + rule.topologyKey() + ')';
        String opening = "node(s) didn't satisfy " + policy + " (";
        this.skew = opening + words(Limit.MAX_SKEW, rule) + " over " + rule.topologyKey();
        statuses.put(Limit.LABEL, Status.unresolvable(opening + "missing label " + rule.topologyKey() + ')'));
        for (Limit limit : Limit.values()) {
            statuses.computeIfAbsent(limit, _ -> Status.unschedulable(opening + words(limit, rule) + over));
        }
    }

    /** The limit as the policy has it. */
    static String words(Limit limit, PolicyRule rule) {
        OptionalInt number = switch (limit) {
            case MAX_PODS -> rule.maxPods();
            case MAX_PERCENT -> rule.maxPercent();
            case MAX_DOMAINS -> rule.maxDomains();
            case MAX_SKEW -> rule.maxSkew();
            case LABEL, MUST_USE, WEIGHTS -> OptionalInt.empty();
        };
        return limit.field() + (number.isPresent() ? " " + number.getAsInt() : "");
    }

    /** Returns the status for skew, where a known domain is waited for that has no node open to the pod. */
    Status awaiting(String domain, boolean hasNodes) {
        return awaiting.computeIfAbsent(
                domain + (hasNodes ? " has no node for it" : " has no nodes"),
                known -> Status.unschedulable(skew + ", known domain " + known + ')'));
    }

    Status of(Limit limit) {
        return statuses.getOrDefault(limit, Status.SUCCESS);
    }
}
