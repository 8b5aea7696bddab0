package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.groups.JointPlacer;
import java.util.List;

/**
 * The nodes that a gang's pods get.
 *
 * @param atOnce whether each is judged beside all others, and not one after the other
 */
record GangSeats(List<Seat> seats, boolean atOnce) {
    private static final GangSeats NONE = new GangSeats(List.of(), false);

    /** As many as possible where not all have one, but at least so many; else none. */
    static GangSeats of(JointPlacer.Found found, int needed, GroupTerms terms) {
        return switch (found.placement()) {
            case JointPlacement.Placed placed -> new GangSeats(placed.order(), false);
            case JointPlacement.EndStateOnly end when terms.mayBeAtOnce() -> new GangSeats(end.seats(), true);
            default -> found.most().size() >= needed ? new GangSeats(found.most(), false) : NONE;
        };
    }

    boolean isNobodys() {
        return seats.isEmpty();
    }

    /** Returns the pods taken to be in place when this one is judged, though not there yet. */
    List<Seat> beside(int index) {
        if (!atOnce) {
            return List.of();
        }
        return seats.subList(index + 1, seats.size());
    }
}
