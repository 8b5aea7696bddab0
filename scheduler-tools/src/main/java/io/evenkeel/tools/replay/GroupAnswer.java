package io.evenkeel.tools.replay;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.JointPlacement;
import java.util.List;
import java.util.Optional;

/**
 * The answer for a group.
 *
 * @param order who was placed and where, in the order in which it was decided
 * @param certificate why not all were placed one by one
 * @param steps how many placements were tried
 */
record GroupAnswer(Outcome outcome, List<Seat> order, Optional<String> certificate, long steps) {

    enum Outcome {
        PLACED("placed"),
        END_STATE_ONLY("endStateOnly"),
        INFEASIBLE("infeasible"),
        UNKNOWN("unknown");

        private final String written;

        Outcome(String written) {
            this.written = written;
        }

        String written() {
            return written;
        }
    }

    /** @param mode where all may be placed at once, an end state will do though an order may yet be found */
    static GroupAnswer of(JointPlacement found, GroupMode mode, List<Seat> placed) {
        return switch (found) {
            case JointPlacement.Placed _ -> new GroupAnswer(Outcome.PLACED, placed, Optional.empty(), found.steps());
            case JointPlacement.EndStateOnly end -> {
                boolean isSo = end.orderRuledOut() || mode == GroupMode.END_STATE;
                String words = "all " + end.seats().size() + " fit at once"
                        + (end.orderRuledOut()
                                ? ", but no order in which they come one by one is legal"
                                : "; no order in which they come one by one was found");
                yield new GroupAnswer(
                        isSo ? Outcome.END_STATE_ONLY : Outcome.UNKNOWN,
                        placed,
                        Optional.of(with(mode == GroupMode.END_STATE ? "" : end.reach(), words)),
                        found.steps());
            }
            case JointPlacement.Infeasible infeasible ->
                new GroupAnswer(Outcome.INFEASIBLE, placed, Optional.of(infeasible.why()), found.steps());
            case JointPlacement.Unknown unknown ->
                new GroupAnswer(
                        Outcome.UNKNOWN,
                        placed,
                        Optional.of(with(
                                unknown.reach(),
                                unknown.soFar() + "; the budget of "
                                        + unknown.budget().steps() + " steps is spent")),
                        found.steps());
        };
    }

    private static String with(String more, String words) {
        return more.isEmpty() ? words : words + "; " + more;
    }

    /** Adds that a plugin objected to a pod once its place was reserved, and nothing was left of the group. */
    GroupAnswer objected(String message) {
        return new GroupAnswer(Outcome.UNKNOWN, List.of(), Optional.of(message), steps);
    }
}
