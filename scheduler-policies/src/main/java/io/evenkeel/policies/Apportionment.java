package io.evenkeel.policies;

/**
 * The turns by which seats are given to parties according to their weights: the quota method of Balinski and Young. Given one
 * after the other, nobody ever has a seat less than its share rounded down, nor one more than its share rounded up.
 *
 * <pre>{@code
 * weights 7 3
 * seats       1     2     3     4     5     6     7     8     9     10
 * turn of     a     a     b     a     a     b     a     a     a     b
 * a has       1     2     2     3     4     4     5     6     7     7
 * b has       0     0     1     1     1     2     2     2     2     3
 * }</pre>
 *
 * <p>The ninth might as well be b's: 7 / (6 + 1) is 3 / (2 + 1), and both have their turn then.
 *
 * <p>Where some have more than their share, as after a scale-down that did not ask, the others catch up first.
 */
public final class Apportionment {
    private final int[] weights;
    private final long sum;
    private final boolean[] turns;

    public Apportionment(int[] weights) {
        this.weights = weights.clone();
        long all = 0;
        for (int weight : weights) {
            all += weight;
        }
        this.sum = all;
        this.turns = new boolean[weights.length];
    }

    /** Works out which are next where each has so many seats. */
    public void measure(int[] seats) {
        long next = 1;
        for (int seat : seats) {
            next += seat;
        }
        int best = -1;
        for (int i = 0; i < weights.length; i++) {
            turns[i] = mayHaveMore(i, seats[i], next) && (best < 0 || compare(i, best, seats) >= 0);
            if (turns[i] && (best < 0 || compare(i, best, seats) > 0)) {
                for (int before = 0; before < i; before++) {
                    turns[before] = false;
                }
                best = i;
            }
        }
    }

    /** Returns one of the next. */
    public boolean isTurnOf(int index) {
        return turns[index];
    }

    /** Whether it has less than its share of as many seats as there will be. */
    private boolean mayHaveMore(int index, int seats, long next) {
        return seats * sum < weights[index] * next;
    }

    /** By how many seats' worth of weight the one would have with a seat more, compared with the other. */
    private int compare(int one, int other, int[] seats) {
        return Long.compare(weights[one] * (seats[other] + 1L), weights[other] * (seats[one] + 1L));
    }
}
