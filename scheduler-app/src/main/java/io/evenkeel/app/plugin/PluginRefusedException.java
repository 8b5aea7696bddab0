package io.evenkeel.app.plugin;

import io.evenkeel.problem.UserProblem;
import java.nio.file.Path;

/** An out-of-tree plugin that cannot be used. The message is one line: which, and why. */
final class PluginRefusedException extends UserProblem {
    private static final long serialVersionUID = 1L;

    PluginRefusedException(Path plugin, String why) {
        super("plugin " + plugin + ": " + why);
    }
}
