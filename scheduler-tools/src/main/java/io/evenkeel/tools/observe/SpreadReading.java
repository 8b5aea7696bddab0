package io.evenkeel.tools.observe;

import java.util.Comparator;
import java.util.List;

/**
 * The content of a constraint's domains when they were looked at.
 *
 * @param skew as {@link io.evenkeel.cluster.counting.Skew} measures it
 * @param allowed maxSkew
 * @param domains how many are counted
 * @param violating those with more than maxSkew above the emptiest, fullest first
 */
record SpreadReading(int skew, int allowed, int domains, List<Domain> violating) {
    static final SpreadReading NOTHING = new SpreadReading(0, 1, 0, List.of());

    /** A domain with the pods that the constraint counts there. */
    record Domain(String value, int pods) {
        static final Comparator<Domain> FULLEST_FIRST =
                Comparator.comparingInt(Domain::pods).reversed().thenComparing(Domain::value);
    }

    boolean isViolated() {
        return skew > allowed;
    }

    /** How far the skew is beyond what is allowed; negative within. */
    int excess() {
        return skew - allowed;
    }
}
