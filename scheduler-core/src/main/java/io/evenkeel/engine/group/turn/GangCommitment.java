package io.evenkeel.engine.group.turn;

import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.group.JointPlacement.Seat;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.queue.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts the pods of a gang on their nodes, each judged once more when it is its turn; where one is refused, none counts. */
final class GangCommitment {
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
                    case Commitment.Waiting waiting -> keep(new Made(attempt, seat.node(), waiting, waiting.steps()));
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
