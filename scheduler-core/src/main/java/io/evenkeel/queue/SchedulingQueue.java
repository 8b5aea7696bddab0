package io.evenkeel.queue;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.cluster.PodInfo.PodAdmission;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueObserver.QueueEvents;
import io.evenkeel.queue.QueuedGroups.WaitingMembers;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * The pods that wait for a node, each active, in backoff after a rejection or an error, unschedulable, gated, or in flight.
 *
 * <ul>
 *   <li>Active pods are taken in the order of the profile's queue sort, equal ones as they came. Where there are none,
 *       the rejected pod whose backoff ends next is taken early ({@link BackoffQueue}), unless a gate forbids it; pods with
 *       errors always wait, and so do those that nothing woke but what an attempt of another led to. With a pod, others
 *       may be taken that are placed together with it ({@link QueuedGroups}).
 *   <li>A pod that was turned away is unschedulable until a change comes of which a plugin that turned it away says that
 *       it may help, or until it has been so for long; then it is active, or in backoff until that has ended.
 *   <li>A pod that any plugin's PreEnqueue objects to is gated until a change of that plugin's; if another objects then,
 *       until one of the other's, and so on. However long that takes, it is not tried in between; after as long as an
 *       unschedulable pod, PreEnqueue is asked again though nothing has changed.
 *   <li>Backoff doubles with each failure, rejections and errors counted apart, so that others get their turn.
 * </ul>
 *
 * <p>add, pop, update and remove take O(log n) for n pods; a change takes a step for each plugin that listens to its
 * kind and each pod that it keeps waiting unfiled ({@link SleepingPods}). One thread calls this; time never goes back.
 */
public final class SchedulingQueue {
    private final KnownEntries entries;
    private final QueueObserver observer;
    private final SleepingPods sleeping;
    private final FairTurns turns;
    private final QueueStates states;
    private final NominatedPods nominated;
    private final NominatedCapacity rooms;
    private final Preemptors preemptors;
    private final QueuedGroups groups;
    private final HeldPlaces held;
    private long time; // of the last change or tick

    /**
     * @param admission admits pods for as long as they are in the queue or in flight
     * @param profilesByScheduler at least one; all with the same queue sort
     * @param nominated told of the pods that are nominated to nodes
     * @param members told of the pods that are placed together with others
     * @param turns decides which namespaces' pods wait behind others
     * @param stopwatch nanoseconds from anywhere, for the durations that the observer is told
     */
    public SchedulingQueue(
            PodAdmission admission,
            Map<String, SchedulingProfile> profilesByScheduler,
            NominatedPods nominated,
            WaitingMembers members,
            FairTurns turns,
            QueueSettings settings,
            QueueObserver observer,
            LongSupplier stopwatch) {
        this.entries = new KnownEntries(admission, profilesByScheduler, settings.needsExtenders(), members);
        this.observer = observer;
        this.turns = turns;
        this.sleeping = new SleepingPods(profilesByScheduler.values(), nominated, turns, settings, observer, stopwatch);
        Comparator<QueuedPod> sort =
                profilesByScheduler.values().iterator().next().queueOrder();
        Comparator<QueueEntry> turn = (left, right) -> sort.compare(left.queued, right.queued);
        this.nominated = nominated;
        this.rooms = new NominatedCapacity(nominated, this::changed);
        this.states = new QueueStates(entries, settings, observer, turn, sleeping, nominated, rooms, turns);
        this.preemptors = new Preemptors(entries, states, nominated, rooms, sleeping);
        this.groups = new QueuedGroups(entries, states);
        this.held = new HeldPlaces(entries, nominated, rooms);
    }

    /** A pod waits; one that is known already is updated, unless another has taken its name: then it starts again. */
    public void add(Pod pod, long now) {
        if (entries.find(pod).isPresent()) {
            update(pod, now);
            return;
        }
        entries.find(pod.key()).ifPresent(this::drop);
        turns.came(pod, now);
        QueueEntry entry = entries.add(pod, now);
        held.came(entry);
        states.enqueue(entry, Wake.AFTER_BACKOFF, QueueEvents.POD_ADD, now);
        groups.came(entry, now);
    }

    /**
     * A pod that waits has changed. One in flight keeps going with the new copy.
     *
     * @return in what respects that may help it; empty where it is new, or in none
     */
    public Optional<ClusterChange> update(Pod pod, long now) {
        Optional<QueueEntry> known = entries.find(pod);
        if (known.isEmpty()) {
            add(pod, now);
            return Optional.empty();
        }
        QueueEntry entry = known.get();
        Pod before = entry.pod();
        String kept = nominated.nodeOf(entry);
        if (pod.meta().isOfVersion(before.meta().resourceVersion())) {
            return Optional.empty();
        }
        turns.came(pod, now);
        replacePod(entry, pod, now);
        Optional<ClusterChange> change = ClusterChanges.ofWaitingPod(before, pod);
        switch (entry.state) {
            case ACTIVE, BACKOFF, ERROR_BACKOFF -> states.reorder(entry);
            case IN_FLIGHT -> change.ifPresent(own -> states.inFlightChanges().addOwn(entry, own));
            case UNSCHEDULABLE, GATED ->
                change.ifPresent(own -> {
                    sleeping.judge(entry, own);
                    states.wake(entry, now);
                });
        }
        rooms.changed(entry, before, kept, now);
        return change;
    }

