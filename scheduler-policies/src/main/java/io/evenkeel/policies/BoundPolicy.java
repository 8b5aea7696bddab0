package io.evenkeel.policies;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A policy with its rules bound to counts, from when it comes until it goes or changes. */
final class BoundPolicy {
    private final ClusterView cluster;
    private PolicyObject policy;
    private final String name;
    private final SelectorGroup group;
    private final Optional<String> fault;
    private final Optional<Status> refusal;
    private final List<RuleOfMany> rules;
    private final PodRules hardRules;
    private final PodRules softRules;
    private Optional<String> leftOut = Optional.empty();
    private long leavings;

    BoundPolicy(ClusterView cluster, PolicyObject policy) {
        this.cluster = cluster;
        this.policy = policy;
        this.name = policy.kindName() + " " + policy.meta().name();
        this.group = cluster.selectors().acquire(RuleOfMany.pods(policy.spec(), List.of(match(policy))));
        this.fault = PolicyFaults.in(policy);
        this.refusal = fault.map(problem -> Status.unresolvable(name + ": " + problem));
        this.rules = fault.isPresent()
                ? List.of()
                : policy.spec().rules().stream()
                        .map(rule -> new RuleOfMany(cluster, name, policy, rule, match(policy)))
                        .toList();
        this.hardRules =
                new PodRules(rules.stream().filter(one -> one.rule().isHard()).toList());
        this.softRules =
                new PodRules(rules.stream().filter(one -> !one.rule().isHard()).toList());
    }

    void release() {
        rules.forEach(RuleOfMany::release);
        cluster.selectors().release(group);
    }

    private static PodMatch match(PolicyObject policy) {
        LabelSelector namespaces = policy.spec().namespaceSelector();
        List<String> own =
                policy instanceof PlacementPolicy ? List.of(policy.meta().namespace()) : List.of();
        return new PodMatch(new NamespaceScope(own, namespaces), policy.spec().selector());
    }

    PolicyObject policy() {
        return policy;
    }

    /** It is of the same spec, and something else is said of it. */
    void saysNow(PolicyObject same) {
        policy = same;
        rules.forEach(rule -> rule.follow(same.status()));
    }

    /** Others hold for the pod. */
    void leaveOut(Pod pod) {
        if (leftOut.isEmpty()) {
            leftOut = Optional.of(pod.key());
            leavings++;
        }
    }

    void leaveOutNobody() {
        leavings += leftOut.isPresent() ? 1 : 0;
        leftOut = Optional.empty();
    }

    /** A pod that it is about and that it does not hold for, as others do that come first. */
    Optional<String> leftOut() {
        return leftOut;
    }

    /** Grows whenever there is another such pod, or none. */
    long leavings() {
        return leavings;
    }

    /** Its kind and name. */
    String name() {
        return name;
    }

    /** Says which pods it is about, and which it counts. */
    String inWords() {
        String pods = selected("pods", policy.spec().selector());
        String namespaces = selected("namespaces", policy.spec().namespaceSelector());
        return switch (policy) {
            case PlacementPolicy own ->
                pods + " of namespace " + own.meta().namespace()
                        + (own.spec().namespaceSelector().matchesNothing()
                                ? ""
                                : ", and counts those of " + namespaces);
            case ClusterPlacementPolicy wide ->
                pods + " of " + namespaces
                        + switch (wide.spec().countNamespaces()) {
                            case TOGETHER -> ", which count together";
                            case SEPARATELY -> ", each of which counts for itself";
                        };
        };
    }

    private static String selected(String what, LabelSelector selector) {
        return selector.matchesEverything() ? "all " + what : what + " with " + SelectorText.of(selector);
    }

    /** Why it cannot be kept: the field and the reason. */
    Optional<String> fault() {
        return fault;
    }

    /** Returns the status of its pods where it cannot be kept. */
    Optional<Status> refusal() {
        return refusal;
    }

    boolean hasHardRules() {
        return !hardRules.rules.isEmpty();
    }

    boolean hasSoftRules() {
        return !softRules.rules.isEmpty();
    }

    /** Returns the rules that a node must keep, with their counts for this pod; to be used before they are asked for again. */
    List<BoundRule> hardRules(Pod pod) {
        return hardRules.of(pod);
    }

    /** Returns the rules by which nodes are preferred, in the same way. */
    List<BoundRule> softRules(Pod pod) {
        return softRules.of(pod);
    }

    /** Whether there are domains for which its pods need not wait. */
    boolean isRelaxed() {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).isRelaxed()) {
                return true;
            }
        }
        return false;
    }

    /** The rules with all of their counts. */
    List<RuleOfMany> rules() {
        return rules;
    }

    /** Returns the rules that each of the pods has to keep together with all others, whichever it is. */
    List<BoundRule> rulesSharedByAllPods() {
        return rules.stream()
                .filter(rule -> rule.rule().isHard() && !rule.tellsPodsApart())
                .map(RuleOfMany::ofAll)
                .toList();
    }

    /** The pods that are counted, with the pods that it is about among them. */
    SelectorGroup group() {
        return group;
    }

    /** Whether it is about the pod: a namespaced policy is about pods of its namespace, wherever else it counts. */
    boolean governs(Pod pod) {
        return switch (policy) {
            case PlacementPolicy own ->
                own.meta().namespace().equals(pod.namespace())
                        && own.spec().selector().matches(pod.labels());
            case ClusterPlacementPolicy _ -> cluster.selectors().selects(group.key(), pod.namespace(), pod.labels());
        };
    }

    /** Rules with what they count for a pod: the same for all pods, where none tells pods apart. */
    private static final class PodRules {
        private final List<RuleOfMany> rules;
        private final boolean tellPodsApart;
        private final List<BoundRule> ofAll;

        PodRules(List<RuleOfMany> rules) {
            this.rules = rules;
            this.tellPodsApart = rules.stream().anyMatch(RuleOfMany::tellsPodsApart);
            this.ofAll = tellPodsApart
                    ? List.of()
                    : rules.stream().map(RuleOfMany::ofAll).toList();
        }

        List<BoundRule> of(Pod pod) {
            if (!tellPodsApart) {
                return ofAll;
            }
            List<BoundRule> ofPod = new ArrayList<>(rules.size());
            for (int i = 0; i < rules.size(); i++) {
                ofPod.add(rules.get(i).of(pod));
            }
            return ofPod;
        }
    }
}
