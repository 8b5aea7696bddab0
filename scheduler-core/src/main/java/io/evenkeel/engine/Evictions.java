package io.evenkeel.engine;

import io.evenkeel.engine.Evictions.Eviction;
import io.evenkeel.engine.Evictions.Leaving.Stage;
import io.evenkeel.engine.decision.LeavingPods;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Preemptors;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The pods that are on their way out for others. The pod that they go for is held back in the queue until the cluster shows
 * that they are leaving: tried earlier it would find them in its way still, and choose others too. How long they take to end
 * is not waited for here; that they have ended wakes the pod like any other change.
 *
 * <p>Where one stays after all, because the server did not let it go or never showed it going, the pod is tried again.
 *
 * <pre>
 *   stage     what comes                                 next
 *   BINDING   it is in place                             ANSWER, and the command goes out
 *             it is not, after all                       gone
 *   ANSWER    evicted, or there was no such pod any more WATCH
 *             anything else                              it stays: who it was to go for is tried again
 *   WATCH     nothing for confirmWithin                  it stays
 *   any       the watch shows it terminating, or gone    gone
 * </pre>
 *
 * <p>A pod is asked to go once, however many wait for it: who comes later joins.
 */
public final class Evictions {

    /** Where a pod is that was chosen to go. */
    public enum Whereabouts {
        IN_PLACE,
        /** It counts on its node, and is not yet known to be bound. */
        ON_ITS_WAY,
        GONE
    }

    /** The calls that evictions make to the engine around them. */
    public interface Surroundings {
        /** Has the pod evicted, and {@link #accepted} or {@link #failed} follows; false where that cannot even be asked for. */
        boolean evict(Eviction eviction);

        /** Turns the pod away if it only waits for a permit; false where it does not. */
        boolean turnAway(Eviction eviction);

        Whereabouts whereabouts(Pod pod);

        /** All who were to go for a pod are on their way out, or one of them stays. */
        void ended(boolean success, long nanos);
    }

    private final Preemptors preemptors;
    private final Surroundings surroundings;
    private final long confirmWithin;
    private final LongSupplier clock;
    private final LeavingPods told;
    private final Map<String, Leaving> byVictim = new HashMap<>();
    /** The evictions that were accepted, in that order, which is that of their deadlines. */
    private final Deque<Leaving> unconfirmed = new ArrayDeque<>();
    /** The evictions of pods that are still being bound. */
    private final List<Leaving> onTheirWay = new ArrayList<>();

    /** @param told whom decisions take for leaving */
    public Evictions(
            Preemptors preemptors,
            Surroundings surroundings,
            LeavingPods told,
            Duration confirmWithin,
            LongSupplier clock) {
        this.told = told;
        this.preemptors = preemptors;
        this.surroundings = surroundings;
        this.confirmWithin = confirmWithin.toNanos();
        this.clock = clock;
    }

    /** The pod fits on the node once these are gone; pods that are leaving anyway are left alone. */
    public void begin(Pod preemptor, String node, String plugin, List<Pod> victims) {
        begin(preemptor, plugin, victims, _ -> node);
    }

    /** The pod, and others with it, fit somewhere once these are gone from wherever they are. */
    public void begin(Pod preemptor, String plugin, List<Pod> victims) {
        begin(preemptor, plugin, victims, victim -> victim.spec().nodeName());
    }

    private void begin(Pod preemptor, String plugin, List<Pod> victims, Function<Pod, String> nodeOf) {
        long now = clock.getAsLong();
        Preemption preemption = new Preemption(preemptor, now);
        List<Leaving> newcomers = new ArrayList<>();
        for (Pod victim : victims) {
            Eviction eviction = new Eviction(victim, preemptor, nodeOf.apply(victim), plugin);
            if (!victim.meta().terminating() && !surroundings.turnAway(eviction)) {
                await(eviction, preemption).ifPresent(newcomers::add);
            }
        }
        if (!preemption.awaited().isEmpty()) {
            preemptors.hold(preemptor, plugin, now);
        }
        newcomers.forEach(this::ask);
    }

    /** Returns the pod where it was not awaited before. */
    private Optional<Leaving> await(Eviction eviction, Preemption preemption) {
        String uid = eviction.victim().meta().uid();
        Optional<Leaving> known = Optional.ofNullable(byVictim.get(uid));
        Leaving leaving = known.orElseGet(() -> new Leaving(eviction));
        byVictim.put(uid, leaving);
        told.add(uid);
        leaving.preemptions().add(preemption);
        preemption.awaited().add(uid);
        return known.isPresent() ? Optional.empty() : Optional.of(leaving);
    }

    private void ask(Leaving leaving) {
        if (surroundings.whereabouts(leaving.eviction().victim()) == Whereabouts.ON_ITS_WAY) {
            onTheirWay.add(leaving);
            return;
        }
        leaving.enter(Stage.ANSWER, Long.MAX_VALUE);
        if (!surroundings.evict(leaving.eviction())) {
            failed(leaving.uid());
        }
    }

    /** The server has let the pod go, or does not know it any more; what for, if it was to go. */
    public Optional<Eviction> accepted(String uid) {
        Optional<Leaving> leaving = Optional.ofNullable(byVictim.get(uid)).filter(each -> each.stage() == Stage.ANSWER);
        leaving.ifPresent(each -> {
            if (each.wasSeen()) {
                forget(each);
            } else {
                each.enter(Stage.WATCH, clock.getAsLong() + confirmWithin);
                unconfirmed.add(each);
                List.copyOf(each.preemptions()).forEach(this::endIfOver);
            }
        });
        return leaving.map(Leaving::eviction);
    }

