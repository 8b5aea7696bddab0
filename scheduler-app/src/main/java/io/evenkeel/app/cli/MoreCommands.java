package io.evenkeel.app.cli;

import java.util.List;

/** Commands that a scheduler in production does without: found by a {@link java.util.ServiceLoader} where a jar brings some. */
public interface MoreCommands {
    /** Commands as picocli has them, in the order of the help. */
    List<Object> commands();
}
