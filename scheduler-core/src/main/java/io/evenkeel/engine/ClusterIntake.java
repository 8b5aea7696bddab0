package io.evenkeel.engine;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.engine.group.GroupTurns;
import io.evenkeel.model.GroupObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.ClusterChanges;
import io.evenkeel.queue.FairTurns;
import io.evenkeel.queue.SchedulingQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Takes in what happens in the cluster: what is in place goes to the cluster's state, pods that wait and ask for one of
 * our profiles to the queue, and the queue learns of every change that may help those that wait.
 *
 * <p>Events may come twice, and a pod that the server was asked about may come before older news of it. A pod never
 * leaves its node but by going altogether, so news that a placed pod is not placed are old and ignored.
 */
final class ClusterIntake {
    private static final String WAITING_ADDED = "UnschedulablePodAdd";
    private static final String WAITING_UPDATED = ChangeKind.OWN_OTHER.label();
    private static final String WAITING_DELETED = "UnschedulablePodDelete";
    /**
     * To wake a pod takes so many, which its namespace pays where it made the change; but nobody pays for a pod that goes and
     * makes room.
     */
    private static final int UNITS_A_WAKE_UP = 256;

    private static final String PLACED_UPDATED = ChangeKind.ASSIGNED_POD_OTHER.label();

    private final Engine engine;
    private final ClusterView cluster;
    private final PodRequests requests;
    private final Set<String> schedulerNames;
    private final SchedulingQueue queue;
    private final AssumedPods assumed;
    private final Preemptions preemptions;
    private final GroupTurns groups;
    private final SchedulerObserver observer;
    private final LongSupplier clock;

    /**
     * The UIDs, by key, of pods of which a look-up has told that another has their name by now, as long as the watches are behind:
     * what they still tell of them is old. For example, of a pod that was to be bound:
     *
     * <pre>
     *   look-up    web is u2, on n1       u2 counts on n1
     *   watch      web is u1, a label     old: u2 stays
     *   watch      web, u1, is gone       the watch has caught up
     *   watch      web is u2, on n1
     * </pre>
     */
    private final Map<String, String> supplanted = new HashMap<>();

    ClusterIntake(
            Engine engine,
            SchedulingQueue queue,
            AssumedPods assumed,
            Preemptions preemptions,
            GroupTurns groups,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.engine = engine;
        this.cluster = engine.cluster();
        this.requests = PodRequests.at(cluster.featureGates());
        this.schedulerNames = engine.profiles().keySet();
        this.queue = queue;
        this.assumed = assumed;
        this.preemptions = preemptions;
        this.groups = groups;
        this.observer = observer;
        this.clock = clock;
    }

    void put(KubernetesObject object) {
        long begun = queue.turns().begin();
        takeIn(object);
        queue.turns().charge(payerOf(object), begun, FairTurns.Step.NEWS);
    }

    private static String payerOf(KubernetesObject object) {
        return object instanceof Namespace
                ? object.meta().name()
                : object.meta().namespace();
    }

    private void takeIn(KubernetesObject object) {
        long now = clock.getAsLong();
        if (object instanceof Pod pod) {
            if (!pod.meta().uid().equals(supplanted.get(pod.key()))) {
                supplanted.remove(pod.key());
                putPod(pod, now);
            }
            return;
        }
        Optional<KubernetesObject> before = cluster.like(object);
        engine.put(object);
        tell(before, Optional.of(object), now);
        assumed.sawChanged(object);
    }

    void remove(KubernetesObject object) {
        long begun = queue.turns().begin();
        takeOut(object);
        queue.turns().charge(payerOf(object), begun, FairTurns.Step.NEWS);
    }

    private void takeOut(KubernetesObject object) {
        long now = clock.getAsLong();
        if (object instanceof Pod pod) {
            supplanted.remove(pod.key());
            removePod(pod, now);
            return;
        }
        Optional<KubernetesObject> before = cluster.like(object);
        engine.remove(object);
        tell(before, Optional.empty(), now);
        assumed.sawChanged(object);
    }

    /** A look-up for one pod has found this one, on a node: the same, or another that has its name by now. */
    void putFound(Pod asked, Pod found) {
        if (!asked.meta().uid().equals(found.meta().uid())) {
            supplanted.put(asked.key(), asked.meta().uid());
        }
        putPod(found, clock.getAsLong());
    }

    /** The watch has told of all pods that there are. */
    void podsToldAnew() {
        supplanted.clear();
    }

    private void putPod(Pod pod, long now) {
        removePredecessor(pod, now);
        Optional<Pod> inPlace = cluster.pod(pod.key());
        if (pod.status().isFinished()) {
            removePod(pod, now);
        } else if (pod.isPlaced()) {
            putPlaced(pod, inPlace, now);
        } else if (inPlace.isEmpty() || assumed.mayBeUnbound(pod)) {
            putWaiting(pod, now);
        }
    }

