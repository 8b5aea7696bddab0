package io.evenkeel.tools.simulate;

/** The outcome for a pod that comes. */
sealed interface Verdict {

    record Placed(String node) implements Verdict {}

    record Waits(String why) implements Verdict {}

    /** It is not made, as it comes only after another that waits. */
    record NotMade(String after) implements Verdict {}

    /** It was placed, and had to go for a pod of higher priority. */
    record Preempted(String by) implements Verdict {}
}
