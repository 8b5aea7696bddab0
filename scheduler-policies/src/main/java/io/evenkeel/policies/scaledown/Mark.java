package io.evenkeel.policies.scaledown;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;

/**
 * The cost on a pod, and who wrote it: we, where our own annotation says the same.
 *
 * @param cost as a ReplicaSet reads it; 0 where there is none, or no number
 */
record Mark(Writer writer, int cost) {
    static final Mark NONE = new Mark(Writer.NOBODY, 0);

    enum Writer {
        NOBODY,
        WE,
        ANOTHER
    }

    static Mark ours(int cost) {
        return new Mark(Writer.WE, cost);
    }

    static Mark on(Pod pod) {
        Labels annotations = pod.meta().annotations();
        String cost = annotations.getOrDefault(Annotations.DELETION_COST, "");
        if (!annotations.has(Annotations.OWN_DELETION_COST)) {
            return annotations.has(Annotations.DELETION_COST) ? new Mark(Writer.ANOTHER, number(cost)) : NONE;
        }
        boolean isOurs = annotations.has(Annotations.OWN_DELETION_COST, cost);
        return new Mark(isOurs ? Writer.WE : Writer.ANOTHER, number(cost));
    }

    /** Whether there is something of ours on the pod, though another may have written over it. */
    static boolean isLeftOn(Pod pod) {
        return pod.meta().annotations().has(Annotations.OWN_DELETION_COST);
    }

    boolean isOurs() {
        return writer == Writer.WE;
    }

    boolean isAnothers() {
        return writer == Writer.ANOTHER;
    }

    private static int number(String text) {
        try {
            return text.matches("0|-.*|[1-9].*") ? Integer.parseInt(text) : 0;
        } catch (NumberFormatException none) {
            return 0;
        }
    }
}
