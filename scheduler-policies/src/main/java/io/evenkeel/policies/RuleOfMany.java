package io.evenkeel.policies;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Pod.Departure;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.LeavingPods;
import io.evenkeel.model.policy.PolicySpec.NamespaceCounting;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A rule with the counts of all its policy's pods or, where pods are told apart by labels or by namespace, with those of each of the
 * kinds of pods that were asked about.
 *
 * <pre>{@code
 * matchLabelKeys: [pod-template-hash]      counts
 * a pod of revision 7f, first              pods of 7f, from now on
 * a pod of revision 7f, second             the same
 * a pod of revision 9c, first              pods of 9c, too
 * }</pre>
 */
final class RuleOfMany {
    /** As of a default for a thousand namespaces; the counts asked about longest ago are made again when a pod needs them. */
    private static final int MOST_KINDS = 1_024;

    private final ClusterView cluster;
    private final String policyName;
    private final PolicySpec policy;
    private final PolicyRule rule;
    private final PodMatch all;
    private final Map<PodKind, BoundRule> kinds = new LinkedHashMap<>(16, 0.75f, true);
    /** Has its labels tell pods apart in all counts, for as long as it is there. */
    private final Optional<SelectorGroup> telling;

    private BoundRule.Said said;

    /**
     * @param policyName its kind and name
     * @param all the pods that the policy counts
     */
    RuleOfMany(ClusterView cluster, String policyName, PolicyObject policy, PolicyRule rule, PodMatch all) {
        this.cluster = cluster;
        this.policyName = policyName;
        this.policy = policy.spec();
        this.rule = rule;
        this.all = all;
        this.said = BoundRule.Said.of(rule, policy.status());
        this.telling = rule.terms().matchLabelKeys().isEmpty() ? Optional.empty() : Optional.of(acquireTelling());
    }

    private SelectorGroup acquireTelling() {
        List<LabelRequirement> keys = rule.terms().matchLabelKeys().stream()
                .map(key -> new LabelRequirement(key, Operator.EXISTS, List.of()))
                .toList();
        return cluster.selectors()
                .acquire(pods(
                        policy, List.of(new PodMatch(all.scope(), all.selector().and(keys)))));
    }

    /** From now on pods are placed by what this says of domains. */
    void follow(PolicyStatus status) {
        said = BoundRule.Said.of(rule, status);
        kinds.values().forEach(kind -> kind.follow(said));
    }

    void release() {
        kinds.values().forEach(this::release);
        kinds.clear();
        telling.ifPresent(cluster.selectors()::release);
    }

    private void release(BoundRule bound) {
        bound.release();
        cluster.selectors().release(bound.group());
    }

    PolicyRule rule() {
        return rule;
    }

    boolean tellsPodsApart() {
        return countsSeparately() || !rule.terms().matchLabelKeys().isEmpty();
    }

    private boolean countsSeparately() {
        return policy.countNamespaces() == NamespaceCounting.SEPARATELY;
    }

    BoundRule ofAll() {
        return of(PodKind.ALL);
    }

    /** With the counts for this pod; a key that it does not have tells it apart from no other. */
    BoundRule of(Pod pod) {
        return of(kindOf(pod));
    }

    private BoundRule of(PodKind kind) {
        BoundRule known = kinds.get(kind);
        if (known != null) {
            return known;
        }
        if (kinds.size() == MOST_KINDS) {
            var eldest = kinds.entrySet().iterator();
            release(eldest.next().getValue());
            eldest.remove();
        }
        SelectorGroup.Key pods = pods(policy, matches(kind));
        BoundRule bound = new BoundRule(
                cluster,
                policyName,
                policy.leavingPods(),
                rule,
                kind,
                cluster.selectors().acquire(pods));
        bound.follow(said);
        kinds.put(kind, bound);
        return bound;
    }

    /** The narrowest first. A namespace need not be selected for as long as it is counted. */
    private List<PodMatch> matches(PodKind kind) {
        LabelSelector selector = all.selector().and(kind.labels());
        return kind.namespace()
                .map(own -> List.of(new PodMatch(NamespaceScope.only(own), selector), all))
                .orElseGet(() -> List.of(new PodMatch(all.scope(), selector)));
    }

    /**
     * With the counts of each kind that pods on nodes are of, which have to keep it together: of pods that others placed, or that were
     * there before this scheduler began, none was asked about. Kinds without pods make room for them.
     */
    List<BoundRule> kindsOnNodes() {
        if (!tellsPodsApart()) {
            return List.of(ofAll());
        }
        Set<PodKind> there = new LinkedHashSet<>();
        for (int row : cluster.selectors().samplesOf(ofAll().group())) {
            if (there.size() < MOST_KINDS - 1) {
                there.add(kindOf(cluster.pods().pod(row)));
            }
        }
        if (kinds.size() > MOST_KINDS / 2) {
            List<PodKind> gone = kinds.keySet().stream()
                    .filter(kind -> !there.contains(kind) && !kind.equals(PodKind.ALL))
                    .toList();
            gone.forEach(kind -> Optional.ofNullable(kinds.remove(kind)).ifPresent(this::release));
        }
        return there.stream().map(this::of).toList();
    }

    /** How many domains all known kinds have, roughly. */
    long size() {
        return (long) kinds.size() * ofAll().topology().end();
    }

    /** Whether there are domains for which pods need not wait. */
    boolean isRelaxed() {
        return rule.isHard() && rule.maxSkew().isPresent() && !said.relaxed().isEmpty();
    }

    /** Grows whenever the counts are others. */
    long changes() {
        long changes = kinds.size();
        for (BoundRule kind : kinds.values()) {
            changes += kind.changes();
        }
        return changes;
    }

    private PodKind kindOf(Pod pod) {
        return PodKind.of(pod, countsSeparately(), rule.terms().matchLabelKeys());
    }

    /** Who of these is counted. */
    static SelectorGroup.Key pods(PolicySpec spec, List<PodMatch> matches) {
        return new SelectorGroup.Key(
                matches, spec.leavingPods() == LeavingPods.IGNORE ? Departure.STAYS : Departure.IS_DISRUPTED);
    }

    /**
     * Pods of a policy that count one another.
     *
     * @param namespace theirs, where each namespace counts for itself
     * @param labels by which they are told from others
     */
    record PodKind(Optional<String> namespace, List<LabelRequirement> labels) {
        static final PodKind ALL = new PodKind(Optional.empty(), List.of());

        /** A key that the pod does not have tells it apart from no other. */
        static PodKind of(Pod pod, boolean byNamespace, List<String> labelKeys) {
            List<LabelRequirement> labels = labelKeys.isEmpty() ? List.of() : new ArrayList<>(labelKeys.size());
            for (int i = 0; i < labelKeys.size(); i++) {
                String key = labelKeys.get(i);
                if (pod.labels().has(key)) {
                    labels.add(LabelRequirement.equalTo(key, pod.labels().getOrDefault(key, "")));
                }
            }
            return new PodKind(byNamespace ? Optional.of(pod.namespace()) : Optional.empty(), labels);
        }

        /** Tells them from the policy's other pods; empty where nothing does. */
        String inWords() {
            String told = labels.isEmpty() ? "" : " with " + SelectorText.of(LabelSelector.of(labels));
            return told + namespace.map(own -> " of namespace " + own).orElse("");
        }
    }
}
