package io.evenkeel.engine;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.KnownObjects;
import io.evenkeel.engine.Evictions.Eviction;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.LeavingPods;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.SchedulingQueue;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Lets pods go so that others may run, as PostFilter plugins have decided, and tells their users why. */
final class Preemptions {
    private final KnownObjects known;
    private final AssumedPods assumed;
    private final Permits permits;
    private final AttemptOutcomes outcomes;
    private final SchedulerObserver observer;
    private final Consumer<? super Command> commands;
    private final Evictions evictions;

    Preemptions(
            ClusterView cluster,
            SchedulingQueue queue,
            Permits permits,
            AssumedPods assumed,
            AttemptOutcomes outcomes,
            LeavingPods leaving,
            SchedulerSettings settings,
            Consumer<? super Command> commands,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.known = new KnownObjects(cluster);
        this.assumed = assumed;
        this.permits = permits;
        this.outcomes = outcomes;
        this.observer = observer;
        this.commands = commands;
        this.evictions =
                new Evictions(queue.preemptors(), new Surroundings(), leaving, settings.confirmWithin(), clock);
    }

    /** The attempt has ended, and the pod waits. */
    void begin(Attempt attempt, Decision.Unschedulable decision) {
        boolean isUnderway =
                decision.victims().stream().allMatch(victim -> victim.meta().terminating());
        if (isUnderway || !attempt.stillWanted()) {
            return;
        }
        Pod preemptor = attempt.pod();
        String node = decision.nominatedNode().orElse("");
        observer.preempting(decision.victims().size());
        evictions.begin(preemptor, node, decision.chosenBy(), decision.victims());
        outcomes.displaceNominated(preemptor, node);
    }

    /** Begins one for a gang: pods that go for one of its pods go for all, from whichever node. */
    void begin(Attempt attempt, List<Pod> victims, String plugin) {
        if (victims.isEmpty() || !attempt.stillWanted()) {
            return;
        }
        observer.preempting(victims.size());
        evictions.begin(attempt.pod(), plugin, victims);
        victims.stream()
                .map(victim -> victim.spec().nodeName())
                .distinct()
                .forEach(node -> outcomes.displaceNominated(attempt.pod(), node));
    }

    void took(CommandResult.OfEviction result) {
        String uid = result.pod().meta().uid();
        switch (result) {
            case CommandResult.Evicted _ -> evictions.accepted(uid).ifPresent(outcomes::preempted);
            case CommandResult.NotEvicted(var _, var failure, var _) -> {
                switch (failure) {
                    case GONE -> evictions.accepted(uid);
                    case FAILED -> evictions.failed(uid);
                }
            }
        }
    }

    /** The pod is being deleted, or gone. */
    void sawLeaving(String uid) {
        evictions.sawLeaving(uid);
    }

    /** To be called after each change, as it may have ended the binding of a pod that is to go. */
    void settle() {
        evictions.settle();
    }

    void tick() {
        evictions.tick();
    }

    OptionalLong nextDeadline() {
        return evictions.nextDeadline();
    }

    private final class Surroundings implements Evictions.Surroundings {
        @Override
        public boolean evict(Eviction eviction) {
            try {
                commands.accept(new Command.Evict(eviction.victim(), eviction.preemptor(), disrupted(eviction)));
                return true;
            } catch (Throwable notSent) {
                observer.faulted(eviction.preemptor(), PluginFault.of(notSent));
                return false;
            }
        }

        @Override
        public boolean turnAway(Eviction eviction) {
            boolean turnedAway = permits.turnAway(eviction);
            if (turnedAway) {
                outcomes.preempted(eviction);
            }
            return turnedAway;
        }

        @Override
        public Evictions.Whereabouts whereabouts(Pod pod) {
            if (assumed.isOnItsWay(pod)) {
                return Evictions.Whereabouts.ON_ITS_WAY;
            }
            return known.pod(pod.key())
                    .filter(there -> there.meta().uid().equals(pod.meta().uid()))
                    .map(_ -> Evictions.Whereabouts.IN_PLACE)
                    .orElse(Evictions.Whereabouts.GONE);
        }

        @Override
        public void ended(boolean success, long nanos) {
            observer.preempted(success, nanos);
        }
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
}
