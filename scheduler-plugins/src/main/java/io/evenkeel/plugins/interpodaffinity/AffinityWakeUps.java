package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.LabelSelector;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Wakes pods for companions that came, shunned pods that went and pods that went whose anti-affinity kept them out, if
 * some node now passes, or might once others are gone that may have to go for the pod. A pod that went counts if it matched any of the anti-affinity terms, not all of them.
 */
final class AffinityWakeUps {
    private final ClusterView cluster;
    private final OwnRules.Terms ownTerms;
    private final Function<PodInfo, OwnRules> rulesOf;
    private final AffinityFilter filter;
    private final LesserPods lesser;
    private final NodeSet candidates = new NodeSet();

    AffinityWakeUps(
            ClusterView cluster, OwnRules.Terms ownTerms, Function<PodInfo, OwnRules> rulesOf, AffinityFilter filter) {
        this.cluster = cluster;
        this.ownTerms = ownTerms;
        this.rulesOf = rulesOf;
        this.filter = filter;
        this.lesser = LesserPods.of(cluster);
    }

    List<WakeUp> all() {
        return List.of(
                WakeUp.on(
                                this::helpsAsPod,
                                ChangeKind.ASSIGNED_POD_ADDED,
                                ChangeKind.ASSIGNED_POD_LABELS,
                                ChangeKind.ASSIGNED_POD_DELETED)
                        .filedBy(this::podsThatMatter)
                        .alike(AffinityWakeUps::termsAndRank)
                        .ofGangs(this::mattersAsPod),
                WakeUp.on(this::helpsAsNode, ChangeKind.NODE_ADDED, ChangeKind.NODE_DELETED, ChangeKind.NODE_LABELS)
                        .filedBy(_ -> Interest.ANY)
                        .alike(AffinityWakeUps::termsAndRank)
                        .ofGangs(this::mattersAsNode),
                WakeUp.onAnyOf(this::helpsAsNamespace, Kinds.NAMESPACE)
                        .filedBy(_ -> Interest.ANY)
                        .alike(AffinityWakeUps::termsAndRank)
                        .ofGangs(AffinityWakeUps::mattersAsNamespace),
                WakeUp.on((waiting, _) -> passesSomewhere(waiting), ChangeKind.OWN_LABELS, ChangeKind.OWN_OTHER));
    }

    /** Others' terms go by its namespace and labels, its own perhaps too. */
    private static Object termsAndRank(PendingPod waiting) {
        Pod pod = waiting.pod();
        return List.of(PodInfo.of(waiting).shape().affinity(), pod.namespace(), pod.labels(), LesserPods.rankOf(pod));
    }

    /** Of the required terms, which a companion meets all, any one will do. */
    private Interest podsThatMatter(PendingPod waiting) {
        Pod pod = waiting.pod();
        Interest.Builder pods = Interest.inPods().shunning(pod.labels());
        pod.spec().podAffinity().requiredAffinity().stream()
                .map(term -> matchOf(term, pod))
                .min(Comparator.comparingInt(match -> FilingLabel.coarseness(match.selector())))
                .ifPresent(match -> add(match, pods));
        pod.spec().podAffinity().requiredAntiAffinity().forEach(term -> add(matchOf(term, pod), pods));
        return pods.build();
    }

    private static void add(PodMatch match, Interest.Builder pods) {
        pods.selectedBy(match.scope().names(), match.scope().selector(), match.selector());
    }

    private PodMatch matchOf(PodAffinityTerm term, Pod waiting) {
        return ownTerms.match(term, waiting.namespace());
    }

    private boolean helpsAsPod(PendingPod waiting, ClusterChange change) {
        return mattersAsPod(waiting, change) && passesSomewhere(waiting);
    }