    private void replacePod(QueueEntry entry, Pod pod, long now) {
        if (entry.isAsleep()) {
            sleeping.unfile(entry);
            entries.replacePod(entry, pod);
            states.regroup(entry);
            sleeping.file(entry);
            states.wake(entry, now);
        } else {
            entries.replacePod(entry, pod);
        }
    }

    /** A pod waits no more: it is gone, or another scheduler has placed it. An empty UID means whatever pod has that name. */
    public void remove(String podKey, String uid, long now) {
        entries.find(podKey).filter(entry -> uid.isEmpty() || entry.hasUid(uid)).ifPresent(entry -> {
            String kept = nominated.nodeOf(entry);
            drop(entry);
            rooms.freed(entry.pod(), kept, now);
        });
    }

    public Optional<Attempt> pop(long now) {
        return pop(now, true, false);
    }

    /** The same, but none that needs the extenders where these are busy, and others before gangs where these give way. */
    public Optional<Attempt> pop(long now, boolean extendersAreFree, boolean gangsGiveWay) {
        turns.at(now);
        return states.next(extendersAreFree, gangsGiveWay, now).map(entry -> states.take(entry, now));
    }

    /** Returns the fair turns of namespaces: work for a namespace is charged there. */
    public FairTurns turns() {
        return turns;
    }

    public QueuedGroups groups() {
        return groups;
    }

    public void bound(Attempt attempt) {
        if (attempt.afterFlush()) {
            observer.boundAfterFlush();
        }
        done(attempt);
    }

    public void done(Attempt attempt) {
        if (attempt.isOpen()) {
            drop(attempt.entry());
        }
    }

    /** No plugin can turn the pod away any more: what changes from now on is not kept for it. */
    public void accepted(Attempt attempt) {
        if (attempt.isOpen()) {
            states.inFlightChanges().end(attempt.entry());
        }
    }

    /**
     * The pod was turned away: it waits for a change that may help it. If one came since the pod was taken out, it is
     * tried again after its backoff; so it is where no plugin is named, as after an error.
     */
    public void rejected(Attempt attempt, RejectedBy by, long now) {
        if (by.isNobody()) {
            failed(attempt, now);
            return;
        }
        if (!attempt.isOpen()) {
            return;
        }
        QueueEntry entry = attempt.entry();
        List<ClusterChange> missed = states.inFlightChanges().end(entry);
        states.leave(entry);
        entry.rejections++;
        entry.consecutiveErrors = 0;
        entry.queued = new QueuedPod(entry.pod(), now);
        sleeping.reject(entry, by);
        missed.forEach(change -> sleeping.judge(entry, change));
        Wake how = entry.takeWake();
        if (how == Wake.NOT) {
            states.sleep(entry, QueueEvents.ATTEMPT_FAILURE, now);
        } else {
            states.enqueue(entry, how, QueueEvents.ATTEMPT_FAILURE, now);
        }
    }

    /** Something went wrong that is not the pod's fault: it is tried again after its backoff. */
    public void failed(Attempt attempt, long now) {
        if (!attempt.isOpen()) {
            return;
        }
        QueueEntry entry = attempt.entry();
        states.leave(entry);
        entry.consecutiveErrors++;
        entry.queued = new QueuedPod(entry.pod(), now);
        states.enqueue(entry, Wake.AFTER_BACKOFF, QueueEvents.ATTEMPT_FAILURE, now);
    }

    /** Returns the part of the queue for pods for which others go. */
    public Preemptors preemptors() {
        return preemptors;
    }

    /** Returns the places that are held for pods to come. */
    public HeldPlaces held() {
        return held;
    }

    /** The cluster has changed, and the state that plugins read with it: wakes the pods that this may help. */
    public void changed(ClusterChange change, long now) {
        changed(change, "", now);
    }

    /**
     * Takes in a change, and counts the pods of a namespace that it wakes.
     *
     * @return how many pods of that namespace it wakes
     */
    public long changed(ClusterChange change, String namespace, long now) {
        time = now;
        states.inFlightChanges().add(change);
        preemptors.changed(change, now);
        List<QueueEntry> woken = sleeping.wokenBy(change);
        woken.forEach(entry -> states.wake(entry, now));
        return woken.isEmpty()
                ? 0
                : woken.stream()
                        .filter(entry -> entry.pod().namespace().equals(namespace))
                        .count();
    }

