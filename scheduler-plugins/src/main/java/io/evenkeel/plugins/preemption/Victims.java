package io.evenkeel.plugins.preemption;

import io.evenkeel.model.Pod;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Who may go, and who rather than whom. */
final class Victims {
    /** Starts later than all that have started. */
    private static final String NOT_YET = "~";

    /** Among pods that have not started, the one that was told to go does, rather than others beside it. */
    private static final String NOT_ANY_MORE = "~~";

    /** The most important first: of higher priority, then running for longer. */
    static final Comparator<Pod> MOST_IMPORTANT_FIRST =
            Comparator.comparing(Victims::priority, Comparator.reverseOrder()).thenComparing(Victims::start);

    private Victims() {}

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
        if (!time.isEmpty()) {
            return time;
        }
        return pod.status().isPreempted() ? NOT_ANY_MORE : NOT_YET;
    }

    /**
     * Whether a pod is more important than one that came before it. The reference takes for the start of one that has not
     * started the moment at which it asks: it asks the later pod first.
     */
    static boolean isMoreImportant(int priority, String start, int otherPriority, String otherStart) {
        if (priority != otherPriority) {
            return priority > otherPriority;
        }
        int order = start.compareTo(otherStart);
        return order < 0 || (order == 0 && start.equals(NOT_YET));
    }

    /** The most important first, as the reference sorts a few. */
    static void sort(List<Pod> pods) {
        for (int i = 1; i < pods.size(); i++) {
            for (int j = i; j > 0 && isMoreImportant(pods.get(j), pods.get(j - 1)); j--) {
                Collections.swap(pods, j, j - 1);
            }
        }
    }

    private static boolean isMoreImportant(Pod pod, Pod before) {
        return isMoreImportant(priority(pod), start(pod), priority(before), start(before));
    }
}
