package io.evenkeel.policies.reading;

import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import java.util.List;

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
        String topologyKey, List<DomainPods> domains, int moreDomains, int fewest, int most, List<Breach> breaches) {

    public RuleReading {
        domains = List.copyOf(domains);
        breaches = List.copyOf(breaches);
    }

    public int skew() {
        return most - fewest;
    }
}
