package io.evenkeel.policies.reading;

import java.util.List;

/**
 * A policy as it is kept at the moment.
 *
 * @param pods on nodes
 * @param waiting how many of the pods that it is about wait for a node
 * @param rules in their order; none of a policy that cannot be read
 * @param contradictions that keep its pods from being placed as it asks
 */
public record PolicyReading(long pods, int waiting, List<RuleReading> rules, List<Contradiction> contradictions) {
    public PolicyReading {
        rules = List.copyOf(rules);
        contradictions = List.copyOf(contradictions);
    }

    /** Of all rules. */
    public List<Breach> breaches() {
        return rules.stream().flatMap(rule -> rule.breaches().stream()).toList();
    }
}
