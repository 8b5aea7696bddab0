package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Hint;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Wakes pods when a change that their hard constraints count has left some node that passes them all, or might once others
 * are gone that may have to go for the pod. A pod that starts
 * to terminate counts no more at once; one less in a domain helps that domain only, one more may raise the minimum and
 * so help every other.
 */
final class SpreadWakeUps {
    private final ClusterView cluster;
    private final Function<PodInfo, List<HardConstraint>> constraintsOf;
    private final SkewFilter filter;
    private final LesserPods lesser;
    private final NodeSet candidates = new NodeSet();

    SpreadWakeUps(ClusterView cluster, Function<PodInfo, List<HardConstraint>> constraintsOf) {
        this.cluster = cluster;
        this.filter = new SkewFilter(cluster);
        this.constraintsOf = constraintsOf;
        this.lesser = LesserPods.of(cluster);
    }

    List<WakeUp> all() {
        return List.of(
                WakeUp.on(
                                asking(this::helpsAsPod),
                                ChangeKind.ASSIGNED_POD_ADDED,
                                ChangeKind.ASSIGNED_POD_LABELS,
                                ChangeKind.ASSIGNED_POD_TERMINATING,
                                ChangeKind.ASSIGNED_POD_DELETED)
                        .filedBy(SpreadWakeUps::podsThatCount)
                        .alike(SpreadWakeUps::shapeAndRank)
                        .ofGangs(asking(this::mattersAsPod)),
                WakeUp.on(
                                asking(this::helpsAsNode),
                                ChangeKind.NODE_ADDED,
                                ChangeKind.NODE_DELETED,
                                ChangeKind.NODE_LABELS,
                                ChangeKind.NODE_TAINTS)
                        .filedBy(_ -> Interest.ANY)
                        .alike(SpreadWakeUps::shapeAndRank)
                        .ofGangs(asking(SpreadWakeUps::mattersAsNode)),
                WakeUp.onAnyOf(
                                this::helpsAsPeers,
                                Kinds.SERVICE,
                                Kinds.REPLICATION_CONTROLLER,
                                Kinds.REPLICA_SET,
                                Kinds.STATEFUL_SET)
                        .alike(SpreadWakeUps::shapeAndRank)
                        .ofGangs(SpreadWakeUps::mattersAsPeers),
                WakeUp.on(
                        asking((waiting, change) -> passesSomewhere(waiting)),
                        ChangeKind.OWN_LABELS,
                        ChangeKind.OWN_TOLERATIONS,
                        ChangeKind.OWN_OTHER));
    }

    /** Of a pod without constraints of its own, Services and controllers decide which defaults it has, if any. */
    private static Interest podsThatCount(PendingPod waiting) {
        SpreadRules rules = PodInfo.of(waiting).shape().spread().value();
        if (rules.constraints().isEmpty()) {
            return Interest.ANY;
        }
        Interest.Builder pods = Interest.inPods();
        for (TopologySpreadConstraint constraint : rules.constraints()) {
            if (constraint.isHard()) {
                pods.selectedBy(rules.namespace(), constraint.labelSelector());
            }
        }
        return pods.build();
    }

    /**
     * Of its labels no more than whether it counts for itself, so that pods of a StatefulSet are alike. Which constraints a
     * pod without any of its own has depends on more: it is like no other.
     */
    private static Object shapeAndRank(PendingPod waiting) {
        List<TopologySpreadConstraint> constraints =
                PodInfo.of(waiting).shape().spread().value().constraints();
        if (constraints.isEmpty()) {
            return new Object();
        }
        List<Boolean> countsForItself = constraints.stream()
                .map(constraint ->
                        constraint.labelSelector().matches(waiting.pod().labels()))
                .toList();
        return List.of(PodInfo.of(waiting).interned(), countsForItself, LesserPods.rankOf(waiting.pod()));
    }

    /** A pod and the constraints that it has now, defaults included. */
    private record Waiting(PodInfo pod, List<HardConstraint> constraints) {}

    private Hint asking(BiPredicate<Waiting, ClusterChange> question) {
        return (pod, change) -> question.test(withConstraints(pod), change);
    }

    private Waiting withConstraints(PendingPod pod) {
        return new Waiting(PodInfo.of(pod), constraintsOf.apply(PodInfo.of(pod)));
    }

    /** Which default constraints a pod has, if any, depends on who selects it; its own constraints do not. */
    private boolean helpsAsPeers(PendingPod waiting, ClusterChange change) {
        return mattersAsPeers(waiting, change) && passesSomewhere(withConstraints(waiting));
    }

