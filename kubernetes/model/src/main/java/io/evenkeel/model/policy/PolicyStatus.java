package io.evenkeel.model.policy;

import java.util.List;
import java.util.Optional;

/**
 * How a policy's pods are distributed, and what is to be said of that.
 *
 * @param observedGeneration the policy's generation that it speaks of; 0 where unknown
 * @param pods of the policy on nodes
 * @param waiting how many of the pods that it is about wait for a node
 * @param rules in their order
 * @param relaxed domains for which pods need not wait: pods are placed by that and the following, all else is for people
 * @param remembered domains that count even without nodes
 */
public record PolicyStatus(
        long observedGeneration,
        long pods,
        int waiting,
        List<RuleStatus> rules,
        List<RelaxedDomain> relaxed,
        List<RememberedDomain> remembered,
        List<PolicyCondition> conditions) {
    /** Pods are placed by so many relaxed, and so many remembered domains: more are only ever written by hand. */
    public static final int MOST_DOMAINS = 100;

    public static final PolicyStatus NONE = new PolicyStatus(0, 0, 0, List.of(), List.of(), List.of(), List.of());

    public PolicyStatus {
        rules = List.copyOf(rules);
        relaxed = first(relaxed);
        remembered = first(remembered);
        conditions = List.copyOf(conditions);
    }

    private static <T> List<T> first(List<T> domains) {
        return List.copyOf(domains.subList(0, Math.min(domains.size(), MOST_DOMAINS)));
    }

    /** Whether pods are placed by it as by that one. */
    public boolean placesPodsAs(PolicyStatus other) {
        return relaxed.equals(other.relaxed) && remembered.equals(other.remembered);
    }

    public Optional<PolicyCondition> condition(String type) {
        return conditions.stream().filter(one -> one.type().equals(type)).findFirst();
    }

    /**
     * The distribution over the domains of a rule.
     *
     * @param domains the fullest first
     * @param moreDomains that are not among these
     * @param fewest pods of a domain that counts
     * @param most pods of a domain
     */
    public record RuleStatus(
            String topologyKey, List<DomainPods> domains, int moreDomains, int fewest, int most, int skew) {

        public RuleStatus {
            domains = List.copyOf(domains);
        }
    }

    public record DomainPods(String domain, int pods) {}

    /**
     * A domain for which pods need not wait: the policy's status says so while nothing there has room for them.
     *
     * @param reason a word for why, such as NoRoom
     * @param since when that was found, as RFC 3339 has it
     */
    public record RelaxedDomain(String topologyKey, String domain, String reason, String since) {}

    /**
     * A domain that counts for skew though no node may be open there any more: the policy's status says so until it is forgotten.
     *
     * @param goneSince when no node there was found to be open to the policy's pods, as RFC 3339 has it; empty while one is
     */
    public record RememberedDomain(String topologyKey, String domain, String goneSince) {

        /** Whether the last reading found no open node there. */
        public boolean isGone() {
            return !goneSince.isEmpty();
        }
    }

    /**
     * A condition of a policy.
     *
     * @param type such as Satisfied
     * @param status True, False or Unknown
     * @param observedGeneration the policy's generation that it speaks of; 0 where unknown
     * @param lastTransitionTime when the status last changed, as the API writes it; empty where unknown
     */
    public record PolicyCondition(
            String type,
            String status,
            long observedGeneration,
            String lastTransitionTime,
            String reason,
            String message) {

        public boolean isFalse() {
            return status.equals("False");
        }
    }
}
