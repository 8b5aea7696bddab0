package io.evenkeel.plugins.placementpolicy.bound;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.PodMatch;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.model.Pod.Departure;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.LeavingPods;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule with the counts of all its policy's pods or, where it tells pods apart, with those of each of the kinds of pods that were
 * asked about.
 *
 * <pre>{@code
 * matchLabelKeys: [pod-template-hash]      counts
 * a pod of revision 7f, first              pods of 7f, from now on
 * a pod of revision 7f, second             the same
 * a pod of revision 9c, first              pods of 9c, too
 * }</pre>
 */
public final class RuleOfMany {
    /** Workloads have few revisions at a time; those of which no pod was asked about for longest are counted anew when one is. */
    private static final int MOST_KINDS = 256;

    private final ClusterView cluster;
    private final String policyName;
    private final PolicySpec policy;
    private final PolicyRule rule;
    private final PodMatch all;
    private final Map<List<LabelRequirement>, BoundRule> kinds = new LinkedHashMap<>(16, 0.75f, true);
    private BoundRule.Said said;

    /**
     * A rule of a policy.
     *
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
    }

    /** From now on pods are placed by what this says of domains. */
    void follow(PolicyStatus status) {
        said = BoundRule.Said.of(rule, status);
        kinds.values().forEach(kind -> kind.follow(said));
    }

    void release() {
        kinds.values().forEach(this::release);
        kinds.clear();
    }

    private void release(BoundRule bound) {
        bound.release();
        cluster.selectors().release(bound.group());
    }

    public PolicyRule rule() {
        return rule;
    }

    boolean tellsPodsApart() {
        return !rule.terms().matchLabelKeys().isEmpty();
    }

    public BoundRule ofAll() {
        return of(Labels.EMPTY);
    }

    /** With what is counted for a pod with these labels; one of the keys that it does not have tells it apart from nobody. */
    BoundRule of(Labels labels) {
        List<LabelRequirement> kind = kind(labels);
        BoundRule known = kinds.get(kind);
        if (known != null) {
            return known;
        }
        if (kinds.size() == MOST_KINDS) {
            var eldest = kinds.entrySet().iterator();
            release(eldest.next().getValue());
            eldest.remove();
        }
        PodMatch match = new PodMatch(all.scope(), all.selector().and(kind));
        BoundRule bound = new BoundRule(
                cluster,
                policyName,
                policy.leavingPods(),
                rule,
                cluster.selectors().acquire(pods(policy, match)));
        bound.follow(said);
        kinds.put(kind, bound);
        return bound;
    }

    /** With the counts of each kind of pods that have to keep it together. */
    public List<BoundRule> kinds() {
        return tellsPodsApart()
                ? kinds.entrySet().stream()
                        .filter(kind -> !kind.getKey().isEmpty())
                        .map(Map.Entry::getValue)
                        .toList()
                : List.of(ofAll());
    }

    /** Grows whenever the counts are others. */
    public long changes() {
        long changes = kinds.size();
        for (BoundRule kind : kinds.values()) {
            changes += kind.changes();
        }
        return changes;
    }

    private List<LabelRequirement> kind(Labels labels) {
        List<String> keys = rule.terms().matchLabelKeys();
        if (keys.isEmpty()) {
            return List.of();
        }
        List<LabelRequirement> kind = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            if (labels.has(keys.get(i))) {
                kind.add(LabelRequirement.equalTo(keys.get(i), labels.getOrDefault(keys.get(i), "")));
            }
        }
        return kind;
    }

    /** Who of these is counted. */
    static SelectorGroup.Key pods(PolicySpec spec, PodMatch match) {
        return new SelectorGroup.Key(
                List.of(match), spec.leavingPods() == LeavingPods.IGNORE ? Departure.STAYS : Departure.IS_DISRUPTED);
    }
}
