package io.evenkeel.policies;

import io.evenkeel.model.policy.PolicyStatus.DomainPods;
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

    /**
     * The distribution over the domains of a rule.
     *
     * @param domains that have nodes, the fullest first
     * @param moreDomains that are not among these
     * @param fewest pods of a domain that counts for skew
     * @param most pods of such a domain
     * @param breaches of its limits, in the order of the limits
     */
    public record RuleReading(
            String topologyKey,
            List<DomainPods> domains,
            int moreDomains,
            int fewest,
            int most,
            List<Breach> breaches) {

        public RuleReading {
            domains = List.copyOf(domains);
            breaches = List.copyOf(breaches);
        }

        public int skew() {
            return most - fewest;
        }
    }

    /**
     * A limit that pods on nodes break.
     *
     * @param message which limit over which label, in which domains, by how much
     */
    public record Breach(Limit limit, String topologyKey, String message) {}

    /**
     * Why the pods of a policy cannot all be placed as it asks, whatever becomes of them: for certain, not by a guess.
     *
     * @param reason as a condition has it
     */
    public record Contradiction(String reason, String message) {}

    /** The limits of a rule that a domain can fail, in the order in which they are asked. */
    public enum Limit {
        LABEL("topologyKey", ""),
        MAX_PODS("maxPods", "CapExceeded"),
        MAX_PERCENT("maxPercent", "PercentExceeded"),
        MAX_DOMAINS("maxDomains", "TooManyDomains"),
        MUST_USE("mustUse", "DomainUnused"),
        WEIGHTS("weights", "SharesOff"),
        MAX_SKEW("maxSkew", "SkewExceeded");

        private final String field;
        private final String reason;

        Limit(String field, String reason) {
            this.field = field;
            this.reason = reason;
        }

        /** The field of a rule that sets it. */
        public String field() {
            return field;
        }

        /** Returns the reason of its breach in a condition; no pod on a node lacks the label. */
        public String reason() {
            return reason;
        }
    }
}
