package io.evenkeel.kube.dispatch.plan;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/**
 * The order of turns among the kinds of commands that may start. The most urgent goes first, but one that may start is passed
 * over {@value #MOST_PASSED_OVER} times in a row at most, or some more where several are: so whatever floods, each kind gets
 * its share, a quarter beside one other. What a kind leaves of its share goes to the others. O(kinds). Not thread-safe.
 *
 * <p>For example, while bindings flood and some status patches wait:
 *
 * <pre>
 * turn                    1     2     3     4      5     6
 * may start               B P   B P   B P   B P    B P   B
 * P was passed over       0     1     2     3      0     1
 * goes                    B     B     B     P      B     B
 *                                           ^ passed over three times: its turn, however many bindings wait
 * </pre>
 */
final class Turns {
    static final int MOST_PASSED_OVER = 3;

    private final Map<CommandKind, Integer> passedOver = new EnumMap<>(CommandKind.class);

    /** Gives the turn to one of these; there must be one. */
    CommandKind give(EnumSet<CommandKind> able) {
        CommandKind next = mostUrgent(able);
        for (CommandKind kind : able) {
            passedOver.merge(kind, 1, Integer::sum);
        }
        passedOver.put(next, 0);
        return next;
    }

    /** Returns the kind that was passed over too often by the most; of equals, the first. */
    private CommandKind mostUrgent(EnumSet<CommandKind> able) {
        CommandKind most = able.iterator().next();
        for (CommandKind kind : able) {
            most = overdue(kind) > overdue(most) ? kind : most;
        }
        return most;
    }

    /** How often it was passed over beyond its patience; negative numbers are all the same. */
    private int overdue(CommandKind kind) {
        return Math.max(0, passedOver.getOrDefault(kind, 0) - MOST_PASSED_OVER + 1);
    }
}
