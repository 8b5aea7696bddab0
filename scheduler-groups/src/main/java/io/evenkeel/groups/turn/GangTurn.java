package io.evenkeel.groups.turn;

import io.evenkeel.api.Status;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.engine.group.GroupObserver.GangResult;
import io.evenkeel.engine.group.GroupReports;
import io.evenkeel.engine.group.MemberOutcomes;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.groups.turn.GangJudge.GangSeats;
import io.evenkeel.groups.turn.GangPreemption.Room;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.RejectedBy;
import io.evenkeel.queue.SchedulingQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final GangJudge judge;
    private final GangBackoff pace;
    private final DegradedGangs degraded;
    private final GroupObserver observer;
    private final LongSupplier clock;
    private boolean hasLetGo;

    GangTurn(
            GroupEngine engine,
            SchedulingQueue queue,
            MemberOutcomes outcomes,
            GroupReports reports,
            GroupLook look,
            GangBackoff pace,
            DegradedGangs degraded,
            GroupObserver observer,
            LongSupplier clock) {
        this.engine = engine;
        this.queue = queue;
        this.outcomes = outcomes;
        this.reports = reports;
        this.judge = new GangJudge(engine, look);
        this.pace = pace;
        this.degraded = degraded;
        this.observer = observer;
        this.clock = clock;
    }

    void decide(Attempt first, GroupMembership membership, long startedAt) {
        if (queue.groups().isHeld(membership.group())) {
            waits(
                    List.of(first),
                    "pods that are preempted for it have not terminated yet",
                    membership,
                    Optional.empty(),
                    true,
                    startedAt);
            return;
        }
        if (pace.putsOff(first, membership.group())) {
            return;
        }
        GangBackoff.Turn turn = pace.begin(first, membership.group());
        TakenPods taken = TakenPods.with(first, membership.group(), queue, clock.getAsLong());
        GangResult result = GangResult.ERROR;
        hasLetGo = false;
        try {
            result = decide(taken, membership, startedAt);
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            outcomes.faulted(first.pod(), fault);
            fail(taken.left(), Status.error(fault).message(), membership, startedAt);
        }
        pace.end(turn, result != GangResult.SCHEDULED && !hasLetGo);
        observer.gangTried(first.pod().spec().schedulerName(), result, clock.getAsLong() - startedAt);
        degraded.update(membership, first.pod());
    }

    private GangResult decide(TakenPods taken, GroupMembership membership, long startedAt) {
        Optional<String> unfit = taken.unfit();
        if (unfit.isPresent()) {
            fail(taken.left(), unfit.get(), membership, startedAt);
            return GangResult.ERROR;
        }
        return switch (judge.judge(taken.pods(), membership)) {
            case GangJudge.Verdict.Nowhere(var why, var _, var isShown) ->
                unschedulable(taken, why, membership, !isShown || isLeavingRoom(taken), startedAt);
            case GangJudge.Verdict.RoomMade(var made, var plugin, var why) -> {
                letGo(taken, made, plugin, why, membership, startedAt);
                yield GangResult.WAITING_ON_PREEMPTION;
            }
            case GangJudge.Verdict.Seated(var seats, var rest) -> {
                Optional<String> objection = new GangCommitment(engine, outcomes, taken, startedAt).place(seats);
                if (objection.isPresent()) {
                    yield unschedulable(taken, objection.get(), membership, true, startedAt);
                }
                membership.object().ifPresent(object -> reports.scheduled(object, taken.first()));
                decideLeftOver(taken, rest, membership, startedAt);
                yield GangResult.SCHEDULED;
            }
        };
    }

    /** Decides for the pods beyond the ones that are needed: by themselves, but in no other domain than the gang. */
    private void decideLeftOver(TakenPods taken, String why, GroupMembership membership, long startedAt) {
        if (membership.terms().topologyKey().isPresent()) {
            waits(taken.left(), why, membership, Optional.of(""), true, startedAt);
            return;
        }
        for (Attempt leftOver : taken.left()) {
            taken.handled(leftOver);
            outcomes.decideAlone(leftOver, startedAt);
        }
    }

    private void letGo(
            TakenPods taken, Room.Made made, String plugin, String why, GroupMembership membership, long startedAt) {
        hasLetGo = !made.victims().isEmpty();
        String message = why + "; pod group is waiting for preemption to complete";
        membership.object().ifPresent(object -> reports.unschedulable(object, taken.first(), message));
        Map<String, String> nodes = new HashMap<>();
        made.seats().forEach(seat -> nodes.put(seat.pod().key(), seat.node()));
        List<Attempt> attempts = taken.left();
        for (Attempt attempt : attempts) {
            Optional<String> node = Optional.of(nodes.getOrDefault(attempt.pod().key(), ""));
            waits(List.of(attempt), message, membership, node, true, startedAt);
        }
        outcomes.preempt(attempts.getFirst(), made.victims(), plugin);
    }

    /** Asks the least important of them, which is the last: if any of them leaves room, it does. */
    private boolean isLeavingRoom(TakenPods taken) {
        return queue.preemptors().leaveRoom(taken.pods().getLast().spec().priority());
    }

    private GangResult unschedulable(
            TakenPods taken, String message, GroupMembership membership, boolean mayAnyHelp, long startedAt) {
        membership.object().ifPresent(object -> reports.unschedulable(object, taken.first(), message));
        waits(taken.left(), message, membership, Optional.of(""), mayAnyHelp, startedAt);
        return GangResult.UNSCHEDULABLE;
    }

    /**
     * Whatever helps one of them may help all: what a plugin has against one of them depends on where the others go.
     *
     * @param mayAnyHelp whether any change may, not only one that filters would let one of them in for
     */
    private void waits(
            List<Attempt> attempts,
            String message,
            GroupMembership membership,
            Optional<String> nominatedNode,
            boolean mayAnyHelp,
            long startedAt) {
        for (Attempt attempt : attempts) {
            RejectedBy by = RejectedBy.ofGang(membership.plugin(), engine.filtersOf(attempt.pod()), mayAnyHelp);
            outcomes.waits(attempt, membership.waits(message), by, nominatedNode, startedAt);
        }
    }

    private void fail(List<Attempt> attempts, String message, GroupMembership membership, long startedAt) {
        attempts.stream()
                .findFirst()
                .ifPresent(
                        first -> membership.object().ifPresent(object -> reports.failed(object, first.pod(), message)));
        for (Attempt attempt : attempts) {
            outcomes.failed(attempt, message, startedAt);
        }
    }

    /** Counts the pods of a gang on their nodes, each judged once more when it is its turn; where one is refused, none counts. */
    private static final class GangCommitment {
        private record Made(Attempt attempt, String node, Commitment commitment, BindingSteps steps) {}

        private final GroupEngine engine;
        private final MemberOutcomes outcomes;
        private final TakenPods taken;
        private final long startedAt;
        private final List<Made> made = new ArrayList<>();

        GangCommitment(GroupEngine engine, MemberOutcomes outcomes, TakenPods taken, long startedAt) {
            this.engine = engine;
            this.outcomes = outcomes;
            this.taken = taken;
            this.startedAt = startedAt;
        }

        /** Places all of them, and lets them go on; else what is in the way of one. */
        Optional<String> place(GangSeats seats) {
            boolean complete = false;
            try {
                for (int i = 0; i < seats.seats().size(); i++) {
                    Optional<String> objection = count(seats.seats().get(i), seats.beside(i));
                    if (objection.isPresent()) {
                        return objection;
                    }
                }
                complete = true;
            } finally {
                if (!complete) {
                    takeBack();
                }
            }
            for (Made one : made) {
                taken.handled(one.attempt());
                outcomes.follow(one.attempt(), one.node(), one.commitment(), startedAt);
            }
            return Optional.empty();
        }

        private Optional<String> count(Seat seat, List<Seat> beside) {
            Attempt attempt = taken.of(seat.pod());
            Decision decision = engine.decisions().decideOn(seat, beside, decided -> decided);
            return switch (decision) {
                case Decision.Unschedulable no ->
                    Optional.of(about(attempt, no.diagnosis().message()));
                case Decision.Placed placed ->
                    switch (outcomes.assume(attempt, placed)) {
                        case Commitment.Refused refused ->
                            Optional.of(about(attempt, refused.objection().message()));
                        case Commitment.Ready ready -> keep(new Made(attempt, seat.node(), ready, ready.steps()));
                        case Commitment.Waiting waiting ->
                            keep(new Made(attempt, seat.node(), waiting, waiting.steps()));
                    };
            };
        }

        private static String about(Attempt attempt, String message) {
            return "pod " + attempt.pod().key() + ": " + message;
        }

        private Optional<String> keep(Made one) {
            made.add(one);
            return Optional.empty();
        }

        private void takeBack() {
            for (Made one : made.reversed()) {
                outcomes.takeBack(one.attempt(), one.steps());
            }
        }
    }
}
