package io.evenkeel.engine;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.Preemptors;
import io.evenkeel.queue.SchedulingQueue;
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
import java.util.function.Consumer;
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
final class Preemptions {

    /** Where a pod is that was chosen to go. */
    private enum Whereabouts {
        IN_PLACE,
        /** It counts on its node, and is not yet known to be bound. */
        ON_ITS_WAY,
        GONE
    }

    private final ClusterView cluster;
    private final AssumedPods assumed;
    private final Permits permits;
    private final AttemptOutcomes outcomes;
    private final Preemptors preemptors;
    private final Set<String> told;
    private final long confirmWithin;
    private final Consumer<? super Command> commands;
    private final SchedulerObserver observer;
    private final LongSupplier clock;
    private final Map<String, Leaving> byVictim = new HashMap<>();
    /** The evictions that were accepted, in that order, which is that of their deadlines. */
    private final Deque<Leaving> unconfirmed = new ArrayDeque<>();
    /** The evictions of pods that are still being bound. */
    private final List<Leaving> onTheirWay = new ArrayList<>();

    /** @param told the UIDs of pods that decisions take for leaving: they were asked to go, and the watch does not show it yet */
    Preemptions(
            ClusterView cluster,
            SchedulingQueue queue,
            Permits permits,
            AssumedPods assumed,
            AttemptOutcomes outcomes,
            Set<String> told,
            SchedulerSettings settings,
            Consumer<? super Command> commands,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.cluster = cluster;
        this.assumed = assumed;
        this.permits = permits;
        this.outcomes = outcomes;
        this.preemptors = queue.preemptors();
        this.told = told;
        this.confirmWithin = settings.confirmWithin().toNanos();
        this.commands = commands;
        this.observer = observer;
        this.clock = clock;
    }

    /**
     * The attempt has ended, and the pod waits: it fits on the node chosen once the victims are gone. Pods that are leaving
     * anyway are left alone.
     */
    void begin(Attempt attempt, Decision.Unschedulable decision) {
        boolean isUnderway =
                decision.victims().stream().allMatch(victim -> victim.meta().terminating());
        if (isUnderway || !attempt.stillWanted()) {
            return;
        }
        Pod preemptor = attempt.pod();
        String node = decision.nominatedNode().orElse("");
        observer.preempting(decision.victims().size());
        begin(preemptor, decision.chosenBy(), decision.victims(), _ -> node);
        outcomes.displaceNominated(preemptor, node);
    }

    /** Begins one for a gang: pods that go for one of its pods go for all, from whichever node. */
    void begin(Attempt attempt, List<Pod> victims, String plugin) {
        if (victims.isEmpty() || !attempt.stillWanted()) {
            return;
        }
        observer.preempting(victims.size());
        begin(attempt.pod(), plugin, victims, victim -> victim.spec().nodeName());
        victims.stream()
                .map(victim -> victim.spec().nodeName())
                .distinct()
                .forEach(node -> outcomes.displaceNominated(attempt.pod(), node));
    }

    private void begin(Pod preemptor, String plugin, List<Pod> victims, Function<Pod, String> nodeOf) {
        long now = clock.getAsLong();
        Preemption preemption = new Preemption(preemptor, now);
        List<Leaving> newcomers = new ArrayList<>();
        for (Pod victim : victims) {
            Eviction eviction = new Eviction(victim, preemptor, nodeOf.apply(victim), plugin);
            if (!victim.meta().terminating() && !turnedAway(eviction)) {
                await(eviction, preemption).ifPresent(newcomers::add);
            }
        }
        if (!preemption.awaited.isEmpty()) {
            preemptors.hold(preemptor, plugin, now);
        }
        newcomers.forEach(this::ask);
    }

    /** Returns the pod where it was not awaited before. */
    private Optional<Leaving> await(Eviction eviction, Preemption preemption) {
        String uid = eviction.victim().meta().uid();
        Optional<Leaving> earlier = Optional.ofNullable(byVictim.get(uid));
        Leaving leaving = earlier.orElseGet(() -> new Leaving(eviction));
        byVictim.put(uid, leaving);
        told.add(uid);
        leaving.preemptions.add(preemption);
        preemption.awaited.add(uid);
        return earlier.isPresent() ? Optional.empty() : Optional.of(leaving);
    }

    private void ask(Leaving leaving) {
        if (whereabouts(leaving.eviction.victim()) == Whereabouts.ON_ITS_WAY) {
            onTheirWay.add(leaving);
            return;
        }
        leaving.enter(Leaving.Stage.ANSWER, Long.MAX_VALUE);
        try {
            commands.accept(new Command.Evict(
                    leaving.eviction.victim(), leaving.eviction.preemptor(), disrupted(leaving.eviction)));
        } catch (Throwable notSent) {
            observer.faulted(leaving.eviction.preemptor(), PluginFault.of(notSent));
            failed(leaving.uid());
        }
    }

    /** Turns the pod away if it only waits for a permit. */
    private boolean turnedAway(Eviction eviction) {
        boolean turnedAway = permits.turnAway(eviction);
        if (turnedAway) {
            outcomes.preempted(eviction);
        }
        return turnedAway;
    }

    private Whereabouts whereabouts(Pod pod) {
        if (assumed.isOnItsWay(pod)) {
            return Whereabouts.ON_ITS_WAY;
        }
        return cluster.pod(pod.key())
                .filter(there -> there.meta().uid().equals(pod.meta().uid()))
                .map(_ -> Whereabouts.IN_PLACE)
                .orElse(Whereabouts.GONE);
    }

