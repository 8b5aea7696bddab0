package io.evenkeel.engine;

import io.evenkeel.api.Status;
import io.evenkeel.engine.PermitWaits.PermitWait;
import io.evenkeel.engine.PermitWaits.PermitWait.State;
import io.evenkeel.engine.PodBinding.Stage;
import io.evenkeel.engine.Preemptions.Eviction;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Keeps the pods that count on their nodes and wait for permits. One that has them all goes on to be bound.
 * One that a plugin rejects, or whose first plugin's time is up, is turned away: its place is free then, and it sleeps
 * until something happens that may help it.
 */
record Permits(
        PermitWaits waits,
        Engine engine,
        Preparations preparations,
        AttemptOutcomes outcomes,
        SchedulerObserver observer,
        LongSupplier clock) {
    void await(PodBinding binding, List<Permission.Delay> delays) {
        binding.enter(Stage.PERMIT, Long.MAX_VALUE);
        waits.begin(binding, delays, clock.getAsLong());
    }

    boolean holds(Pod pod) {
        return waits.waitOf(pod.meta().uid()).isPresent();
    }

    Collection<PodBinding> all() {
        return waits.bindings();
    }

    /** Somebody else has bound the pod, and it is counted where they have. */
    void sawPlaced(Pod pod) {
        end(pod.meta().uid(), Status.Code.UNSCHEDULABLE).ifPresent(binding -> {
            binding.steps().takeBack();
            outcomes.overtaken(binding);
        });
    }

    void sawGone(String uid) {
        end(uid, Status.Code.UNSCHEDULABLE).ifPresent(binding -> {
            binding.steps().takeBack();
            outcomes.vanished(binding);
        });
    }

    /** The pod is being deleted: it waits no longer, whatever the plugins think that have not all let it go. */
    void sawTerminating(Pod pod) {
        waits.waitOf(pod.meta().uid()).ifPresent(wait -> wait.reject("", "removed"));
        settle();
    }

    /** Another pod needs its place more: false where it does not wait, or what becomes of it is decided. */
    boolean turnAway(Eviction eviction) {
        return waits.waitOf(eviction.victim().meta().uid())
                .filter(wait -> wait.preempt(eviction.plugin(), "preempted"))
                .isPresent();
    }

    /** Heeds what plugins have said since, including what they say because of it. */
    void settle() {
        for (var next = waits.nextChanged(); next.isPresent(); next = waits.nextChanged()) {
            PermitWait wait = next.get();
            switch (wait.state()) {
                case State.Missing _ -> waits.reorder(wait);
                case State.Over(var objection) -> {
                    if (objection.isPresent()) {
                        deny(wait, objection.get());
                    } else {
                        end(wait.pod().meta().uid(), Status.Code.SUCCESS).ifPresent(preparations::begin);
                    }
                }
            }
        }
    }

    /** Turns away the pods with no time left, unless a plugin was faster. */
    void tick() {
        settle();
        long now = clock.getAsLong();
        for (var due = waits.firstDue(now); due.isPresent(); due = waits.firstDue(now)) {
            due.get().timeOut(now);
            settle();
        }
    }

    OptionalLong nextDeadline() {
        return waits.nextEnd();
    }

    private void deny(PermitWait wait, Objection objection) {
        end(wait.pod().meta().uid(), objection.status().code()).ifPresent(binding -> {
            engine.forget(binding.pod(), binding.steps());
            outcomes.denied(binding, objection);
        });
    }

    private Optional<PodBinding> end(String uid, Status.Code result) {
        Optional<PermitWait> ended = waits.end(uid);
        ended.ifPresent(wait -> observer.waitedOnPermit(result, clock.getAsLong() - wait.since()));
        return ended.map(PermitWait::binding);
    }
}
