package io.evenkeel.engine.group.turn;

import io.evenkeel.engine.group.Budget;
import io.evenkeel.engine.group.JointPlacement;
import io.evenkeel.engine.group.JointPlacer;
import io.evenkeel.engine.group.turn.GroupObserver.GangResult;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.group.GroupTerms;
import io.evenkeel.framework.run.PluginFault;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.RejectedBy;
import io.evenkeel.queue.SchedulingQueue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The turn of a gang: all of its pods that wait are taken, and as many get their nodes as are needed, or none does. So nothing is
 * held while others of it are missing, and two gangs cannot block each other. Where some of it are in place already, as one had
 * to be replaced, or the scheduler was begun again, those stay where they are and the others are placed beside them.
 */
final class GangTurn {
    private final GroupEngine engine;
    private final SchedulingQueue queue;
    private final MemberOutcomes outcomes;
    private final GroupReports reports;
    private final DegradedGangs degraded;
    private final GroupObserver observer;
    private final LongSupplier clock;

    GangTurn(
            GroupEngine engine,
            SchedulingQueue queue,
            MemberOutcomes outcomes,
            GroupReports reports,
            DegradedGangs degraded,
            GroupObserver observer,
            LongSupplier clock) {
        this.engine = engine;
        this.queue = queue;
        this.outcomes = outcomes;
        this.reports = reports;
        this.degraded = degraded;
        this.observer = observer;
        this.clock = clock;
    }

    void decide(Attempt first, GroupMembership membership, long startedAt) {
        if (queue.groups().isHeld(membership.group())) {
            waits(List.of(first), "others are on their way out for it", membership, Optional.empty(), startedAt);
            return;
        }
        TakenPods taken = TakenPods.with(first, membership.group(), queue, clock.getAsLong());
        GangResult result = GangResult.ERROR;
        try {
            result = decide(taken, membership, startedAt);
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            outcomes.faulted(first.pod(), fault);
            fail(taken.left(), Status.error(fault).message(), membership, startedAt);
        }
        observer.gangTried(first.pod().spec().schedulerName(), result, clock.getAsLong() - startedAt);
        degraded.update(membership, first.pod());
    }

    private GangResult decide(TakenPods taken, GroupMembership membership, long startedAt) {
        Optional<String> unfit = taken.unfit();
        if (unfit.isPresent()) {
            fail(taken.left(), unfit.get(), membership, startedAt);
            return GangResult.ERROR;
        }
        int minimum = membership.terms().minimum();
        int placed = engine.members().placed(membership.group());
        int needed = Math.max(1, minimum - placed);
        if (taken.size() < needed) {
            String message = "minCount (%d) cannot be satisfied: %d scheduled, %d remaining"
                    .formatted(minimum, placed, taken.size());
            return unschedulable(taken, message, membership, startedAt);
        }
        JointPlacer.Found found = lookInto(taken.pods(), membership);
        GangSeats seats = GangSeats.of(found, needed, membership.terms());
        if (seats.isNobodys()) {
            return unschedulable(
                    taken, words(found.placement(), taken.size(), membership.terms()), membership, startedAt);
        }
        Optional<String> objection = new GangCommitment(engine, outcomes, taken, startedAt).place(seats);
        if (objection.isPresent()) {
            return unschedulable(taken, objection.get(), membership, startedAt);
        }
        membership.terms().object().ifPresent(object -> reports.scheduled(membership.group(), object, taken.first()));
        for (Attempt leftOver : taken.left()) {
            taken.handled(leftOver);
            outcomes.decideAlone(leftOver, startedAt);
        }
        return GangResult.SCHEDULED;
    }

    private JointPlacer.Found lookInto(List<Pod> pods, GroupMembership membership) {
        long begin = clock.getAsLong();
        GroupTerms terms = membership.terms();
        Budget budget = terms.steps().isPresent()
                ? new Budget(terms.steps().getAsLong())
                : Budget.usual(pods.size(), engine.cluster().nodes().count());
        JointPlacer.Found found = engine.decisions().placeMost(pods, budget);
        observer.lookedInto(
                FindingWords.finding(found.placement()),
                pods.size(),
                found.placement().steps(),
                clock.getAsLong() - begin);
        return found;
    }

    private static String words(JointPlacement found, int pods, GroupTerms terms) {
        String words = FindingWords.shortfall(found, pods);
        boolean mayBeAsked = found instanceof JointPlacement.EndStateOnly && !terms.mayBeAtOnce();
        return mayBeAsked
                ? words + "; with the annotation evenkeel.io/group-placement: end-state they are bound at once"
                : words;
    }

    private GangResult unschedulable(TakenPods taken, String message, GroupMembership membership, long startedAt) {
        membership
                .terms()
                .object()
                .ifPresent(object -> reports.unschedulable(membership.group(), object, taken.first(), message));
        waits(taken.left(), message, membership, Optional.of(""), startedAt);
        return GangResult.UNSCHEDULABLE;
    }

    /** Whatever helps one of them may help all: what a plugin has against one of them depends on where the others go. */
    private void waits(
            List<Attempt> attempts,
            String message,
            GroupMembership membership,
            Optional<String> nominatedNode,
            long startedAt) {
        for (Attempt attempt : attempts) {
            RejectedBy by =
                    new RejectedBy(Set.of(membership.plugin()), Set.of(), engine.filtersOf(attempt.pod()), true);
            outcomes.waits(attempt, membership.group() + " waits: " + message, by, nominatedNode, startedAt);
        }
    }

    private void fail(List<Attempt> attempts, String message, GroupMembership membership, long startedAt) {
        attempts.stream()
                .findFirst()
                .ifPresent(first -> membership
                        .terms()
                        .object()
                        .ifPresent(object -> reports.failed(membership.group(), object, first.pod(), message)));
        for (Attempt attempt : attempts) {
            outcomes.failed(attempt, message, startedAt);
        }
    }
}
