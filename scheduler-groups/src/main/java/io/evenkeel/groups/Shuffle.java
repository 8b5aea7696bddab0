package io.evenkeel.groups;

/** Orders that look like chance and depend on a number alone, so that the same group always gets the same answer. */
final class Shuffle {
    private Shuffle() {}

    /** The numbers below {@code count}; turn 0 is ascending. */
    static int[] order(int count, long turn) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        if (turn == 0) {
            return order;
        }
        long state = turn * 0x9e3779b97f4a7c15L;
        for (int i = count - 1; i > 0; i--) {
            state = mix(state + i);
            int other = (int) Long.remainderUnsigned(state, i + 1L);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return order;
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood 2014). */
    static long mix(long value) {
        long first = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        long second = (first ^ (first >>> 27)) * 0x94d049bb133111ebL;
        return second ^ (second >>> 31);
    }
}
