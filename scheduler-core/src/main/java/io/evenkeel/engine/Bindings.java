package io.evenkeel.engine;

import io.evenkeel.engine.PodBinding.Stage;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The pods that are being bound, by UID, and what becomes of each.
 *
 * <p>A pod leaves when the watch shows it on a node, when it is gone, or when it is certain that it was not bound. As
 * long as it is not certain, it stays counted on the node that it may be on, and the server is asked: so a pod is never
 * placed again while an earlier binding of it may still hold, and one that the watch never confirms does not stay
 * counted for ever.
 *
 * <pre>
 *   stage      what comes                               next
 *   ANSWER     bound                                    WATCH, or done where the watch was faster
 *              already bound, or no clear answer        LOOKUP
 *              any other refusal                        its place is free; it waits again unless it is gone
 *   WATCH      the watch shows it on its node           done
 *              nothing for confirmWithin                LOOKUP
 *   LOOKUP     it is on its node                        done
 *              it is on none, or gone                   its place is free; it waits again unless it is gone
 *              no answer                                NEXT_LOOKUP, and LOOKUP after lookAgainAfter
 *   any        the watch shows it elsewhere, or gone    it counts there, or nowhere
 * </pre>
 */
final class Bindings {
    private static final long CHECK_EVERY = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, PodBinding> byUid = new HashMap<>();
    private final Engine engine;
    private final Predicate<Pod> leftToExtenders;
    private final AttemptOutcomes outcomes;
    private final SchedulerSettings settings;
    private final Consumer<? super Command> commands;
    private final LongSupplier clock;
    private long nextCheck;
    private int prompt;

    /** @param leftToExtenders which pods an extender binds, however long that takes */
    Bindings(
            Engine engine,
            Predicate<Pod> leftToExtenders,
            AttemptOutcomes outcomes,
            SchedulerSettings settings,
            Consumer<? super Command> commands,
            LongSupplier clock) {
        this.engine = engine;
        this.leftToExtenders = leftToExtenders;
        this.outcomes = outcomes;
        this.settings = settings;
        this.commands = commands;
        this.clock = clock;
    }

    /** How many are underway that no PreBind plugin and no extender holds up, however long that takes. */
    int prompt() {
        return prompt;
    }

    Collection<PodBinding> all() {
        return byUid.values();
    }

    boolean isOnItsWay(Pod pod) {
        return byUid.containsKey(pod.meta().uid());
    }

    boolean mayBeUnbound(Pod pod) {
        PodBinding binding = byUid.get(pod.meta().uid());
        return binding != null && !binding.isBound() && !binding.seenOnNode();
    }

    /** The pod counts on its node and may be bound; where that cannot even be asked for, it counts there no longer. */
    void begin(PodBinding binding) {
        if (byUid.isEmpty()) {
            nextCheck = clock.getAsLong() + CHECK_EVERY;
        }
        byUid.put(binding.pod().meta().uid(), binding);
        prompt += isPrompt(binding) ? 1 : 0;
        binding.enter(Stage.ANSWER, Long.MAX_VALUE);
        try {
            commands.accept(new Command.Bind(binding.pod(), binding.node(), binding.steps()));
        } catch (Throwable notSent) {
            forget(binding);
            throw notSent;
        }
    }

    private Optional<PodBinding> leave(String uid) {
        Optional<PodBinding> left = Optional.ofNullable(byUid.remove(uid));
        prompt -= left.isPresent() && isPrompt(left.get()) ? 1 : 0;
        return left;
    }

    private boolean isPrompt(PodBinding binding) {
        return !binding.steps().takeTime() && !leftToExtenders.test(binding.pod());
    }

    void sawPlaced(Pod pod) {
        PodBinding binding = byUid.get(pod.meta().uid());
        if (binding == null) {
            return;
        }
        if (!pod.spec().nodeName().equals(binding.node())) {
            leave(pod.meta().uid());
            binding.steps().takeBack();
            outcomes.overtaken(binding);
        } else if (binding.stage() == Stage.WATCH) {
            leave(pod.meta().uid());
        } else if (binding.stage() == Stage.ANSWER) {
            binding.wasSeenOnNode();
        } else {
            succeeded(binding);
        }
    }

    void sawGone(String uid) {
        leave(uid).ifPresent(binding -> {
            binding.steps().takeBack();
            outcomes.vanished(binding);
        });
    }

    void took(CommandResult.OfBinding result) {
        PodBinding binding = byUid.get(result.pod().meta().uid());
        if (binding == null) {
            return;
        }
        switch (result) {
            case CommandResult.Bound _ -> succeeded(binding);
            case CommandResult.NotBound refused -> refused(binding, refused);
            case CommandResult.Found looked -> lookedUp(binding, looked.found());
            case CommandResult.LookupFailed failed -> {
                binding.inTrouble(failed.message());
                binding.enter(
                        Stage.NEXT_LOOKUP,
                        clock.getAsLong() + settings.lookAgainAfter().toNanos());
            }
        }
    }

    private void succeeded(PodBinding binding) {
        if (!binding.isBound()) {
            binding.wasBound();
            outcomes.bound(binding);
        }
        if (isCountedWhereBound(binding)) {
            leave(binding.pod().meta().uid());
        } else {
            binding.enter(
                    Stage.WATCH, clock.getAsLong() + settings.confirmWithin().toNanos());
        }
    }

    private boolean isCountedWhereBound(PodBinding binding) {
        return binding.seenOnNode() || !engine.cluster().isAssumed(binding.pod().key());
    }

    private void refused(PodBinding binding, CommandResult.NotBound refused) {
        if (binding.seenOnNode()) {
            succeeded(binding);
            return;
        }
        switch (refused.failure()) {
            case GONE, OTHER_UID -> {
                forget(binding);
                outcomes.vanished(binding);
            }
            case ALREADY_BOUND, UNKNOWN -> {
                binding.inTrouble(refused.message());
                look(binding);
            }
            case GATED, FAILED -> {
                forget(binding);
                outcomes.notBound(binding, refused.message());
            }
            case REJECTED -> {
                forget(binding);
                outcomes.turnedAway(binding, refused.message());
            }
            case NOT_LEADING -> {
                forget(binding);
                outcomes.notSent(binding);
            }
        }
    }

    private void look(PodBinding binding) {
        binding.enter(Stage.LOOKUP, Long.MAX_VALUE);
        commands.accept(new Command.Lookup(binding.pod()));
    }

    /** A pod that was found on a node comes by {@link #sawPlaced}; this one was not. */
    private void lookedUp(PodBinding binding, Optional<Pod> found) {
        boolean exists = found.isPresent()
                && found.get().meta().uid().equals(binding.pod().meta().uid());
        forget(binding);
        if (!exists) {
            outcomes.vanished(binding);
        } else if (binding.isBound()) {
            outcomes.unbound(binding, found.get());
        } else {
            outcomes.notBound(binding, binding.trouble());
        }
    }

    private void forget(PodBinding binding) {
        leave(binding.pod().meta().uid());
        engine.forget(binding.pod(), binding.steps());
    }

    /** Sees to the pods that have waited for too long. */
    void tick() {
        long now = clock.getAsLong();
        if (byUid.isEmpty() || now - nextCheck < 0) {
            return;
        }
        nextCheck = now + CHECK_EVERY;
        List<PodBinding> overdue = new ArrayList<>();
        byUid.values().stream().filter(binding -> binding.isOverdue(now)).forEach(overdue::add);
        overdue.forEach(this::look);
    }

    OptionalLong nextDeadline() {
        return byUid.isEmpty() ? OptionalLong.empty() : OptionalLong.of(nextCheck);
    }
}
