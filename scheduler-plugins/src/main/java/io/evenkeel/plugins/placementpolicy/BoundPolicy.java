package io.evenkeel.plugins.placementpolicy;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.PodMatch;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.Optional;

/** A policy with its rules bound to counts, from when it comes until it goes or changes. */
final class BoundPolicy {
    private final ClusterView cluster;
    private final PolicyObject policy;
    private final String name;
    private final SelectorGroup group;
    private final Optional<Status> fault;
    private final List<BoundRule> rules;
    private final List<BoundRule> hardRules;
    private final List<BoundRule> softRules;

    BoundPolicy(ClusterView cluster, PolicyObject policy) {
        this.cluster = cluster;
        this.policy = policy;
        this.name = policy.kindName() + " " + policy.meta().name();
        this.group = cluster.selectors().acquire(new SelectorGroup.Key(List.of(pods(policy)), false));
        this.fault = PolicyFaults.in(policy.spec()).map(problem -> Status.unresolvable(name + ": " + problem));
        this.rules = fault.isPresent()
                ? List.of()
                : policy.spec().rules().stream()
                        .map(rule -> new BoundRule(cluster, name, rule, group))
                        .toList();
        this.hardRules = rules.stream().filter(bound -> bound.rule().isHard()).toList();
        this.softRules = rules.stream().filter(bound -> !bound.rule().isHard()).toList();
    }

    void release() {
        rules.forEach(BoundRule::release);
        cluster.selectors().release(group);
    }

    /** The pods that are counted. */
    private static PodMatch pods(PolicyObject policy) {
        LabelSelector namespaces = policy.spec().namespaceSelector();
        List<String> own =
                policy instanceof PlacementPolicy ? List.of(policy.meta().namespace()) : List.of();
        return new PodMatch(new NamespaceScope(own, namespaces), policy.spec().selector());
    }

    PolicyObject policy() {
        return policy;
    }

    /** Its kind and name. */
    String name() {
        return name;
    }

    /** Why it cannot be kept. */
    Optional<Status> fault() {
        return fault;
    }

    List<BoundRule> rules() {
        return rules;
    }

    /** Those without whose limits a node is no choice. */
    List<BoundRule> hardRules() {
        return hardRules;
    }

    /** Those by which nodes are preferred. */
    List<BoundRule> softRules() {
        return softRules;
    }

    /** The pods that are counted, those that it is about among them. */
    SelectorGroup group() {
        return group;
    }

    /** Whether it is about the pod: those of a namespaced policy are of its namespace, wherever else it counts. */
    boolean governs(Pod pod) {
        return switch (policy) {
            case PlacementPolicy own ->
                own.meta().namespace().equals(pod.namespace())
                        && own.spec().selector().matches(pod.labels());
            case ClusterPlacementPolicy _ -> cluster.selectors().selects(group.key(), pod.namespace(), pod.labels());
        };
    }
}
