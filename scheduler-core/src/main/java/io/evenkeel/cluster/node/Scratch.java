package io.evenkeel.cluster.node;

/** Numbers that one may write down while it works something out, and the next writes over. */
final class Scratch {
    private int[] ints = {};

    int[] ofAtLeast(int length) {
        if (ints.length < length) {
            ints = new int[Math.max(length, 2 * ints.length)];
        }
        return ints;
    }
}
