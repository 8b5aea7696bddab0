package io.evenkeel.queue;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.queue.EntryHeap.EntryHeaps;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueObserver.QueueEvents;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The pods of the queue by the state that they are in, each in exactly one, and how they pass from one to the other.
 * Whatever moves a pod first takes it out by {@link #leave}. All moves take O(log n).
 *
 * <pre>
 *   state           it is taken   it was rejected              it failed       a change may help     its time comes
 *   ACTIVE          IN_FLIGHT
 *   IN_FLIGHT                     UNSCHEDULABLE, or BACKOFF    ERROR_BACKOFF   (kept for the end)
 *                                 if a change came meanwhile
 *   UNSCHEDULABLE                                                              BACKOFF, or ACTIVE    ACTIVE
 *                                                                              if that has ended
 *   BACKOFF         IN_FLIGHT, early                                                                 ACTIVE
 *   ERROR_BACKOFF                                                                                    ACTIVE
 *   GATED                                                                      as UNSCHEDULABLE, unless a gate is left,
 *                                                                              likewise once its time comes
 * </pre>
 *
 * <p>A new pod is ACTIVE. Whichever pod a plugin's PreEnqueue objects to where it would become ACTIVE, or wait in a backoff
 * that may end early, is GATED instead.
 */
final class QueueStates {
    /** Of a gated pod, however short others wait at most. */
    private static final long LEAST_BETWEEN_QUESTIONS = TimeUnit.SECONDS.toNanos(30);

    private final KnownEntries entries;
    private final QueueSettings settings;
    private final QueueObserver observer;
    private final FairTurns turns;
    private final ActivePods active;
    private final BackoffQueue backoff;
    private final EntryHeap unschedulable = new EntryHeap(Comparator.comparingLong(entry -> entry.dueAt));
    private final EntryHeap gated = new EntryHeap(Comparator.comparingLong(entry -> entry.dueAt));
    private final SleepingPods sleeping;
    private final NominatedPods nominated;
    private final NominatedCapacity rooms;
    private final InFlightChanges inFlightChanges = new InFlightChanges();
    private final GatedGroups gatedGroups = new GatedGroups();
    private int inFlight;
    private long sequence;

    /** @param turn the order in which active pods are taken */
    QueueStates(
            KnownEntries entries,
            QueueSettings settings,
            QueueObserver observer,
            Comparator<QueueEntry> turn,
            SleepingPods sleeping,
            NominatedPods nominated,
            NominatedCapacity rooms,
            FairTurns turns) {
        this.entries = entries;
        this.nominated = nominated;
        this.rooms = rooms;
        this.settings = settings;
        this.observer = observer;
        this.turns = turns;
        this.active = new ActivePods(turn, turns);
        this.backoff = new BackoffQueue(settings, turn);
        this.sleeping = sleeping;
    }

    InFlightChanges inFlightChanges() {
        return inFlightChanges;
    }

    /**
     * The pod whose turn it is: the first active one, or where there is none, a rejected one in backoff if that may be; none
     * of those that need the extenders where these are busy, and of gangs that give way only where no other is active.
     */
    Optional<QueueEntry> next(boolean extendersAreFree, boolean gangsGiveWay, long now) {
        Optional<QueueEntry> first = active.first(extendersAreFree, gangsGiveWay, now);
        if (first.isPresent() || !settings.popsFromBackoff()) {
            return first;
        }
        Optional<QueueEntry> early = backoff.firstEarly();
        while (early.isPresent() && turns.givesWay(early.get().pod())) {
            backoff.refile(early.get(), true);
            early = backoff.firstEarly();
        }
        return early.filter(entry -> extendersAreFree || !entry.needsExtenders);
    }

    /** The pod need not sit its backoff out any more. */
    void letOutEarly(QueueEntry entry) {
        backoff.refile(entry, false);
    }

    /** To be called after something changed that the order depends on. */
    void reorder(QueueEntry entry) {
        if (entry.state == QueueState.ACTIVE) {
            active.reorder(entry);
        } else {
            backoff.reorder(entry);
        }
    }

    /** Brings a pod that is in no state where it belongs: gated, in backoff or active. */
    void enqueue(QueueEntry entry, Wake how, String event, long now) {
        schedule(entry, how, now);
        boolean mayBeTaken = entry.dueAt <= now || settings.popsFromBackoff();
        if (!mayBeTaken || !isGated(entry, event, now)) {
            lineUp(entry, event, now);
        }
    }

    /** Wakes the pod if changes do, as it was noted in it. */
    void wake(QueueEntry entry, long now) {
        Wake how = entry.takeWake();
        if (how != Wake.NOT) {
            wake(entry, how, entry.wokenBy, now);
        }
    }

    /** Something has happened that may help the pod. PreEnqueue is asked once, also where it was gated. */
    void wake(QueueEntry entry, Wake how, String event, long now) {
        if (entry.state != QueueState.GATED) {
            leave(entry);
            enqueue(entry, how, event, now);
        } else if (!staysGated(entry, event, now)) {
            leave(entry);
            schedule(entry, how, now);
            lineUp(entry, event, now);
        }
    }

    private void schedule(QueueEntry entry, Wake how, long now) {
        entry.dueAt = how == Wake.AT_ONCE ? now : backoff.endOf(entry);
        entry.sitsOut = how == Wake.AFTER_WHOLE_BACKOFF || turns.givesWay(entry.pod());
    }

    private void lineUp(QueueEntry entry, String event, long now) {
        if (entry.dueAt <= now) {
            activate(entry, event, now);
        } else {
            boolean isError = entry.consecutiveErrors > 0;
            enter(entry, isError ? QueueState.ERROR_BACKOFF : QueueState.BACKOFF, now);
            backoff.add(entry);
            observer.incoming(entry.state.metricName(), event);
        }
    }

    private boolean isGated(QueueEntry entry, String event, long now) {
        Optional<String> gate = gateOf(entry);
        gate.ifPresent(plugin -> gate(entry, plugin, event, now));
        return gate.isPresent();
    }

    /** The plugin that does not let the pod be tried. */
    private static Optional<String> gateOf(QueueEntry entry) {
        return entry.heldBy.or(() -> entry.profile.preEnqueue(entry.pod()).map(SchedulingProfile.Gate::plugin));
    }

    /** Whether a gated pod has to stay so. If it is another plugin that gates it now, it waits for that one's changes. */
    private boolean staysGated(QueueEntry entry, String event, long now) {
        Optional<String> gate = gateOf(entry);
        gate.filter(plugin -> !SleepingPods.pluginsThatKeep(entry).contains(plugin))
                .ifPresent(other -> {
                    leave(entry);
                    gate(entry, other, event, now);
                });
        return gate.isPresent();
    }

    private void gate(QueueEntry entry, String plugin, String event, long now) {
        sleeping.reject(entry, new RejectedBy(Set.of(plugin), Set.of()));
        sleepUntil(askedAgainAt(now), entry, QueueState.GATED, event, now);
        gated.add(entry);
        gatedGroups.put(entry);
        rooms.gated(entry, now);
    }

    /** Whether a gate holds any pod of the group. */
    boolean isAnyGated(GroupKey group) {
        return gatedGroups.has(group);
    }

    /** A pod that waits may be in another group now. */
    void regroup(QueueEntry entry) {
        if (entry.state == QueueState.GATED) {
            gatedGroups.put(entry);
        }
    }

    private void activate(QueueEntry entry, String event, long now) {
        enter(entry, QueueState.ACTIVE, now);
        entry.firstActiveAt = entry.wasActive ? entry.firstActiveAt : now;
        entry.wasActive = true;
        active.add(entry);
        observer.incoming(QueueState.ACTIVE.metricName(), event);
    }

    /** A pod that is in no state was taken out too early. */
    void comeBack(QueueEntry entry, long now) {
        activate(entry, QueueEvents.ATTEMPT_FAILURE, now);
    }

    /** The same, and it is not to be taken before that time. */
    void putOff(QueueEntry entry, long until, long now) {
        entry.dueAt = until;
        entry.sitsOut = true;
        enter(entry, QueueState.BACKOFF, now);
        backoff.add(entry);
        observer.incoming(QueueState.BACKOFF.metricName(), QueueEvents.ATTEMPT_FAILURE);
    }

    /** Nothing has happened yet that may help the pod. */
    void sleep(QueueEntry entry, String event, long now) {
        sleepUntil(now + settings.longestUnschedulable().toNanos(), entry, QueueState.UNSCHEDULABLE, event, now);
        unschedulable.add(entry);
    }

    private long askedAgainAt(long now) {
        return now
                + Math.max(
                        LEAST_BETWEEN_QUESTIONS, settings.longestUnschedulable().toNanos());
    }

    private void sleepUntil(long until, QueueEntry entry, QueueState state, String event, long now) {
        entry.dueAt = until;
        enter(entry, state, now);
        sleeping.add(entry);
        observer.incoming(QueueState.UNSCHEDULABLE.metricName(), event);
    }

    /** The pod is taken to be placed. */
    Attempt take(QueueEntry entry, long now) {
        turns.taken(entry.pod());
        if (entry.state == QueueState.BACKOFF) {
            observer.incoming(QueueState.ACTIVE.metricName(), QueueEvents.POP_FROM_BACKOFF);
        }
        leave(entry);
        enter(entry, QueueState.IN_FLIGHT, now);
        inFlightChanges.begin(entry);
        inFlight++;
        entries.showNomination(entry);
        sleeping.clearRejection(entry);
        entry.attempts++;
        Attempt attempt = new Attempt(entry);
        entry.flushed = false;
        return attempt;
    }

    /** As if the pod had not been taken, but that it is in no state yet. */
    void takeBack(Attempt attempt) {
        QueueEntry entry = attempt.entry();
        leave(entry);
        entry.attempts--;
        entry.flushed = attempt.afterFlush();
    }

    private void enter(QueueEntry entry, QueueState state, long now) {
        entry.state = state;
        entry.stateSince = now;
        entry.sequence = sequence++;
        if (state != QueueState.IN_FLIGHT) {
            nominated.put(entry);
        }
    }

    void leave(QueueEntry entry) {
        entry.roomBefore = nominated.nodeOf(entry);
        nominated.remove(entry);
        switch (entry.state) {
            case ACTIVE -> active.remove(entry);
            case BACKOFF, ERROR_BACKOFF -> backoff.remove(entry);
            case UNSCHEDULABLE -> {
                unschedulable.remove(entry);
                sleeping.remove(entry);
            }
            case GATED -> {
                gated.remove(entry);
                gatedGroups.remove(entry);
                sleeping.remove(entry);
                sleeping.clearRejection(entry);
            }
            case IN_FLIGHT -> {
                inFlight--;
                inFlightChanges.end(entry);
            }
        }
    }

    /** Lets pods go on when their time has come. */
    void tick(long now) {
        for (var due = backoff.firstDue(now); due.isPresent(); due = backoff.firstDue(now)) {
            leave(due.get());
            if (settings.popsFromBackoff()) {
                activate(due.get(), QueueEvents.BACKOFF_COMPLETE, now);
            } else {
                enqueue(due.get(), Wake.AT_ONCE, QueueEvents.BACKOFF_COMPLETE, now);
            }
        }
        while (!unschedulable.isEmpty() && unschedulable.first().dueAt <= now) {
            flush(unschedulable.first(), now);
        }
        while (!gated.isEmpty() && gated.first().dueAt <= now) {
            QueueEntry entry = gated.first();
            entry.dueAt = askedAgainAt(now);
            gated.reorder(entry);
            flush(entry, now);
        }
    }

    private void flush(QueueEntry entry, long now) {
        wake(entry, Wake.AFTER_BACKOFF, QueueEvents.UNSCHEDULABLE_TIMEOUT, now);
        entry.flushed = entry.state != QueueState.GATED;
    }

    /** When {@link #tick} has something to do next. */
    OptionalLong nextDeadline() {
        return Stream.of(backoff.nextEnd(), nextFlush(unschedulable), nextFlush(gated), active.nextRested())
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    private static OptionalLong nextFlush(EntryHeap waiting) {
        return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.first().dueAt);
    }

    QueueCounts counts() {
        return new QueueCounts(
                active.size(),
                active.countWithExtenders(),
                backoff.size(),
                unschedulable.size(),
                gated.size(),
                inFlight,
                sleeping.rejected());
    }

    /** The groups with some pods held by a gate: mostly none, so that no search is made where another pod comes. */
    private static final class GatedGroups {
        private final Map<QueueEntry, GroupKey> groups = new HashMap<>();
        private final Map<GroupKey, Integer> counts = new HashMap<>();

        void put(QueueEntry entry) {
            remove(entry);
            entry.group().ifPresent(group -> {
                groups.put(entry, group);
                counts.merge(group, 1, Integer::sum);
            });
        }

        void remove(QueueEntry entry) {
            GroupKey group = groups.remove(entry);
            if (group != null) {
                counts.computeIfPresent(group, (_, count) -> count == 1 ? null : count - 1);
            }
        }

        boolean has(GroupKey group) {
            return counts.containsKey(group);
        }
    }

    /**
     * The changes while pods are in flight: one that is turned away late, as it waited for a permit, would else sleep
     * through the change that helps it.
     *
     * <p>The changes of the cluster are kept once for all pods, from when the first of them was taken out; a change of a
     * pod's own with that pod. So a change costs one step however many pods are in flight, and nothing while there are none.
     *
     * <pre>
     *                              kept     p in flight from  q in flight from
     *   p is taken out                      0
     *   changes A and B            A B      0
     *   q is taken out             A B      0                 2
     *   change C; Q, of q's own    A B C    0                 2, and Q
     *   end(q): it missed Q C      A B C    0
     *   end(p): it missed A B C
     * </pre>
     */
    static final class InFlightChanges {
        private final Map<QueueEntry, Flight> flights = new LinkedHashMap<>();
        private final List<ClusterChange> changes = new ArrayList<>();
        /** How many changes came before the ones that are kept. */
        private long forgotten;

        private record Flight(long changesBefore, List<ClusterChange> own) {}

        /** The pod is taken out, and may come back. */
        void begin(QueueEntry entry) {
            flights.put(entry, new Flight(forgotten + changes.size(), new ArrayList<>(0)));
        }

        void add(ClusterChange change) {
            if (!flights.isEmpty()) {
                changes.add(change);
            }
        }

        void addOwn(QueueEntry entry, ClusterChange change) {
            Flight flight = flights.get(entry);
            if (flight != null) {
                flight.own.add(change);
            }
        }

        /** Returns the changes since the pod was taken out; nothing is kept for it any more. */
        List<ClusterChange> end(QueueEntry entry) {
            Flight flight = flights.remove(entry);
            if (flight == null) {
                return List.of();
            }
            List<ClusterChange> missed = new ArrayList<>(flight.own);
            missed.addAll(changes.subList((int) (flight.changesBefore - forgotten), changes.size()));
            forget();
            return missed;
        }

        /** How many changes are kept, each counted once, however many pods it is kept for. */
        int kept() {
            int own = flights.values().stream()
                    .mapToInt(flight -> flight.own.size())
                    .sum();
            return changes.size() + own;
        }

        /** Drops what came before the first pod in flight, once it is the greater part: so each change is moved but once. */
        private void forget() {
            int needless = flights.isEmpty()
                    ? changes.size()
                    : (int) (flights.values().iterator().next().changesBefore - forgotten);
            if (needless > changes.size() / 2) {
                changes.subList(0, needless).clear();
                forgotten += needless;
            }
        }
    }

    /**
     * The pods that may be tried now, in the order of the queue's sort. Those that extenders have a say in are kept apart, so
     * that the others can be taken while these wait for the one that is at the extenders. For example:
     *
     * <pre>
     *   pod  priority  needs extenders      first, where these are free   and where they are busy
     *   a    9         yes                  a                             c
     *   b    7         yes
     *   c    5         no
     * </pre>
     *
     * <p>Pods of gangs, whose turns may take long, are kept apart too, so that others can be taken in between. So are those of
     * namespaces that are behind ({@link FairTurns}), as far as it would have been their turn: they come after all others.
     *
     * <p>add, remove and reorder take O(log n), the first is found at once.
     */
    private static final class ActivePods {
        private final Comparator<QueueEntry> order;
        private final FairTurns turns;
        private final Lines lines;
        private final Map<String, Lines> behind = new TreeMap<>();

        /** @param turn the order in which they are taken */
        ActivePods(Comparator<QueueEntry> turn, FairTurns turns) {
            order = turn.thenComparingLong(entry -> entry.sequence);
            this.turns = turns;
            lines = new Lines(turn);
        }

        /** @param gangsGiveWay whether pods of gangs, as far as they are known as such, come after all others */
        Optional<QueueEntry> first(boolean extendersAreFree, boolean gangsGiveWay, long now) {
            if (!behind.isEmpty()) {
                catchUp();
            }
            Optional<QueueEntry> first = lines.first(extendersAreFree, gangsGiveWay);
            while (first.isPresent() && turns.isBehind(turns.payerOf(first.get().pod()))) {
                fallBehind(first.get());
                first = lines.first(extendersAreFree, gangsGiveWay);
            }
            if (behind.isEmpty()) {
                return first;
            }
            boolean mayRest = first.isEmpty();
            Optional<QueueEntry> late = behind.entrySet().stream()
                    .filter(one -> !mayRest || !turns.isResting(one.getKey()))
                    .map(Map.Entry::getValue)
                    .flatMap(waiting -> waiting.first(extendersAreFree, gangsGiveWay).stream())
                    .min(order);
            if (first.isEmpty()) {
                return late;
            }
            late.filter(entry -> order.compare(
                                    entry,
                                    lines.first(extendersAreFree, gangsGiveWay).orElseThrow())
                            < 0)
                    .ifPresent(entry -> turns.passedOver(entry.pod(), entry.behind.orElseThrow(), now));
            return first;
        }

        /** When pods of a namespace that is behind have rested. */
        OptionalLong nextRested() {
            long first = Long.MAX_VALUE;
            for (Map.Entry<String, Lines> one : behind.entrySet()) {
                if (one.getValue().size() > 0 && turns.isResting(one.getKey())) {
                    first = Math.min(first, turns.restsUntil(one.getKey()));
                }
            }
            return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
        }

        private void fallBehind(QueueEntry entry) {
            lines.remove(entry);
            String payer = turns.payerOf(entry.pod());
            entry.behind = Optional.of(payer);
            behind.computeIfAbsent(payer, _ -> new Lines(order)).add(entry);
        }

        /** Lets those back who are no longer behind. */
        private void catchUp() {
            Iterator<Map.Entry<String, Lines>> all = behind.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<String, Lines> one = all.next();
                if (one.getValue().size() == 0) {
                    all.remove();
                } else if (!turns.isBehind(one.getKey())) {
                    all.remove();
                    one.getValue().drainTo(lines);
                }
            }
        }

        private Lines linesOf(QueueEntry entry) {
            return entry.behind.map(payer -> behind.getOrDefault(payer, lines)).orElse(lines);
        }

        void add(QueueEntry entry) {
            lines.add(entry);
        }

        void remove(QueueEntry entry) {
            linesOf(entry).remove(entry);
            entry.behind = Optional.empty();
        }

        /** To be called after something changed that the order depends on. */
        void reorder(QueueEntry entry) {
            linesOf(entry).reorder(entry);
        }

        int size() {
            return lines.size() + behind.values().stream().mapToInt(Lines::size).sum();
        }

        int countWithExtenders() {
            return lines.withExtenders.size()
                    + behind.values().stream()
                            .mapToInt(waiting -> waiting.withExtenders.size())
                            .sum();
        }

        /** Pods that come after each other, by what may keep some of them from being taken. */
        private static final class Lines extends EntryHeaps {
            private final Comparator<QueueEntry> order;
            private final EntryHeap free;
            private final EntryHeap withExtenders;
            private final EntryHeap ofGangs;

            Lines(Comparator<QueueEntry> turn) {
                order = turn.thenComparingLong(entry -> entry.sequence);
                free = new EntryHeap(turn);
                withExtenders = new EntryHeap(turn);
                ofGangs = new EntryHeap(turn);
            }

            Optional<QueueEntry> first(boolean extendersAreFree, boolean gangsGiveWay) {
                EntryHeap first = extendersAreFree ? earlier(free, withExtenders) : free;
                if (!gangsGiveWay || first.isEmpty()) {
                    first = earlier(first, ofGangs);
                }
                return first.isEmpty() ? Optional.empty() : Optional.of(first.first());
            }

            private EntryHeap earlier(EntryHeap one, EntryHeap other) {
                boolean isOther = !other.isEmpty() && (one.isEmpty() || order.compare(other.first(), one.first()) < 0);
                return isOther ? other : one;
            }

            void drainTo(Lines others) {
                for (EntryHeap heap : new EntryHeap[] {free, withExtenders, ofGangs}) {
                    while (!heap.isEmpty()) {
                        QueueEntry entry = heap.first();
                        heap.remove(entry);
                        entry.behind = Optional.empty();
                        others.add(entry);
                    }
                }
            }

            int size() {
                return free.size() + withExtenders.size() + ofGangs.size();
            }

            @Override
            EntryHeap heapOf(QueueEntry entry) {
                if (entry.needsExtenders) {
                    return withExtenders;
                }
                return entry.isOfGang ? ofGangs : free;
            }
        }
    }
}
