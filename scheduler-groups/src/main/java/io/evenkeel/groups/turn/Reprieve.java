package io.evenkeel.groups.turn;

import io.evenkeel.cluster.WhatIf;
import io.evenkeel.groups.turn.Occupants.Unit;
import io.evenkeel.groups.turn.Occupants.Unit.Member;
import io.evenkeel.groups.turn.SeatFinder.Answer;
import io.evenkeel.groups.turn.SeatFinder.Spending;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Puts those back, one by one in their order, beside whom a gang can still be placed. For each:
 *
 * <ol>
 *   <li>It comes back, and those of the gang on its node who do not fit beside it move to other nodes. Where nobody sits on its
 *       node, that is all.
 *   <li>Where one finds no other node: if filters look at the node alone and all of the gang are alike, each node has
 *       room for so many and all is taken, so it is a victim. Else seats for all are looked for anew.
 * </ol>
 *
 * <p>Where filters look beyond the node, the second seat may depend on the first, and a pod that comes back on what lies between. So
 * now and then, and at the end, it is asked whether there is a legal order; if not, the pods since the last time are gone
 * through again by halves, down to the one that was in the way, for which seats are looked for again. As pods that come
 * back may help there, those who were refused are then tried again, until nobody else can be.
 */
final class Reprieve {
    private final List<Unit> units;
    private final Seating seating;
    private final SeatFinder finder;
    private final Spending spending;
    private final LegalOrder legalOrder;
    private final boolean nodesAlone;
    private final boolean allAlike;
    private final BitSet victims = new BitSet();
    /** Victims of whom it is not known that they have to be. */
    private final BitSet doubtful = new BitSet();

    private boolean isInOrder = true;
    private boolean hasGivenUp;

    /**
     * @param units in the order in which they are reprieved
     * @param nodesAlone whether what filters say of the gang's pods follows from the node alone
     * @param allAlike whether all of these are of one shape
     */
    Reprieve(
            List<Unit> units,
            Seating seating,
            SeatFinder finder,
            Spending spending,
            boolean nodesAlone,
            boolean allAlike) {
        this.units = units;
        this.seating = seating;
        this.finder = finder;
        this.spending = spending;
        this.legalOrder = new LegalOrder(seating, spending);
        this.nodesAlone = nodesAlone;
        this.allAlike = allAlike;
    }

    /** By turn, who is not reprieved; the gang sits where it can then. */
    BitSet run() {
        between(0, units.size());
        boolean again = !nodesAlone;
        while (again) {
            again = false;
            for (int turn = victims.nextSetBit(0); turn >= 0; turn = victims.nextSetBit(turn + 1)) {
                if (spending.isSpent()) {
                    doubtful.or(victims);
                    return victims;
                }
                between(turn, turn + 1);
                again |= !victims.get(turn);
            }
        }
        return victims;
    }

    /** Whether it took too long, so that it is not known of some whether they could stay. */
    boolean hasGivenUp() {
        return hasGivenUp;
    }

    boolean isLeast() {
        return doubtful.isEmpty();
    }

    private void between(int from, int to) {
        if (hasGivenUp) {
            return;
        }
        int begin = seating.stepCount();
        clear(from, to);
        if (oneByOne(from, to) && isLegal()) {
            return;
        }
        seating.takeBackTo(begin);
        isInOrder = true;
        clear(from, to);
        hasGivenUp = spending.isOverdrawn();
        if (hasGivenUp) {
            return;
        }
        if (to - from == 1) {
            seatAnew(from);
        } else {
            int middle = (from + to) >>> 1;
            between(from, middle);
            between(middle, to);
        }
    }

    private void clear(int from, int to) {
        victims.clear(from, to);
        doubtful.clear(from, to);
    }

    /** False where the order of those who sit turns out not to be legal. */
    private boolean oneByOne(int from, int to) {
        for (int turn = from; turn < to; turn++) {
            if (putBack(turn)) {
                isInOrder = false;
            } else if (nodesAlone && allAlike) {
                victims.set(turn);
            } else if (spending.isSpent()) {
                refuse(turn, false);
            } else if (isLegal()) {
                seatAnew(turn);
            } else {
                return false;
            }
        }
        return true;
    }

    private boolean isLegal() {
        isInOrder = isInOrder || nodesAlone || legalOrder.take();
        return isInOrder;
    }

    private void refuse(int turn, boolean isProved) {
        victims.set(turn);
        doubtful.set(turn, !isProved);
    }

    private boolean putBack(int turn) {
        int before = seating.stepCount();
        List<Member> members = units.get(turn).members();
        begin(members);
        List<Integer> homeless = new ArrayList<>();
        for (Member member : members) {
            for (int pod = seating.tooManyOn(member.node());
                    pod != Seating.NOWHERE;
                    pod = seating.tooManyOn(member.node())) {
                seating.move(pod, Seating.NOWHERE);
                homeless.add(pod);
            }
        }
        for (int pod : homeless) {
            spending.add(1);
            int node = seating.firstFor(pod);
            if (node == Seating.NOWHERE) {
                seating.takeBackTo(before);
                return false;
            }
            seating.move(pod, node);
        }
        return true;
    }

    private void begin(List<Member> back) {
        WhatIf step = seating.begin();
        for (Member member : back) {
            step.place(member.pod(), member.node());
        }
    }

    /** Looks for other seats for all, with this one back. */
    private void seatAnew(int turn) {
        int before = seating.stepCount();
        begin(units.get(turn).members());
        seating.clear();
        Answer answer = finder.find(spending.left());
        if (answer.seats().isPresent()) {
            seating.take(answer.seats().get());
        } else {
            seating.takeBackTo(before);
            refuse(turn, answer.isRuledOut());
        }
    }

    /**
     * Whether those who sit could all have come to their seats one by one, each let in by the filters: in the order that is noted, but
     * for those who have to wait for others, and are asked again after them. A gang whose filters look at the node alone has been
     * asked when it was seated, and any order is legal.
     */
    private record LegalOrder(Seating seating, Spending spending) {
        /** A few are moved at a time and come last then; who has to wait longer than that is not worth the asking. */
        private static final int ROUNDS = 8;

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
}