    private static boolean mattersAsPeers(PendingPod waiting, ClusterChange change) {
        String namespace =
                change.after().or(change::before).orElseThrow().meta().namespace();
        Pod pod = waiting.pod();
        return pod.spec().topologySpread().isEmpty() && pod.namespace().equals(namespace) && !isScaled(change);
    }

    /** It selects whom it did, and has only become larger or smaller. */
    private static boolean isScaled(ClusterChange change) {
        Optional<LabelSelector> before = change.before(WorkloadOwner.class).map(WorkloadOwner::selector);
        return before.isPresent()
                && before.equals(change.after(WorkloadOwner.class).map(WorkloadOwner::selector));
    }

    private boolean helpsAsPod(Waiting waiting, ClusterChange change) {
        boolean isMore = false;
        candidates.clear();
        for (HardConstraint constraint : waiting.constraints) {
            boolean counted = change.before(Pod.class)
                    .filter(pod -> counts(constraint, pod))
                    .isPresent();
            boolean counts = change.after(Pod.class)
                    .filter(pod -> counts(constraint, pod))
                    .isPresent();
            isMore |= counts && (!counted || change.is(ChangeKind.ASSIGNED_POD_ADDED));
            if (counted) {
                addDomainOf(change.before(Pod.class).orElseThrow(), constraint.topology());
            }
        }
        if (isMore) {
            return passesSomewhere(waiting);
        }
        return !candidates.isEmpty() && passesAmongCandidates(waiting);
    }

    /** It is not known where the domains stand once others of its gang are in place: one pod less or more may help in any. */
    private boolean mattersAsPod(Waiting waiting, ClusterChange change) {
        return Stream.of(change.before(Pod.class), change.after(Pod.class))
                .flatMap(Optional::stream)
                .anyMatch(pod -> waiting.constraints.stream().anyMatch(constraint -> counts(constraint, pod)));
    }

    private boolean counts(HardConstraint constraint, Pod pod) {
        return pod.isPlaced()
                && !pod.status().isFinished()
                && !pod.meta().terminating()
                && cluster.selectors().selects(constraint.group().key(), pod.namespace(), pod.labels());
    }

    private void addDomainOf(Pod pod, Topology topology) {
        int node = cluster.nodes().find(pod.spec().nodeName());
        int domain = node < 0 ? Topology.NO_DOMAIN : topology.domainOf(node);
        if (domain == Topology.NO_DOMAIN) {
            return;
        }
        if (topology.hasNodeSets()) {
            candidates.addAll(topology.nodesOf(domain));
            return;
        }
        NodeSetView labelled = topology.nodes();
        for (int other = labelled.first(); other >= 0; other = labelled.next(other + 1)) {
            if (topology.domainOf(other) == domain) {
                candidates.add(other);
            }
        }
    }

    /** A node that is counted neither before nor after, or in the same domains both times, changes no count. */
    private boolean helpsAsNode(Waiting waiting, ClusterChange change) {
        return waiting.constraints.isEmpty() || (changesCounts(waiting, change) && passesSomewhere(waiting));
    }

    private static boolean mattersAsNode(Waiting waiting, ClusterChange change) {
        return change.is(ChangeKind.NODE_ADDED) || changesCounts(waiting, change);
    }

    private static boolean changesCounts(Waiting waiting, ClusterChange change) {
        Optional<Node> before = change.before(Node.class);
        Optional<Node> after = change.after(Node.class);
        for (HardConstraint constraint : waiting.constraints) {
            String key = constraint.topology().key().label();
            NodeEligibility.Key eligibility = constraint.counter().eligibility().key();
            if (!valueOf(key, before).equals(valueOf(key, after))
                    || before.filter(eligibility::admits).isPresent()
                            != after.filter(eligibility::admits).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> valueOf(String key, Optional<Node> node) {
        return node.filter(some -> some.labels().has(key))
                .map(some -> some.labels().getOrDefault(key, ""));
    }

    private boolean passesSomewhere(Waiting waiting) {
        candidates.copyFrom(cluster.nodes().present());
        return passesAmongCandidates(waiting);
    }

    private boolean passesAmongCandidates(Waiting waiting) {
        candidates.retainAll(cluster.nodes().present());
        if (candidates.isEmpty() || lesser.mayGoFor(waiting.pod.pod())) {
            return !candidates.isEmpty();
        }
        filter.filter(
                waiting.constraints,
                waiting.pod.pod().labels(),
                candidates,
                Rejections.create().rejections());
        return !candidates.isEmpty();
    }
}
