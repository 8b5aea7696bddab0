package io.evenkeel.engine.group.room;

import io.evenkeel.engine.group.room.Unit.Member;
import java.util.List;

/**
 * When on each node the next pod is reprieved that is not yet: a seat is safe until then. Who is moved goes to where that is the
 * longest time off, so that seats end up where the least important pods are, and are moved seldom.
 *
 * <pre>
 * turns    of n0: 0 3    of n1: 1    of n2: 2 4 5
 * turns    0 3 | 1 | 2 4 5
 * first    0     2   3      6
 * </pre>
 *
 * <p>Of each node it is kept how far it has come, as turns are asked about nearly in order.
 */
final class Threats {
    private final int[] turns;
    private final int[] first;
    private final int[] at;

    Threats(List<Unit> inOrder, int nodes) {
        first = new int[nodes + 1];
        for (Unit unit : inOrder) {
            for (Member member : unit.members()) {
                first[member.node() + 1]++;
            }
        }
        for (int node = 0; node < nodes; node++) {
            first[node + 1] += first[node];
        }
        at = first.clone();
        turns = new int[first[nodes]];
        for (int turn = 0; turn < inOrder.size(); turn++) {
            for (Member member : inOrder.get(turn).members()) {
                turns[at[member.node()]++] = turn;
            }
        }
    }

    /** The first turn after this one in which somebody on the node is reprieved. */
    int next(int node, int turn) {
        int place = at[node];
        while (place > first[node] && turns[place - 1] > turn) {
            place--;
        }
        while (place < first[node + 1] && turns[place] <= turn) {
            place++;
        }
        at[node] = place;
        return place == first[node + 1] ? Integer.MAX_VALUE : turns[place];
    }
}
