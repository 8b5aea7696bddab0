package io.evenkeel.app.plugin;

import io.evenkeel.app.option.Converters.FilePath;
import io.evenkeel.app.plugin.PluginDirectory.UnreadableDirectoryException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The flag for out-of-tree plugins. */
public final class PluginOptions {
    public static final String FLAG = "--plugins";
    private static final String VARIABLE = "EVENKEEL_PLUGINS";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = FLAG,
            paramLabel = "DIR",
            description =
                    "Directory of out-of-tree plugins: jars, or folders of a jar and its dependencies (default: $$"
                            + VARIABLE + ", else none)")
    private Optional<Path> directory = Optional.empty();

    /** @throws ParameterException if there is no such directory */
    public OutOfTreePlugins load() {
        return directory
                .map(named -> load(FLAG, named))
                .or(() -> ofEnvironment().map(named -> load(VARIABLE, named)))
                .orElseGet(OutOfTreePlugins::none);
    }

    private OutOfTreePlugins load(String named, Path from) {
        try {
            return OutOfTreePlugins.load(from);
        } catch (UnreadableDirectoryException mistake) {
            throw mistake(named, mistake);
        }
    }

    /** A variable that is set to nothing counts as not set, as shells have it. */
    private Optional<Path> ofEnvironment() {
        try {
            return Optional.ofNullable(System.getenv(VARIABLE))
                    .filter(value -> !value.isEmpty())
                    .map(new FilePath()::convert);
        } catch (TypeConversionException mistake) {
            throw mistake(VARIABLE, mistake);
        }
    }

    private ParameterException mistake(String named, RuntimeException mistake) {
        return new ParameterException(spec.commandLine(), named + ": " + mistake.getMessage());
    }
}
