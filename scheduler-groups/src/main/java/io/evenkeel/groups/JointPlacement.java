package io.evenkeel.groups;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.flow.Certificate;
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
    record Infeasible(Certificate certificate, long steps) implements JointPlacement {}

    /**
     * The budget of steps was spent before it was known.
     *
     * @param soFar what is known, for people
     * @param reach how many could be placed, for people; empty where that is not known
     */
    record Unknown(Budget budget, String soFar, String reach, long steps) implements JointPlacement {}
}