    /** A pod of the same name that had been there before; its end went unheard. */
    private void removePredecessor(Pod pod, long now) {
        cluster.pod(pod.key()).filter(other -> !isSame(other, pod)).ifPresent(other -> removePod(other, now));
        queue.find(pod.key()).filter(other -> !isSame(other, pod)).ifPresent(other -> removePod(other, now));
    }

    /** Of a pod that was decided two things are news: that it is in place, and what has changed of it since. */
    private void putPlaced(Pod pod, Optional<Pod> inPlace, long now) {
        boolean isAssumed = cluster.isAssumed(pod.key());
        boolean news = inPlace.isEmpty() || isAssumed;
        boolean waited = isAssumed || queue.find(pod.key()).isPresent();
        Optional<KubernetesObject> decided =
                news ? inPlace.flatMap(before -> decidedFor(pod, before)) : Optional.empty();
        engine.put(pod);
        if (assumed.isOnItsWay(pod)) {
            assumed.sawPlaced(pod);
        } else {
            queue.remove(pod.key(), pod.meta().uid(), now);
        }
        if (waited) {
            handled(WAITING_DELETED, now);
        }
        tell(news ? Optional.empty() : inPlace.map(before -> before), Optional.of(pod), now);
        if (!news) {
            handled(PLACED_UPDATED, now);
        }
        if (decided.isPresent()) {
            tell(decided, Optional.of(pod), now);
        }
        if (news) {
            groups.sawPlaced(pod);
        }
        if (pod.meta().terminating()) {
            preemptions.sawLeaving(pod.meta().uid());
        }
    }

    /** The pod as it counted on the same node until now. */
    private Optional<KubernetesObject> decidedFor(Pod placed, Pod before) {
        String node = placed.spec().nodeName();
        int row = cluster.pods().find(before.key());
        return cluster.nodes().name(cluster.pods().node(row)).equals(node)
                ? Optional.of(PodBuilder.from(before).nodeName(node).build())
                : Optional.empty();
    }

    private void putWaiting(Pod pod, long now) {
        if (!schedulerNames.contains(pod.spec().schedulerName())) {
            return;
        }
        Optional<Pod> before = queue.find(pod.key());
        if (before.isEmpty()) {
            queue.add(pod, now);
            handled(WAITING_ADDED, now);
        } else if (!pod.meta().isOfVersion(before.get().meta().resourceVersion())) {
            queue.update(pod, now).ifPresent(change -> handledBut(WAITING_UPDATED, change, now));
            handled(WAITING_UPDATED, now);
        }
        if (pod.meta().terminating()) {
            assumed.sawTerminating(pod);
        }
    }

    private void removePod(Pod pod, long now) {
        Optional<Pod> waiting = queue.find(pod.key());
        queue.remove(pod.key(), pod.meta().uid(), now);
        Optional<Pod> inPlace = cluster.pod(pod.key()).filter(found -> isSame(found, pod));
        if (waiting.isPresent()) {
            handled(WAITING_DELETED, now);
        }
        if (inPlace.isPresent()) {
            boolean onItsWay = assumed.isOnItsWay(inPlace.get());
            engine.remove(pod);
            if (!onItsWay) {
                tell(inPlace.map(before -> before), Optional.empty(), now);
            }
            preemptions.sawLeaving(inPlace.get().meta().uid());
        }
        assumed.sawGone(pod.meta().uid());
        inPlace.or(() -> waiting)
                .ifPresent(left -> groups.sawLeft(left, pod.status().isFinished()));
    }

    /** Objects that only name a pod carry no UID. */
    private static boolean isSame(Pod one, Pod other) {
        String uid = one.meta().uid();
        String otherUid = other.meta().uid();
        return uid.isEmpty() || otherUid.isEmpty() || uid.equals(otherUid);
    }

    private void tell(Optional<KubernetesObject> before, Optional<KubernetesObject> after, long startedAt) {
        if (before.isEmpty() && after.isEmpty()) {
            return;
        }
        Optional<ClusterChange> change = ClusterChanges.between(before, after, requests);
        if (change.isPresent()) {
            KubernetesObject changed = after.or(() -> before).orElseThrow();
            switch (changed) {
                case Node _ -> groups.nodesChanged();
                case WorkloadOwner owner -> groups.termsChanged(owner.meta());
                case GroupObject group -> groups.termsChanged(group);
                default -> {}
            }
            String payer = changed instanceof Pod ? "" : payerOf(changed);
            cluster.work().add(UNITS_A_WAKE_UP * queue.changed(change.get(), payer, startedAt));
            handledBut(PLACED_UPDATED, change.get(), startedAt);
        }
    }

    /** In each respect for which metrics have a name of its own. */
    private void handledBut(String told, ClusterChange change, long startedAt) {
        for (ChangeKind kind : change.kinds()) {
            if (!kind.label().equals(told)) {
                handled(kind.label(), startedAt);
            }
        }
    }

    private void handled(String event, long startedAt) {
        observer.handled(event, clock.getAsLong() - startedAt);
    }
}