    private static PodCondition disrupted(Eviction eviction) {
        return new PodCondition(
                PodCondition.DISRUPTION_TARGET,
                "True",
                PodCondition.PREEMPTION_BY_SCHEDULER,
                eviction.preemptor().spec().schedulerName() + ": preempting to accommodate a higher priority pod",
                "",
                eviction.victim().meta().generation());
    }

    void took(CommandResult.OfEviction result) {
        String uid = result.pod().meta().uid();
        switch (result) {
            case CommandResult.Evicted _ -> accepted(uid).ifPresent(outcomes::preempted);
            case CommandResult.NotEvicted(var _, var failure, var _) -> {
                switch (failure) {
                    case GONE -> accepted(uid);
                    case FAILED -> failed(uid);
                }
            }
        }
    }

    /** The server has let the pod go, or does not know it any more; what for, if it was to go. */
    private Optional<Eviction> accepted(String uid) {
        Optional<Leaving> leaving =
                Optional.ofNullable(byVictim.get(uid)).filter(each -> each.stage == Leaving.Stage.ANSWER);
        leaving.ifPresent(each -> {
            if (each.seen) {
                forget(each);
            } else {
                each.enter(Leaving.Stage.WATCH, clock.getAsLong() + confirmWithin);
                unconfirmed.add(each);
                List.copyOf(each.preemptions).forEach(this::endIfOver);
            }
        });
        return leaving.map(found -> found.eviction);
    }

    /** The pod stays. */
    private void failed(String uid) {
        Optional.ofNullable(byVictim.get(uid)).ifPresent(leaving -> {
            leaving.preemptions.forEach(preemption -> preemption.failed = true);
            forget(leaving);
        });
    }

    /** The pod is being deleted, or gone. The answer may be still to come; until then it is known for whom it went. */
    void sawLeaving(String uid) {
        Optional.ofNullable(byVictim.get(uid)).ifPresent(leaving -> {
            if (leaving.stage == Leaving.Stage.ANSWER) {
                leaving.seen = true;
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
        List<Preemption> waiting = List.copyOf(leaving.preemptions);
        leaving.preemptions.clear();
        waiting.forEach(preemption -> {
            preemption.awaited.remove(leaving.uid());
            endIfOver(preemption);
        });
    }

    /** Where somebody stays, the rest is waited for only until it is known whether they stay too. */
    private void endIfOver(Preemption preemption) {
        boolean isOver = preemption.awaited.isEmpty() || (preemption.failed && isAnswered(preemption));
        if (!isOver) {
            return;
        }
        for (String uid : preemption.awaited) {
            Optional.ofNullable(byVictim.get(uid)).ifPresent(leaving -> leaving.preemptions.remove(preemption));
        }
        long now = clock.getAsLong();
        observer.preempted(!preemption.failed, now - preemption.startedAt);
        preemptors.release(preemption.preemptor, preemption.failed, now);
    }

    private boolean isAnswered(Preemption preemption) {
        return preemption.awaited.stream()
                .map(byVictim::get)
                .allMatch(leaving -> leaving != null && leaving.stage == Leaving.Stage.WATCH);
    }

    /** To be called after each change, as it may have ended a binding. */
    void settle() {
        for (Leaving leaving : List.copyOf(onTheirWay)) {
            if (byVictim.get(leaving.uid()) != leaving) {
                onTheirWay.remove(leaving);
                continue;
            }
            switch (whereabouts(leaving.eviction.victim())) {
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
    void tick() {
        long now = clock.getAsLong();
        for (Optional<Leaving> first = firstUnconfirmed();
                first.isPresent() && first.get().deadline - now <= 0;
                first = firstUnconfirmed()) {
            failed(first.get().uid());
        }
    }

    /** When {@link #tick} has something to do next. */
    OptionalLong nextDeadline() {
        Optional<Leaving> first = firstUnconfirmed();
        return first.isPresent() ? OptionalLong.of(first.get().deadline) : OptionalLong.empty();
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
    record Eviction(Pod victim, Pod preemptor, String node, String plugin) {}

    /** A pod that is to go, and for whom. */
    private static final class Leaving {

        private enum Stage {
            /** Its binding, to end: a pod that turns out to be on no node need not go. */
            BINDING,

            /** The answer to the command that evicts it. */
            ANSWER,

            /** The watch, to show that it is being deleted, or gone. */
            WATCH
        }

        /** The first that it is to go for; others may join. */
        final Eviction eviction;

        final Set<Preemption> preemptions = new LinkedHashSet<>();
        Stage stage = Leaving.Stage.BINDING;

        /** When the watch is thought to show it no more. */
        long deadline = Long.MAX_VALUE;

        /** Whether the watch has shown it leaving before the answer came. */
        boolean seen;

        Leaving(Eviction eviction) {
            this.eviction = eviction;
        }

        String uid() {
            return eviction.victim().meta().uid();
        }

        void enter(Stage next, long until) {
            stage = next;
            deadline = until;
        }
    }

    /** A pod for which others are on their way out. */
    private static final class Preemption {

        final Pod preemptor;
        final long startedAt;

        /** The UIDs of the pods that are not known to leave yet. */
        final Set<String> awaited = new HashSet<>();

        /** Whether somebody stays after all. */
        boolean failed;

        Preemption(Pod preemptor, long startedAt) {
            this.preemptor = preemptor;
            this.startedAt = startedAt;
        }
    }
}
