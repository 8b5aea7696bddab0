package io.evenkeel.plugins.preemption;

import io.evenkeel.model.Pod;
import java.util.Comparator;

/** Who may go, and who rather than whom. */
final class Victims {
    /** Starts later than all that have started. */
    private static final String NOT_YET = "~";

    /** The most important first: of higher priority, then running for longer. */
    static final Comparator<Pod> MOST_IMPORTANT_FIRST =
            Comparator.comparing(Victims::priority, Comparator.reverseOrder()).thenComparing(Victims::start);

    private Victims() {}

    /** Whether it goes, whatever becomes of the one that it may go for. */
    static boolean isLeaving(Pod pod) {
        return pod.meta().terminating() || pod.status().isPreempted();
    }

    static int priority(Pod pod) {
        return pod.spec().priority();
    }

    /** The priority, moved so that no pod's is negative: more victims are a greater sum. */
    static long positive(int priority) {
        return priority + (1L << 31);
    }

    /** When the pod started, as text that sorts by time. */
    static String start(Pod pod) {
        String time = pod.status().startTime();
        return time.isEmpty() ? NOT_YET : time;
    }

    /** The same of what is known of two pods. */
    static boolean isMoreImportant(int priority, String start, int otherPriority, String otherStart) {
        return priority != otherPriority ? priority > otherPriority : start.compareTo(otherStart) < 0;
    }
}
