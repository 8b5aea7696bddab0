package io.evenkeel.app.plugin;

import io.evenkeel.app.option.Converters.FilePath;
import io.evenkeel.app.plugin.PluginLoader.PluginDirectory;
import io.evenkeel.app.plugin.PluginLoader.PluginDirectory.PluginSource;
import io.evenkeel.app.plugin.PluginLoader.PluginDirectory.UnreadableDirectoryException;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The plugins of a directory, beside the built-in ones; logs the outcome for each. */
public final class OutOfTreePlugins {
    private static final Logger log = LoggerFactory.getLogger(OutOfTreePlugins.class);

    private static final PluginRegistry BUILT_IN = InTreePlugins.registry();

    private final PluginRegistry registry;
    private final Collection<OutOfTreePlugin> plugins;

    private OutOfTreePlugins(PluginRegistry registry, Collection<OutOfTreePlugin> plugins) {
        this.registry = registry;
        this.plugins = plugins;
    }

    public static OutOfTreePlugins none() {
        return new OutOfTreePlugins(InTreePlugins.registry(), List.of());
    }

    /** Loads all plugins of a directory, in the order of their files' names. */
    public static OutOfTreePlugins load(Path directory) {
        PluginDirectory found = PluginDirectory.read(directory);
        found.leftOut().forEach(file -> report("Ignoring file that is not a plugin", file));
        if (found.sources().isEmpty()) {
            report("No plugins in the directory", directory);
        }
        warnIfWorldWritable(directory);
        PluginLoader loader = new PluginLoader();
        Map<String, OutOfTreePlugin> byName = new LinkedHashMap<>();
        for (PluginSource source : found.sources()) {
            warnIfWorldWritable(source.path());
            source.jars().stream()
                    .filter(jar -> !jar.equals(source.path()))
                    .forEach(OutOfTreePlugins::warnIfWorldWritable);
            loader.load(source).forEach(plugin -> add(plugin, byName));
        }
        byName.values().forEach(OutOfTreePlugins::logLoaded);
        return new OutOfTreePlugins(InTreePlugins.registry().with(List.copyOf(byName.values())), byName.values());
    }

    public PluginRegistry registry() {
        return registry;
    }

    /** Says which of them no profile has enabled. To be called once profiles have been made. */
    public void warnOfUnused() {
        plugins.stream()
                .filter(plugin -> !plugin.isInProfile())
                .forEach(plugin -> log.atWarn()
                        .setMessage("Out-of-tree plugin is enabled in no profile and does nothing")
                        .addKeyValue("name", plugin.name())
                        .addKeyValue("file", plugin.file())
                        .log());
    }

    private static void add(OutOfTreePlugin plugin, Map<String, OutOfTreePlugin> byName) {
        if (BUILT_IN.isTaken(plugin.name())) {
            throw new PluginRefusedException(
                    plugin.file(),
                    "its plugin has the name of one that comes with a scheduler, " + plugin.name()
                            + ": give it another");
        }
        OutOfTreePlugin first = byName.putIfAbsent(plugin.name(), plugin);
        if (first != null) {
            throw new PluginRefusedException(
                    plugin.file(),
                    "its plugin has the name of that of " + first.file() + ", " + plugin.name()
                            + ": leave one of them out");
        }
    }

    private static void logLoaded(OutOfTreePlugin plugin) {
        log.atInfo()
                .setMessage("Loaded out-of-tree plugin")
                .addKeyValue("name", plugin.name())
                .addKeyValue("version", plugin.version().orElse("unknown"))
                .addKeyValue("api", plugin.builtFor())
                .addKeyValue("file", plugin.file())
                .log();
    }

    /** Loaded code has all rights of this process. A read-only mount is safe, whatever the modes of its files. */
    private static void warnIfWorldWritable(Path path) {
        try {
            if (Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_WRITE)
                    && Files.isWritable(path)) {
                report("Plugin path is world-writable", path);
            }
        } catch (UnsupportedOperationException | IOException unknown) {
            // no such modes here, or no such file, which is said where it is read
        }
    }

    private static void report(String message, Path file) {
        log.atWarn().setMessage(message).addKeyValue("file", file).log();
    }

    /** An out-of-tree plugin that cannot be used. The message is one line: which, and why. */
    static final class PluginRefusedException extends UserProblem {
        private static final long serialVersionUID = 1L;

        PluginRefusedException(Path plugin, String why) {
            super("plugin " + plugin + ": " + why);
        }
    }

    /** The flag for out-of-tree plugins. */
    public static final class PluginOptions {
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

        /** Loads the plugins of the flag or the variable; a missing directory is a ParameterException. */
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
}
