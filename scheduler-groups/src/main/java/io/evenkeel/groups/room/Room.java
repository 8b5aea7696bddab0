package io.evenkeel.groups.room;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Budget;
import io.evenkeel.model.Pod;
import java.util.List;

/** The result of a search for room for a gang. */
public sealed interface Room {

    /** How many placements were tried to find it out. */
    long steps();

    /**
     * The gang fits once the victims are gone, and the pods that are leaving anyway.
     *
     * @param victims the pods that are to go, the most important first; none where only leaving pods are in the way
     * @param seats where as many of the gang as are needed go then, in an order in which the filters let each onto its node
     * @param isLeast whether it is known of each victim that the gang would not fit if it stayed as well; else the budget was
     *     spent before that was known of all
     */
    record Made(List<Pod> victims, List<Seat> seats, boolean isLeast, long steps) implements Room {
        public Made {
            victims = List.copyOf(victims);
            seats = List.copyOf(seats);
        }
    }

    /**
     * Nobody goes: it would not help, or is not allowed.
     *
     * @param isRuledOut whether this is shown, and depends on no more than where the gang's pods may go beside those who stay
     */
    record None(String why, boolean isRuledOut, long steps) implements Room {}

    /** The budget was spent before it was known whether it would help, or who of very many could stay; so no pod goes. */
    record Unknown(Budget budget, long steps) implements Room {}
}
