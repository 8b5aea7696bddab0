package io.evenkeel.engine.group.room;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether those who sit could all have come to their seats one by one, each let in by the filters: in the order that is noted, but
 * for those who have to wait for others, and are asked again after them. A gang whose filters look at the node alone has been
 * asked when it was seated, and any order is legal.
 */
final class LegalOrder {
    /** A few are moved at a time and come last then; who has to wait longer than that is not worth the asking. */
    private static final int ROUNDS = 8;

    private final Seating seating;
    private final Spending spending;

    LegalOrder(Seating seating, Spending spending) {
        this.seating = seating;
        this.spending = spending;
    }

    /** Seats them again in such an order, in a step of its own. Where there is none, all is as before. */
    boolean take() {
        List<Integer> waiting = seating.inOrder();
        int[] nodes = waiting.stream().mapToInt(seating::nodeOf).toArray();
        int begin = seating.stepCount();
        seating.begin();
        seating.clear();
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            left.add(i);
        }
        for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
            int before = left.size();
            left.removeIf(place -> seatIfLegal(waiting.get(place), nodes[place]));
            if (left.size() == before) {
                break;
            }
        }
        if (!left.isEmpty()) {
            seating.takeBackTo(begin);
        }
        return left.isEmpty();
    }

    private boolean seatIfLegal(int pod, int node) {
        spending.add(1);
        if (!seating.fits(pod, node)) {
            return false;
        }
        seating.seat(pod, node);
        return true;
    }
}
