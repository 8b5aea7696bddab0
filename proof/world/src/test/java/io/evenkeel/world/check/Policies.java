package io.evenkeel.world.check;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Policies as they have been told, with what their statuses say of domains that are relaxed or remembered, and by the plainest
 * counting which of their limits a pod's place breaks.
 */
final class Policies {
    private final List<PlacementPolicy> policies;

    Policies(List<PlacementPolicy> policies) {
        this.policies = policies;
    }

    private List<PlacementPolicy> of(Pod pod) {
        return policies.stream()
                .filter(policy -> policy.meta().namespace().equals(pod.namespace())
                        && policy.spec().selector().matches(pod.labels()))
                .toList();
    }

    /** Whether others may have to be elsewhere for the pod to find a place. */
    boolean govern(Pod pod) {
        return !of(pod).isEmpty();
    }

    /**
     * What is wrong about the pod's place by the policies that are about it.
     *
     * @param places the nodes of all other pods
     * @param nodes all that there are
     * @param isOpen whether a node would take a pod by its affinity and tolerations
     */
    void wrongAbout(
            Pod pod,
            Node node,
            Map<Pod, Node> places,
            Iterable<Node> nodes,
            BiPredicate<Pod, Node> isOpen,
            List<String> wrong) {
        for (PlacementPolicy policy : of(pod)) {
            Map<Pod, Node> its = new HashMap<>(places);
            its.keySet()
                    .removeIf(other -> other.meta().terminating()
                            || !other.namespace().equals(pod.namespace())
                            || !policy.spec().selector().matches(other.labels()));
            for (PolicyRule rule : policy.spec().rules()) {
                Optional<String> domain = domain(rule, node);
                if (domain.isEmpty()) {
                    wrong.add("on a node without " + rule.topologyKey());
                } else {
                    String broken = broken(pod, policy, rule, domain.get(), its, nodes, isOpen);
                    if (!broken.isEmpty()) {
                        wrong.add(broken + " of " + policy.meta().name());
                    }
                }
            }
        }
    }

    private static Optional<String> domain(PolicyRule rule, Node node) {
        return Optional.of(node.labels().getOrDefault(rule.topologyKey(), "")).filter(value -> !value.isEmpty());
    }

    private static String broken(
            Pod pod,
            PlacementPolicy policy,
            PolicyRule rule,
            String here,
            Map<Pod, Node> its,
            Iterable<Node> nodes,
            BiPredicate<Pod, Node> isOpen) {
        Map<String, Integer> counts = new HashMap<>();
        its.values().forEach(node -> domain(rule, node).ifPresent(value -> counts.merge(value, 1, Integer::sum)));
        int withIt = counts.getOrDefault(here, 0) + 1;
        int all = counts.values().stream().mapToInt(Integer::intValue).sum() + 1;
        if (withIt > rule.maxPods().orElse(Integer.MAX_VALUE)) {
            return withIt + " pods against maxPods";
        }
        if (rule.maxPercent().isPresent() && withIt > (all * rule.maxPercent().getAsInt() + 99) / 100) {
            return withIt + " pods of " + all + " against maxPercent";
        }
        if (withIt == 1 && counts.size() >= rule.maxDomains().orElse(Integer.MAX_VALUE)) {
            return counts.size() + 1 + " domains against maxDomains";
        }
        return rule.maxSkew().isEmpty() ? "" : skewed(pod, policy, rule, here, its, nodes, isOpen);
    }

    /** Counted are the nodes that are open to the pod, and domains that are remembered; those that are relaxed are not waited for. */
    private static String skewed(
            Pod pod,
            PlacementPolicy policy,
            PolicyRule rule,
            String here,
            Map<Pod, Node> its,
            Iterable<Node> nodes,
            BiPredicate<Pod, Node> isOpen) {
        Map<String, Integer> open = new HashMap<>();
        for (Node node : nodes) {
            if (isOpen.test(pod, node)) {
                domain(rule, node).ifPresent(value -> open.putIfAbsent(value, 0));
            }
        }
        its.values().stream()
                .filter(node -> isOpen.test(pod, node))
                .forEach(node -> domain(rule, node).ifPresent(value -> open.merge(value, 1, Integer::sum)));
        Set<String> relaxed = new HashSet<>();
        policy.status().relaxed().stream()
                .filter(each -> rule.terms().relaxAfterSeconds().isPresent()
                        && each.topologyKey().equals(rule.topologyKey()))
                .forEach(each -> relaxed.add(each.domain()));
        Map<String, Integer> awaited = remembered(pod, policy, rule, its, nodes, open.keySet());
        awaited.putAll(open);
        int fewest = awaited.entrySet().stream()
                .filter(each -> !relaxed.contains(each.getKey()))
                .mapToInt(Map.Entry::getValue)
                .min()
                .orElseGet(() ->
                        open.values().stream().mapToInt(Integer::intValue).max().orElse(0));
        int skew = open.getOrDefault(here, 0) + 1 - fewest;
        return skew > rule.maxSkew().getAsInt() ? "skew " + skew + " of " + awaited + " against maxSkew" : "";
    }

    /** Domains in which no node is open to the pod, and which count nevertheless; one with nodes may be for other pods. */
    private static Map<String, Integer> remembered(
            Pod pod,
            PlacementPolicy policy,
            PolicyRule rule,
            Map<Pod, Node> its,
            Iterable<Node> nodes,
            Set<String> open) {
        Map<String, Integer> counts = new HashMap<>();
        if (rule.terms().rememberDomainsSeconds().isEmpty()) {
            return counts;
        }
        its.values().forEach(node -> domain(rule, node).ifPresent(value -> counts.merge(value, 1, Integer::sum)));
        Set<String> there = new HashSet<>();
        nodes.forEach(node -> domain(rule, node).ifPresent(there::add));
        Map<String, Integer> remembered = new HashMap<>();
        policy.status().remembered().stream()
                .filter(one -> one.topologyKey().equals(rule.topologyKey()) && !open.contains(one.domain()))
                .filter(one -> one.isGone() || !there.contains(one.domain()) || counts.containsKey(one.domain()))
                .filter(one -> mayGoTo(pod, rule.topologyKey(), one.domain()))
                .forEach(one -> remembered.put(one.domain(), counts.getOrDefault(one.domain(), 0)));
        return remembered;
    }

    /** By what the pod itself says. */
    private static boolean mayGoTo(Pod pod, String key, String domain) {
        return pod.spec().nodeSelector().getOrDefault(key, domain).equals(domain)
                && pod.spec()
                        .nodeAffinity()
                        .required()
                        .map(required -> required.allows(key, domain))
                        .orElse(true);
    }
}
