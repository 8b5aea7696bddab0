package io.evenkeel.policies;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.Change.PolicyLimit.Field;
import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.policies.PolicyReading.Limit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Changes that let a pod onto a node that a policy turns it away from: the limit in the way, as far as it is a number, with as
 * much more as one pod takes there; or a label that the node lacks. Which domains must be used, and by which weights, is what the
 * policy is for, and left alone.
 */
final class PolicyRemedies {
    private final PolicyObject policy;
    private final RuleBounds bounds;
    private final PolicyRule rule;
    private final NodeInfo node;
    private final int domain;

    private PolicyRemedies(PolicyObject policy, RuleBounds bounds, NodeInfo node) {
        this.policy = policy;
        this.bounds = bounds;
        this.rule = bounds.bound().rule();
        this.node = node;
        this.domain = bounds.bound().topology().domainOf(LiveNode.idOf(node));
    }

    /** Returns changes for the first of the policies' rules that is broken; others come to light once it is kept. */
    static List<List<Change>> of(List<BoundPolicy> policies, PodInfo pod, NodeInfo node) {
        return policies.stream()
                .flatMap(policy -> policy.hardRules(pod.pod()).stream()
                        .map(bound -> new PolicyRemedies(policy.policy(), bound.bounds(pod.shape()), node))
                        .flatMap(remedies -> remedies.broken().stream().map(remedies::past)))
                .findFirst()
                .orElse(List.of());
    }

    private Optional<Limit> broken() {
        return bounds.brokenIn(domain);
    }

    private List<List<Change>> past(Limit limit) {
        return switch (limit) {
            case LABEL -> labels();
            case MAX_PODS -> more(Field.MAX_PODS, rule.maxPods(), bounds.podsIn(domain) + 1);
            case MAX_PERCENT -> more(Field.MAX_PERCENT, rule.maxPercent(), percent());
            case MAX_DOMAINS ->
                more(
                        Field.MAX_DOMAINS,
                        rule.maxDomains(),
                        bounds.bound().counter().occupiedDomains() + 1);
            case MAX_SKEW ->
                more(Field.MAX_SKEW, rule.maxSkew(), bounds.openPodsIn(domain) + 1 - bounds.fewestBySkew());
            case MUST_USE, WEIGHTS -> List.of();
        };
    }

    /** By so many of a hundred, one pod more is not more than the domain's share, rounded up. */
    private int percent() {
        long inAll = bounds.bound().counter().total() + 1L;
        int before = rule.maxPercent().orElse(100);
        return IntStream.rangeClosed(before, 100)
                .filter(percent -> (inAll * percent + 99) / 100 > bounds.podsIn(domain))
                .findFirst()
                .orElse(100);
    }

    private List<List<Change>> more(Field field, OptionalInt before, int limit) {
        PolicyLimit change = new PolicyLimit(
                policy.kindName(),
                policy.meta().key(),
                policy.spec().rules().indexOf(rule),
                rule.topologyKey(),
                field,
                before.orElse(0),
                limit);
        return change.size() > 0 ? List.of(List.of(change)) : List.of();
    }

    /** The label as a domain has it that would take the pod; a new one where there is none. */
    private List<List<Change>> labels() {
        var topology = bounds.bound().topology();
        String key = rule.topologyKey();
        Stream<NodeLabelled> open = IntStream.range(0, topology.end())
                .filter(one ->
                        topology.nodeCount(one) > 0 && bounds.brokenIn(one).isEmpty())
                .mapToObj(topology::value)
                .sorted()
                .limit(1)
                .map(value -> new NodeLabelled(node.name(), key, value));
        return Stream.concat(open, Stream.of(NodeLabelled.anew(node.name(), key)))
                .map(List::<Change>of)
                .toList();
    }
}
