package io.evenkeel.tools.why;

import io.evenkeel.model.Pod;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Who asks about pods.
 *
 * @param name of the user, with whom its questions take turns; empty where it is not known
 * @param nameable which other pods may be named to it
 * @param stillWanted whether the asker waits for the answer; else it is given up
 */
public record Requester(String name, Predicate<Pod> nameable, BooleanSupplier stillWanted) {
    /** The user of a command: may name all that their own rights list, and waits for the answer. */
    public static final Requester OPERATOR = new Requester("", _ -> true, () -> true);

    /** A user who may name all pods. */
    public static Requester named(String user, BooleanSupplier stillWanted) {
        return new Requester(user, _ -> true, stillWanted);
    }

    /** The same, but only as long as this holds too. */
    public Requester whileAlso(BooleanSupplier wanted) {
        return new Requester(name, nameable, () -> stillWanted.getAsBoolean() && wanted.getAsBoolean());
    }

    /** @throws CancelledQuestionException if it does not wait any more */
    public void requireWanted() {
        if (!stillWanted.getAsBoolean()) {
            throw new CancelledQuestionException();
        }
    }
}
