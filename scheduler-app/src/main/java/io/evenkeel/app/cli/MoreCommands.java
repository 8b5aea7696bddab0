package io.evenkeel.app.cli;

import java.util.List;

/** Commands beside {@code run}: found by a {@link java.util.ServiceLoader} where a jar brings some. */
public interface MoreCommands {
    /** Commands as picocli has them, in the order of the help. */
    List<Object> commands();

    /** Whether the help shows them after all others. */
    default boolean areLast() {
        return false;
    }
}