    /** A plugin wants the pod tried without further delay. PreEnqueue is asked nevertheless. */
    public void activate(String podKey, long now) {
        entries.find(podKey)
                .filter(entry -> entry.state != QueueState.IN_FLIGHT && entry.state != QueueState.ACTIVE)
                .ifPresent(entry -> {
                    states.leave(entry);
                    states.enqueue(entry, Wake.AT_ONCE, QueueEvents.FORCE_ACTIVATE, now);
                });
    }

    /** Lets pods go on when their time has come; see {@link #nextDeadline}. */
    public void tick(long now) {
        time = now;
        turns.at(now);
        sleeping.wokenByBacklog().forEach(entry -> states.wake(entry, now));
        states.tick(now);
        held.tick(now);
    }

    /** Whether the next {@link #tick} may wake pods by what has come already. */
    public boolean hasHintsToAsk() {
        return sleeping.hasBacklog();
    }

    /** When {@link #tick} has something to do next. */
    public OptionalLong nextDeadline() {
        if (sleeping.hasBacklog()) {
            return OptionalLong.of(time);
        }
        return LongStream.concat(states.nextDeadline().stream(), held.nextDeadline().stream())
                .min();
    }

    /** The newest copy of a pod that waits or is in flight. */
    public Optional<Pod> find(String podKey) {
        return entries.find(podKey).map(QueueEntry::pod);
    }

    public Optional<QueueEntryView> view(String podKey) {
        return entries.find(podKey).map(QueueEntry::view);
    }

    /** All pods that wait or are in flight, in the order in which they came. */
    public List<Pod> pods() {
        return entries.all().map(QueueEntry::pod).toList();
    }

    public QueueCounts counts() {
        return states.counts();
    }

    public List<QueueEntryView> view() {
        return entries.all().map(QueueEntry::view).toList();
    }

    int keptChanges() {
        return states.inFlightChanges().kept();
    }

    private void drop(QueueEntry entry) {
        states.leave(entry);
        sleeping.clearRejection(entry);
        entries.forget(entry);
    }

    /** The state of a pod in the queue. */
    public enum QueueState {
        /** Next in turn. */
        ACTIVE("active"),
        /** Was turned away, may fit now, and is tried again when its backoff ends. */
        BACKOFF("backoff"),
        /** Ran into an error, and is tried again when its backoff ends, never earlier. */
        ERROR_BACKOFF("backoff"),
        /** Was turned away, and nothing has changed for it since. */
        UNSCHEDULABLE("unschedulable"),
        /** A plugin does not let it into the queue. */
        GATED("gated"),
        /** Being placed or bound. */
        IN_FLIGHT("");

        private final String metricName;

        QueueState(String metricName) {
            this.metricName = metricName;
        }

        /** The value of metrics' label {@code queue}; empty for pods in flight, which are in none. */
        public String metricName() {
            return metricName;
        }
    }

    /**
     * The numbers of pods in each state.
     *
     * @param needingExtenders the active ones that need the extenders, and wait where these are busy
     * @param inFlight being placed or bound
     * @param rejected by profile and plugin, the pods that it has turned away or gated and that have not been tried since; a
     *     pod counts for each of its rejectors
     */
    public record QueueCounts(
            int active,
            int needingExtenders,
            int backoff,
            int unschedulable,
            int gated,
            int inFlight,
            List<Rejected> rejected) {

        /** The same with so many more pods in that state, or fewer; those in flight are what they are. */
        public QueueCounts plus(QueueState state, int pods) {
            return new QueueCounts(
                    active + (state == QueueState.ACTIVE ? pods : 0),
                    needingExtenders,
                    backoff + (state == QueueState.BACKOFF || state == QueueState.ERROR_BACKOFF ? pods : 0),
                    unschedulable + (state == QueueState.UNSCHEDULABLE ? pods : 0),
                    gated + (state == QueueState.GATED ? pods : 0),
                    inFlight,
                    rejected);
        }

        /** How many pods a plugin of a profile keeps waiting. */
        public record Rejected(String profile, String plugin, int pods) {}
    }

    /**
     * A pod in the queue, for dumps.
     *
     * @param sinceNanos when it came into its state
     * @param rejectedBy the plugins that keep it waiting or gated, sorted
     * @param nominatedNode where room is left for it; empty for none
     * @param needsExtenders whether it can be tried only while no other pod is at the extenders
     * @param nextTryNanos when it is tried again if nothing changes; empty where it is its turn anyway, or only a change helps
     */
    public record QueueEntryView(
            String key,
            QueueState state,
            int priority,
            int attempts,
            long sinceNanos,
            List<String> rejectedBy,
            String nominatedNode,
            boolean needsExtenders,
            OptionalLong nextTryNanos) {

        /** Whether it would be its turn if no other pod were at the extenders. */
        public boolean waitsForExtenders() {
            return needsExtenders && state == QueueState.ACTIVE;
        }
    }
}
