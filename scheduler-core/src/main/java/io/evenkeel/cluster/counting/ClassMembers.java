package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.node.PodTable;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The label class of each row of the pod table, and the rows of each class as a linked list. */
final class ClassMembers {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable LabelClass[] classes = new LabelClass[FIRST_CAPACITY];
    private int[] next = new int[FIRST_CAPACITY];
    private int[] previous = new int[FIRST_CAPACITY];

    LabelClass classOf(int row) {
        LabelClass found = classes[row];
        if (found == null) {
            throw new NoSuchElementException("the pod in row " + row + " is in no label class");
        }
        return found;
    }

    /** The row after this one in its class, or {@link PodTable#NONE}. */
    int next(int row) {
        return next[row];
    }

    void join(int row, LabelClass labelClass) {
        ensureCapacity(row + 1);
        classes[row] = labelClass;
        next[row] = labelClass.firstPod;
        previous[row] = PodTable.NONE;
        if (labelClass.firstPod != PodTable.NONE) {
            previous[labelClass.firstPod] = row;
        }
        labelClass.firstPod = row;
        labelClass.pods++;
    }

    void leave(int row) {
        LabelClass labelClass = classOf(row);
        int after = next[row];
        int before = previous[row];
        if (before == PodTable.NONE) {
            labelClass.firstPod = after;
        } else {
            next[before] = after;
        }
        if (after != PodTable.NONE) {
            previous[after] = before;
        }
        labelClass.pods--;
        classes[row] = null;
    }

    private void ensureCapacity(int needed) {
        if (needed > classes.length) {
            int capacity = Math.max(needed, classes.length * 2);
            classes = Arrays.copyOf(classes, capacity);
            next = Arrays.copyOf(next, capacity);
            previous = Arrays.copyOf(previous, capacity);
        }
    }
}
