package io.evenkeel.policies;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Hint;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.kind.Kinds;
import java.util.List;

/**
 * Wakes pods when pods come or go that their policies count, or nodes do, and some node is left that breaks no rule, or might be
 * once others are gone that may have to go for the pod. Who changes a policy wakes all that wait for one: by which pods they are
 * filed depends on it.
 */
final class PolicyWakeUps {
    private final PolicyBook book;
    private final ClusterView cluster;
    private final LesserPods lesser;
    private final PolicyFilter filter;
    private final NodeSet candidates = new NodeSet();

    PolicyWakeUps(ClusterView cluster, PolicyBook book) {
        this.cluster = cluster;
        this.filter = new PolicyFilter(cluster);
        this.book = book;
        this.lesser = LesserPods.of(cluster);
    }

    List<WakeUp> all() {
        return List.of(
                WakeUp.on(
                                this::passesSomewhere,
                                ChangeKind.ASSIGNED_POD_ADDED,
                                ChangeKind.ASSIGNED_POD_LABELS,
                                ChangeKind.ASSIGNED_POD_DISRUPTED,
                                ChangeKind.ASSIGNED_POD_TERMINATING,
                                ChangeKind.ASSIGNED_POD_DELETED)
                        .filedBy(this::podsThatCount)
                        .alike(this::rulesAndShape),
                WakeUp.on(
                                this::passesSomewhere,
                                ChangeKind.NODE_ADDED,
                                ChangeKind.NODE_DELETED,
                                ChangeKind.NODE_LABELS,
                                ChangeKind.NODE_TAINTS)
                        .filedBy(_ -> Interest.ANY)
                        .alike(this::rulesAndShape)
                        .ofGangs(this::mattersAsNode),
                WakeUp.onAnyOf(PolicyWakeUps::mayConcern, Kinds.PLACEMENT_POLICY)
                        .alsoOfGangs(),
                WakeUp.onAnyOf(Hint.ALWAYS, Kinds.CLUSTER_PLACEMENT_POLICY, Kinds.NAMESPACE),
                WakeUp.on(
                        this::passesSomewhere,
                        ChangeKind.OWN_LABELS,
                        ChangeKind.OWN_TOLERATIONS,
                        ChangeKind.OWN_OTHER));
    }

    private static boolean mayConcern(PendingPod waiting, ClusterChange change) {
        String namespace =
                change.after().or(change::before).orElseThrow().meta().namespace();
        return namespace.equals(waiting.pod().namespace());
    }

    private boolean mattersAsNode(PendingPod waiting, ClusterChange change) {
        return change.is(ChangeKind.NODE_ADDED)
                || !book.governing(waiting.pod()).isEmpty();
    }

    private Interest podsThatCount(PendingPod waiting) {
        Interest.Builder pods = Interest.inPods();
        for (BoundPolicy policy : book.governing(waiting.pod())) {
            for (BoundRule rule : policy.hardRules(waiting.pod())) {
                PodMatch match = rule.group().key().matches().getFirst();
                pods.selectedBy(match.scope().names(), match.scope().selector(), match.selector());
            }
        }
        return pods.build();
    }

    private Object rulesAndShape(PendingPod waiting) {
        List<BoundPolicy> policies = book.governing(waiting.pod());
        List<BoundRule> rules = policies.stream()
                .flatMap(policy -> policy.hardRules(waiting.pod()).stream())
                .toList();
        return List.of(PodInfo.of(waiting).interned(), policies, rules, LesserPods.rankOf(waiting.pod()));
    }

    private boolean passesSomewhere(PendingPod waiting, ClusterChange change) {
        List<BoundPolicy> policies = book.governing(waiting.pod());
        if (policies.stream().anyMatch(policy -> policy.fault().isPresent())) {
            return false;
        }
        if (lesser.mayGoFor(waiting.pod())) {
            return true;
        }
        candidates.copyFrom(cluster.nodes().present());
        filter.filter(
                policies, PodInfo.of(waiting), candidates, Rejections.create().rejections());
        return !candidates.isEmpty();
    }
}
