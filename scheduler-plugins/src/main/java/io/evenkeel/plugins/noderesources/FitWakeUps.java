package io.evenkeel.plugins.noderesources;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Hint;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Wakes pods for a node that has come to have room, or that would once those are gone that may have to go for the pod: a
 * new or larger one, or one where a pod has given back what the waiting pod lacked.
 */
final class FitWakeUps {
    private final ClusterView cluster;
    private final Function<PodInfo, FitCheck> checkOf;
    private final LesserPods lesser;
    private @Nullable ClusterChange lastChange;
    private Exchange exchange = new Exchange(ResourceVector.NONE, ResourceVector.NONE, 0);

    /**
     * The resources that a pod gave back to its node and took instead.
     *
     * @param places how many places for pods came free
     */
    private record Exchange(ResourceVector given, ResourceVector taken, int places) {}

    FitWakeUps(ClusterView cluster, Function<PodInfo, FitCheck> checkOf) {
        this.cluster = cluster;
        this.checkOf = checkOf;
        this.lesser = LesserPods.of(cluster);
    }

    List<WakeUp> all() {
        return List.of(
                WakeUp.on(this::fitsNode, ChangeKind.NODE_ADDED, ChangeKind.NODE_ALLOCATABLE)
                        .alike(FitWakeUps::requestsAndRank)
                        .aboutNodeAlone()
                        .alsoOfGangs(),
                WakeUp.on(
                                this::fitsForWhatWasFreed,
                                ChangeKind.ASSIGNED_POD_DELETED,
                                ChangeKind.ASSIGNED_POD_SCALED_DOWN)
                        .alike(FitWakeUps::requestsAndRank)
                        .aboutNodeAlone()
                        .ofGangs(this::fitsWhereSomeWasFreed),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_SCALED_DOWN));
    }

    private static Object requestsAndRank(PendingPod waiting) {
        return List.of(PodInfo.of(waiting).shape().resources(), LesserPods.rankOf(waiting.pod()));
    }

    private boolean fitsNode(PendingPod waiting, ClusterChange change) {
        return fitsOn(change.after(Node.class).orElseThrow().name(), waiting);
    }

    private boolean fitsOn(String name, PendingPod waiting) {
        int node = cluster.nodes().findPresent(name);
        return node >= 0 && (checkOf.apply(PodInfo.of(waiting)).fits(node) || fitsWithoutLesser(waiting, node));
    }

    private boolean fitsWithoutLesser(PendingPod waiting, int node) {
        return lesser.passesWithout(checkOf.apply(PodInfo.of(waiting)).new DryRun(), node, waiting.pod());
    }

    private boolean fitsForWhatWasFreed(PendingPod waiting, ClusterChange change) {
        String name = change.before(Pod.class).orElseThrow().spec().nodeName();
        int node = cluster.nodes().findPresent(name);
        if (node < 0) {
            return false;
        }
        Exchange pods = exchangeOn(name, change);
        FitCheck check = checkOf.apply(PodInfo.of(waiting));
        return check.fits(node)
                ? !check.fitted(node, pods.given, pods.taken, pods.places)
                : fitsWithoutLesser(waiting, node);
    }

    /** It may have fitted there before, and another of its gang now does beside it. */
    private boolean fitsWhereSomeWasFreed(PendingPod waiting, ClusterChange change) {
        return fitsOn(change.before(Pod.class).orElseThrow().spec().nodeName(), waiting);
    }

    /** Returns the effect of the change on that node; the same for all pods that are asked about, so worked out once. */
    @SuppressWarnings("ReferenceEquality")
    private Exchange exchangeOn(String node, ClusterChange change) {
        if (lastChange != change) {
            lastChange = change;
            Optional<Pod> after =
                    change.is(ChangeKind.ASSIGNED_POD_DELETED) && !change.is(ChangeKind.ASSIGNED_POD_ADDED)
                            ? Optional.empty()
                            : change.after(Pod.class)
                                    .filter(pod -> pod.spec().nodeName().equals(node));
            Exchange before = exchange;
            exchange = new Exchange(
                    requestsOf(change.before(Pod.class).orElseThrow()),
                    after.map(this::requestsOf).orElse(ResourceVector.NONE),
                    after.isPresent() ? 0 : 1);
            cluster.resources().release(before.given);
            cluster.resources().release(before.taken);
        }
        return exchange;
    }

    /** Its names stay known while the exchange is kept, although no pod may have them any more. */
    private ResourceVector requestsOf(Pod pod) {
        return cluster.read(
                pod,
                info -> cluster.resources()
                        .acquire(info.shape().resources().value().requests()));
    }
}
