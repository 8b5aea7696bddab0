package io.evenkeel.plugins.preemption;

import java.util.Arrays;

/** How many pods there are of each priority: a handful of priorities, as a rule, so that they are gone through. */
final class PriorityCounts {
    private int[] priorities = new int[8];
    private int[] counts = new int[8];
    private int size;

    void add(int priority) {
        int place = placeOf(priority);
        if (place == size) {
            if (size == priorities.length) {
                priorities = Arrays.copyOf(priorities, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            priorities[size] = priority;
            counts[size++] = 0;
        }
        counts[place]++;
    }

    void remove(int priority) {
        int place = placeOf(priority);
        if (--counts[place] == 0) {
            size--;
            priorities[place] = priorities[size];
            counts[place] = counts[size];
        }
    }

    /** Whether a pod has less than this. */
    boolean hasBelow(int priority) {
        for (int i = 0; i < size; i++) {
            if (priorities[i] < priority) {
                return true;
            }
        }
        return false;
    }

    int count(int priority) {
        int place = placeOf(priority);
        return place == size ? 0 : counts[place];
    }

    private int placeOf(int priority) {
        int place = 0;
        while (place < size && priorities[place] != priority) {
            place++;
        }
        return place;
    }
}