    /** The pod stays. */
    public void failed(String uid) {
        Optional.ofNullable(byVictim.get(uid)).ifPresent(leaving -> {
            leaving.preemptions().forEach(Preemption::fail);
            forget(leaving);
        });
    }

    /** The pod is being deleted, or gone. The answer may be still to come; until then it is known for whom it went. */
    public void sawLeaving(String uid) {
        Optional.ofNullable(byVictim.get(uid)).ifPresent(leaving -> {
            if (leaving.stage() == Stage.ANSWER) {
                leaving.saw();
                release(leaving);
            } else {
                forget(leaving);
            }
        });
    }

    /** Nothing more is to be heard of the pod. */
    private void forget(Leaving leaving) {
        byVictim.remove(leaving.uid());
        told.remove(leaving.uid());
        release(leaving);
    }

    /** Nobody waits for the pod any more. */
    private void release(Leaving leaving) {
        List<Preemption> waiting = List.copyOf(leaving.preemptions());
        leaving.preemptions().clear();
        waiting.forEach(preemption -> {
            preemption.awaited().remove(leaving.uid());
            endIfOver(preemption);
        });
    }

    /** Where somebody stays, the rest is waited for only until it is known whether they stay too. */
    private void endIfOver(Preemption preemption) {
        boolean isOver = preemption.awaited().isEmpty() || (preemption.hasFailed() && isAnswered(preemption));
        if (!isOver) {
            return;
        }
        for (String uid : preemption.awaited()) {
            Optional.ofNullable(byVictim.get(uid))
                    .ifPresent(leaving -> leaving.preemptions().remove(preemption));
        }
        long now = clock.getAsLong();
        surroundings.ended(!preemption.hasFailed(), now - preemption.startedAt());
        preemptors.release(preemption.preemptor(), preemption.hasFailed(), now);
    }

    private boolean isAnswered(Preemption preemption) {
        return preemption.awaited().stream()
                .map(byVictim::get)
                .allMatch(leaving -> leaving != null && leaving.stage() == Stage.WATCH);
    }

    /** To be called after each change, as it may have ended a binding. */
    public void settle() {
        for (Leaving leaving : List.copyOf(onTheirWay)) {
            if (byVictim.get(leaving.uid()) != leaving) {
                onTheirWay.remove(leaving);
                continue;
            }
            switch (surroundings.whereabouts(leaving.eviction().victim())) {
                case ON_ITS_WAY -> {}
                case IN_PLACE -> {
                    onTheirWay.remove(leaving);
                    ask(leaving);
                }
                case GONE -> {
                    onTheirWay.remove(leaving);
                    sawLeaving(leaving.uid());
                }
            }
        }
    }

    /** Gives those up that the watch should have shown by now. */
    public void tick() {
        long now = clock.getAsLong();
        for (Optional<Leaving> first = firstUnconfirmed();
                first.isPresent() && first.get().deadline() - now <= 0;
                first = firstUnconfirmed()) {
            failed(first.get().uid());
        }
    }

    /** When {@link #tick} has something to do next. */
    public OptionalLong nextDeadline() {
        Optional<Leaving> first = firstUnconfirmed();
        return first.isPresent() ? OptionalLong.of(first.get().deadline()) : OptionalLong.empty();
    }

    private Optional<Leaving> firstUnconfirmed() {
        while (!unconfirmed.isEmpty()) {
            Leaving first = unconfirmed.getFirst();
            if (byVictim.get(first.uid()) == first) {
                return Optional.of(first);
            }
            unconfirmed.removeFirst();
        }
        return Optional.empty();
    }

    /**
     * A pod that is to go from a node so that another may run there.
     *
     * @param plugin the one that chose it
     */
    public record Eviction(Pod victim, Pod preemptor, String node, String plugin) {}

    /** A pod that is to go, and for whom. */
    static final class Leaving {

        /** The step that is being waited for. */
        enum Stage {
            /** Its binding, to end: a pod that turns out to be on no node need not go. */
            BINDING,
            /** The answer to the command that evicts it. */
            ANSWER,
            /** The watch, to show that it is being deleted, or gone. */
            WATCH
        }

        private final Eviction eviction;
        private final Set<Preemption> preemptions = new LinkedHashSet<>();
        private Stage stage = Stage.BINDING;
        private long deadline = Long.MAX_VALUE;
        private boolean seen;

        /** @param eviction the first that it is to go for; others may join */
        Leaving(Eviction eviction) {
            this.eviction = eviction;
        }

        Eviction eviction() {
            return eviction;
        }

        String uid() {
            return eviction.victim().meta().uid();
        }

        Set<Preemption> preemptions() {
            return preemptions;
        }

        Stage stage() {
            return stage;
        }

        /** When the watch is thought to show it no more. */
        long deadline() {
            return deadline;
        }

        /** Whether the watch has shown it leaving before the answer came. */
        boolean wasSeen() {
            return seen;
        }

        void saw() {
            seen = true;
        }

        void enter(Stage next, long until) {
            stage = next;
            deadline = until;
        }
    }

    /** A pod for which others are on their way out. */
    static final class Preemption {
        private final Pod preemptor;
        private final long startedAt;
        private final Set<String> awaited = new HashSet<>();
        private boolean failed;

        Preemption(Pod preemptor, long startedAt) {
            this.preemptor = preemptor;
            this.startedAt = startedAt;
        }

        Pod preemptor() {
            return preemptor;
        }

        long startedAt() {
            return startedAt;
        }

        /** The UIDs of the pods that are not known to leave yet. */
        Set<String> awaited() {
            return awaited;
        }

        /** Whether somebody stays after all. */
        boolean hasFailed() {
            return failed;
        }

        void fail() {
            failed = true;
        }
    }
}
