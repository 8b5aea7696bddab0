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
public record Asker(String name, Predicate<Pod> nameable, BooleanSupplier stillWanted) {
    /** The user of a command: may name all that their own rights list, and waits for the answer. */
    public static final Asker OPERATOR = new Asker("", _ -> true, () -> true);

    /** The same, but only as long as this holds too. */
    public Asker whileAlso(BooleanSupplier wanted) {
        return new Asker(name, nameable, () -> stillWanted.getAsBoolean() && wanted.getAsBoolean());
    }

    /** @throws UnwantedAnswerException if it does not wait any more */
    void requireWanted() {
        if (!stillWanted.getAsBoolean()) {
            throw new UnwantedAnswerException();
        }
    }
}
