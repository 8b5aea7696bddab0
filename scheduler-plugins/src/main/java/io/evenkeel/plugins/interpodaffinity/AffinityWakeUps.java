package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.change.Hint;
import io.evenkeel.framework.change.WakeUp;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Wakes pods for companions that came, shunned pods that went and pods that went whose anti-affinity kept them out, if
 * some node now passes. A pod that went counts if it matched any of the anti-affinity terms, not all of them.
 */
final class AffinityWakeUps {
    private final ClusterView cluster;
    private final OwnTerms ownTerms;
    private final Function<PodInfo, OwnRules> rulesOf;
    private final AffinityFilter filter;
    private final NodeSet candidates = new NodeSet();

    AffinityWakeUps(
            ClusterView cluster, OwnTerms ownTerms, Function<PodInfo, OwnRules> rulesOf, AffinityFilter filter) {
        this.cluster = cluster;
        this.ownTerms = ownTerms;
        this.rulesOf = rulesOf;
        this.filter = filter;
    }

    List<WakeUp> all() {
        return List.of(
                WakeUp.on(
                        asking(this::helpsAsPod),
                        ChangeKind.ASSIGNED_POD_ADDED,
                        ChangeKind.ASSIGNED_POD_LABELS,
                        ChangeKind.ASSIGNED_POD_DELETED),
                WakeUp.on(
                        asking(this::helpsAsNode),
                        ChangeKind.NODE_ADDED,
                        ChangeKind.NODE_DELETED,
                        ChangeKind.NODE_LABELS),
                WakeUp.onAnyOf(asking(this::helpsAsNamespace), Kinds.NAMESPACE),
                WakeUp.on(
                        asking((waiting, change) -> passesSomewhere(waiting)),
                        ChangeKind.OWN_LABELS,
                        ChangeKind.OWN_OTHER));
    }

    private record Waiting(PodInfo pod, OwnRules rules) {}

    private Hint asking(BiPredicate<Waiting, ClusterChange> question) {
        return (pod, change) -> question.test(new Waiting(pod, rulesOf.apply(pod)), change);
    }

    private boolean helpsAsPod(Waiting waiting, ClusterChange change) {
        Optional<Pod> went = change.is(ChangeKind.ASSIGNED_POD_ADDED) && !change.is(ChangeKind.ASSIGNED_POD_DELETED)
                ? Optional.empty()
                : change.before(Pod.class);
        Optional<Pod> came = change.is(ChangeKind.ASSIGNED_POD_DELETED) && !change.is(ChangeKind.ASSIGNED_POD_ADDED)
                ? Optional.empty()
                : change.after(Pod.class);
        boolean helps = came.filter(pod -> isCompanion(waiting, pod)).isPresent()
                || went.filter(pod -> isShunned(waiting, pod) || shuns(pod, waiting) || leavesNone(waiting, pod))
                        .isPresent();
        return helps && passesSomewhere(waiting);
    }

    private boolean isCompanion(Waiting waiting, Pod other) {
        return waiting.rules
                .companions()
                .filter(key -> cluster.selectors().selects(key, other.namespace(), other.labels()))
                .isPresent();
    }

    /** The last companion is gone, and the pod may now be the first of a new series. */
    private boolean leavesNone(Waiting waiting, Pod gone) {
        return isCompanion(waiting, gone)
                && waiting.rules.affinity().stream()
                                .mapToLong(DomainCounter::total)
                                .sum()
                        == 0;
    }

    private boolean isShunned(Waiting waiting, Pod other) {
        Pod pod = waiting.pod.pod();
        for (PodAffinityTerm term : pod.spec().podAffinity().requiredAntiAffinity()) {
            if (ownTerms.match(term, pod.namespace())
                    .matches(other.namespace(), other.labels(), cluster.namespaces())) {
                return true;
            }
        }
        return false;
    }

    private boolean shuns(Pod other, Waiting waiting) {
        Pod pod = waiting.pod.pod();
        for (PodAffinityTerm term : other.spec().podAffinity().requiredAntiAffinity()) {
            // Whether a namespace selector matches is for the filter to say, by the namespaces' labels of now.
            if (term.labelSelector().matches(pod.labels())) {
                return true;
            }
        }
        return false;
    }

    /** Pods on the node count from now on, or no more; without any, the node alone must pass. */
    private boolean helpsAsNode(Waiting waiting, ClusterChange change) {
        Node node = change.after(Node.class).or(() -> change.before(Node.class)).orElseThrow();
        int row = cluster.nodes().find(node.name());
        if (row < 0) {
            return false;
        }
        if (cluster.nodes().podCount(row) > 0) {
            return passesSomewhere(waiting);
        }
        candidates.clear();
        if (cluster.nodes().isPresent(row)) {
            candidates.add(row);
        }
        return passesAmongCandidates(waiting);
    }

    private boolean helpsAsNamespace(Waiting waiting, ClusterChange change) {
        String changed = change.after().or(change::before).orElseThrow().meta().name();
        return (waiting.pod.pod().namespace().equals(changed) || selectsNamespaces(waiting.pod.pod()))
                && passesSomewhere(waiting);
    }

    private static boolean selectsNamespaces(Pod pod) {
        return pod.spec().podAffinity().requiredAffinity().stream().anyMatch(AffinityWakeUps::selectsNamespaces)
                || pod.spec().podAffinity().requiredAntiAffinity().stream()
                        .anyMatch(AffinityWakeUps::selectsNamespaces);
    }

    private static boolean selectsNamespaces(PodAffinityTerm term) {
        LabelSelector selector = term.namespaceSelector();
        return !selector.matchesNothing() && !selector.matchesEverything();
    }

    private boolean passesSomewhere(Waiting waiting) {
        candidates.copyFrom(cluster.nodes().present());
        return passesAmongCandidates(waiting);
    }

    private boolean passesAmongCandidates(Waiting waiting) {
        Pod pod = waiting.pod.pod();
        filter.filterAll(
                waiting.pod,
                waiting.rules,
                cluster.carriedTerms().matching(pod.namespace(), pod.labels()),
                candidates,
                Rejections.create().rejections());
        return !candidates.isEmpty();
    }
}