    private boolean mattersAsPod(PendingPod waiting, ClusterChange change) {
        PodAffinity terms = waiting.pod().spec().podAffinity();
        cluster.work()
                .add(terms.requiredAffinity().size()
                        + terms.requiredAntiAffinity().size());
        Optional<Pod> went = change.is(ChangeKind.ASSIGNED_POD_ADDED) && !change.is(ChangeKind.ASSIGNED_POD_DELETED)
                ? Optional.empty()
                : change.before(Pod.class);
        Optional<Pod> came = change.is(ChangeKind.ASSIGNED_POD_DELETED) && !change.is(ChangeKind.ASSIGNED_POD_ADDED)
                ? Optional.empty()
                : change.after(Pod.class);
        return came.filter(pod -> isCompanion(waiting, pod)).isPresent()
                || went.filter(pod -> isShunned(waiting, pod) || shuns(pod, waiting) || leavesNone(waiting, pod))
                        .isPresent();
    }

    /** Asked of the terms themselves: to compile them costs a pass over the nodes, and most pods are no companions. */
    private boolean isCompanion(PendingPod waiting, Pod other) {
        List<PodAffinityTerm> terms = waiting.pod().spec().podAffinity().requiredAffinity();
        for (int i = 0; i < terms.size(); i++) {
            if (!isSelected(terms.get(i), waiting.pod(), other)) {
                return false;
            }
        }
        return !terms.isEmpty();
    }

    private boolean isSelected(PodAffinityTerm term, Pod waiting, Pod other) {
        return term.labelSelector().matches(other.labels())
                && matchOf(term, waiting).matches(other.namespace(), other.labels(), cluster.namespaces());
    }

    /** The last companion is gone, and the pod may now be the first of a new series. */
    private boolean leavesNone(PendingPod waiting, Pod gone) {
        return isCompanion(waiting, gone)
                && rulesOf.apply(PodInfo.of(waiting)).affinity().stream()
                                .mapToLong(DomainCounter::total)
                                .sum()
                        == 0;
    }

    private boolean isShunned(PendingPod waiting, Pod other) {
        for (PodAffinityTerm term : waiting.pod().spec().podAffinity().requiredAntiAffinity()) {
            if (isSelected(term, waiting.pod(), other)) {
                return true;
            }
        }
        return false;
    }

    private boolean shuns(Pod other, PendingPod waiting) {
        Pod pod = waiting.pod();
        for (PodAffinityTerm term : other.spec().podAffinity().requiredAntiAffinity()) {
            // Whether a namespace selector matches is for the filter to say, by the namespaces' labels of now.
            if (term.labelSelector().matches(pod.labels())) {
                return true;
            }
        }
        return false;
    }

    /** Pods on the node count from now on, or no more; without any, the node alone must pass. */
    private boolean helpsAsNode(PendingPod waiting, ClusterChange change) {
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

    /** It is not known which pods of its gang would be on which nodes; where no rule is about it, they do not matter. */
    private boolean mattersAsNode(PendingPod waiting, ClusterChange change) {
        Pod pod = waiting.pod();
        return change.is(ChangeKind.NODE_ADDED)
                || !pod.spec().podAffinity().requiredAffinity().isEmpty()
                || !pod.spec().podAffinity().requiredAntiAffinity().isEmpty()
                || !cluster.carriedTerms()
                        .matching(pod.namespace(), pod.labels())
                        .isEmpty();
    }

    private boolean helpsAsNamespace(PendingPod waiting, ClusterChange change) {
        return mattersAsNamespace(waiting, change) && passesSomewhere(waiting);
    }

    private static boolean mattersAsNamespace(PendingPod waiting, ClusterChange change) {
        String changed = change.after().or(change::before).orElseThrow().meta().name();
        return waiting.pod().namespace().equals(changed) || selectsNamespaces(waiting.pod());
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

    private boolean passesSomewhere(PendingPod waiting) {
        candidates.copyFrom(cluster.nodes().present());
        return passesAmongCandidates(waiting);
    }

    private boolean passesAmongCandidates(PendingPod waiting) {
        if (candidates.isEmpty() || lesser.mayGoFor(waiting.pod())) {
            return !candidates.isEmpty();
        }
        Pod pod = waiting.pod();
        filter.filterAll(
                PodInfo.of(waiting),
                rulesOf.apply(PodInfo.of(waiting)),
                cluster.carriedTerms().matching(pod.namespace(), pod.labels()),
                candidates,
                Rejections.create().rejections());
        return !candidates.isEmpty();
    }
}
