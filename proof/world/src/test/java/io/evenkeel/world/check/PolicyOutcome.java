package io.evenkeel.world.check;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What has to be true in the end of what the leader says of policies: each status is of the policy as it is, and counts right. */
final class PolicyOutcome {
    private final List<Pod> pods;
    private final Map<String, Node> nodes = new HashMap<>();

    /** @param pods all that have not run to their end */
    PolicyOutcome(List<Pod> pods, List<Node> nodes) {
        this.pods = pods;
        nodes.forEach(node -> this.nodes.put(node.name(), node));
    }

    void isSaidRightly(PlacementPolicy policy) {
        PolicyStatus said = policy.status();
        List<Node> places = pods.stream()
                .filter(pod -> pod.isPlaced()
                        && !pod.meta().terminating()
                        && pod.namespace().equals(policy.meta().namespace())
                        && policy.spec().selector().matches(pod.labels()))
                .flatMap(pod -> Optional.ofNullable(nodes.get(pod.spec().nodeName())).stream())
                .toList();
        same(policy, "the generation", policy.meta().generation(), said.observedGeneration());
        same(policy, "the pods", (long) places.size(), said.pods());
        List<PolicyRule> rules = policy.spec().rules();
        same(policy, "the rules", rules.size(), said.rules().size());
        for (int at = 0; at < rules.size(); at++) {
            PolicyStatus.RuleStatus status = said.rules().get(at);
            if (status.moreDomains() == 0) {
                same(policy, "the domains", domains(rules.get(at), places), domains(status));
            }
        }
        boolean yields =
                rules.stream().anyMatch(rule -> rule.terms().relaxAfterSeconds().isPresent());
        if (!yields && !said.relaxed().isEmpty()) {
            throw new Violation(
                    policy.meta().key() + " yields to nothing, and is said to be relaxed: " + said.relaxed());
        }
        boolean remembers = rules.stream()
                .anyMatch(rule -> rule.terms().rememberDomainsSeconds().isPresent());
        if (!remembers && !said.remembered().isEmpty()) {
            throw new Violation(policy.meta().key() + " remembers nothing, and is said to: " + said.remembered());
        }
    }

    private static Map<String, Integer> domains(PolicyRule rule, List<Node> places) {
        Map<String, Integer> domains = new TreeMap<>();
        places.forEach(node -> {
            String domain = node.labels().getOrDefault(rule.topologyKey(), "");
            if (!domain.isEmpty()) {
                domains.merge(domain, 1, Integer::sum);
            }
        });
        return domains;
    }

    /** Those with pods. */
    private static Map<String, Integer> domains(PolicyStatus.RuleStatus status) {
        Map<String, Integer> domains = new TreeMap<>();
        status.domains().stream()
                .filter(each -> each.pods() > 0)
                .forEach(each -> domains.put(each.domain(), each.pods()));
        return domains;
    }

    private static void same(PlacementPolicy policy, String what, Object expected, Object said) {
        if (!expected.equals(said)) {
            throw new Violation(
                    what + " of " + policy.meta().key() + ": said is " + said + ", where it is " + expected);
        }
    }
}
