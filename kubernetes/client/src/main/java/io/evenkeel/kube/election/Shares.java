package io.evenkeel.kube.election;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Whose seats weigh how much, and which one is to go from who has much to who has little. Each replica works it out alone, from what
 * stands on the Leases:
 *
 * <pre>
 *   load            the sum of the weights of a replica's seats
 *   a seat is worth its move from R to P   where load(P) + weight ≤ 9/10 load(R)
 *   of these        it is the one after whose move the larger of the two is smallest; of equals the lightest, of these the last
 * </pre>
 *
 * So the larger of the two gets clearly smaller, and no move is followed by its opposite, unless weights have changed by a tenth in
 * between. Where nothing is worth its move, the largest of m replicas has at most 1 / (0.4 + 0.6 / m) times what it would have in the best
 * of all ways: with two seats or more its lightest, w, is at most half of its load L, so the smallest has more than 0.9 L - w ≥ 0.4 L,
 * and the mean is no less than 0.4 L + 0.6 L / m.
 *
 * @param seats all of them
 */
record Shares(List<Share> seats) {

    /**
     * A seat.
     *
     * @param holder empty where nobody has it
     */
    record Share(String holder, long weight) {}

    /** Of one who has nothing, 0. */
    long load(String who) {
        return loads().getOrDefault(who, 0L);
    }

    private Map<String, Long> loads() {
        Map<String, Long> loads = new HashMap<>();
        seats.forEach(seat -> loads.merge(seat.holder(), seat.weight(), Long::sum));
        loads.remove("");
        return loads;
    }

    /** The load in seats of the mean weight. */
    double inSeats(String who) {
        long all = seats.stream().mapToLong(Share::weight).sum();
        return all == 0 ? 0 : (double) load(who) * seats.size() / all;
    }

    boolean isWorthMoving(int seat, String to) {
        Share share = seats.get(seat);
        return !share.holder().equals(to) && isWorthMoving(share.weight(), load(share.holder()), load(to));
    }

    private static boolean isWorthMoving(long weight, long from, long to) {
        return weight > 0 && 10 * (to + weight) <= 9 * from;
    }

    /** Which seat this replica is to have of another; none where all is well. */
    OptionalInt wantedBy(String who) {
        Map<String, Long> loads = loads();
        long own = loads.getOrDefault(who, 0L);
        List<String> largestFirst = loads.keySet().stream()
                .sorted(Comparator.<String, Long>comparing(loads::get)
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        for (String from : largestFirst) {
            long theirs = loads.getOrDefault(from, 0L);
            int best = -1;
            long least = Long.MAX_VALUE;
            for (int seat = 0; seat < seats.size(); seat++) {
                long weight = seats.get(seat).weight();
                if (!seats.get(seat).holder().equals(from) || from.equals(who) || !isWorthMoving(weight, theirs, own)) {
                    continue;
                }
                long larger = Math.max(theirs - weight, own + weight);
                if (larger < least
                        || (larger == least && weight <= seats.get(best).weight())) {
                    best = seat;
                    least = larger;
                }
            }
            if (best >= 0) {
                return OptionalInt.of(best);
            }
        }
        return OptionalInt.empty();
    }
}
