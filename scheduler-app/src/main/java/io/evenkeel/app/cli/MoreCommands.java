package io.evenkeel.app.cli;

import java.util.List;

/** Commands that a scheduler in production does without: found by a {@link java.util.ServiceLoader} where a jar brings some. */
public interface MoreCommands {
    /** Each is a command as picocli has it, and stands in the help in this order. */
    List<Object> commands();
}
