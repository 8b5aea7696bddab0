package io.evenkeel.groups;

import io.evenkeel.engine.group.GroupObserver.Finding;
import io.evenkeel.engine.group.Seat;
import java.util.List;

/** The result of a search for a group of pods that are to be placed together. */
public sealed interface JointPlacement {

    /** How many placements were tried to find it out. */
    long steps();

    /** All go, one after the other in this order: the filters let each onto its node beside those before it. */
    record Placed(List<Seat> order, long steps) implements JointPlacement {}

    /**
     * All fit at once: the filters let each onto its node beside all the others; but no order was found in which they could go
     * one after the other.
     *
     * @param orderRuledOut whether it is shown that there is no such order
     * @param reach how many could be placed in one, for people; empty where that is not known
     */
    record EndStateOnly(List<Seat> seats, boolean orderRuledOut, String reach, long steps) implements JointPlacement {}

    /** Neither is there an order nor a state in which all are in place. */
    record Infeasible(Certificate certificate, long steps) implements JointPlacement {
        /** For people. */
        public String why() {
            return certificate.words();
        }
    }

    /**
     * The budget of steps was spent before it was known.
     *
     * @param soFar what is known, for people
     * @param reach how many could be placed, for people; empty where that is not known
     */
    record Unknown(Budget budget, String soFar, String reach, long steps) implements JointPlacement {}

    /** Why not all of these pods can be placed one after the other, for people; empty where they can. */
    default String shortfall(int pods) {
        return switch (this) {
            case Placed _ -> "";
            case EndStateOnly end ->
                with(
                        end.reach(),
                        "all " + pods + " fit at once, but "
                                + (end.orderRuledOut()
                                        ? "there is no order in which they are all allowed one after the other"
                                        : "no order was found in which they are allowed one after the other"));
            case Infeasible no -> no.why();
            case Unknown unknown ->
                with(
                        unknown.reach(),
                        unknown.soFar() + " for all " + pods + ", and the budget of "
                                + unknown.budget().steps() + " steps is spent");
        };
    }

    private static String with(String more, String words) {
        return more.isEmpty() ? words : words + "; " + more;
    }

    default Finding finding() {
        return switch (this) {
            case Placed _ -> Finding.PLACED;
            case EndStateOnly _ -> Finding.END_STATE_ONLY;
            case Infeasible _ -> Finding.INFEASIBLE;
            case Unknown _ -> Finding.UNKNOWN;
        };
    }
}
