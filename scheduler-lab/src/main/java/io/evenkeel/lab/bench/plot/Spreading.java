package io.evenkeel.lab.bench.plot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Moves labels apart that would stand on one another: as little as can be, by the sum of squares, in the order of where they would
 * like to be. Neighbours that touch are moved as one (isotonic regression by pooling adjacent violators).
 */
final class Spreading {
    /** Labels that touch; {@code sum} of where the first would stand if each decided for all. */
    private record Pool(double sum, int count) {
        double first() {
            return sum / count;
        }

        Pool with(Pool next) {
            return new Pool(sum + next.sum, count + next.count);
        }
    }

    private Spreading() {}

    /**
     * Places a gap apart at least, in the order of the wishes.
     *
     * @param least where the first may stand
     * @param most where the last may stand; there must be room for all
     */
    static List<Double> apart(List<Double> wishes, double gap, double least, double most) {
        int count = wishes.size();
        if ((count - 1) * gap > most - least + 1e-6) {
            throw new IllegalArgumentException(count + " labels need " + gap + " each, there is " + (most - least));
        }
        List<Integer> order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing(wishes::get))
                .toList();
        List<Double> places = new ArrayList<>(Collections.nCopies(count, 0.0));
        int next = 0;
        for (Pool pool : pools(order.stream().map(wishes::get).toList(), gap)) {
            for (int i = 0; i < pool.count(); i++) {
                double free = pool.first() + next * gap;
                double notTooFar = Math.min(free, most - (count - 1 - next) * gap);
                places.set(order.get(next), Math.max(notTooFar, least + next * gap));
                next++;
            }
        }
        return places;
    }

    private static Deque<Pool> pools(List<Double> sorted, double gap) {
        Deque<Pool> pools = new ArrayDeque<>();
        for (int i = 0; i < sorted.size(); i++) {
            Pool pool = new Pool(sorted.get(i) - i * gap, 1);
            while (!pools.isEmpty() && pools.getLast().first() >= pool.first()) {
                pool = pools.removeLast().with(pool);
            }
            pools.addLast(pool);
        }
        return pools;
    }
}
