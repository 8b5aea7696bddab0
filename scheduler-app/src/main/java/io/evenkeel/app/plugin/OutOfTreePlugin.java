package io.evenkeel.app.plugin;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.PluginContext;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginRefusedException;
import io.evenkeel.app.plugin.PluginLoader.Failure;
import io.evenkeel.app.plugin.PluginLoader.PluginJar;
import io.evenkeel.framework.ApiVersion;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.problem.ConfigurationException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An out-of-tree plugin. Its code is not trusted: name and class are asked for once, and whatever is wrong with what it
 * makes is said in a line that names it and where it is from.
 */
final class OutOfTreePlugin implements PluginFactory {
    private final Path file;
    private final PluginJar jar;
    private final PluginFactory factory;
    private final String name;
    private final Class<? extends Plugin> type;
    private final int defaultWeight;
    private boolean inProfile;

    /** @throws PluginRefusedException if no configuration could enable it */
    OutOfTreePlugin(Path file, PluginJar jar, PluginFactory factory) {
        this.file = file;
        this.jar = jar;
        this.factory = factory;
        try {
            this.name = factory.name();
            this.type = factory.type();
            this.defaultWeight = factory.defaultWeight();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
            throw refused("does not say what it makes: " + Failure.inOneLine(failure));
        }
        if (name == null
                || name.isEmpty()
                || !name.equals(name.strip())
                || name.chars().anyMatch(Character::isISOControl)) {
            throw refused("makes a plugin named \"" + Failure.inOneLine(String.valueOf(name)) + "\", which is no name");
        }
        if (type == null || PluginRegistry.extensionPointsOf(type).isEmpty()) {
            throw refused("makes a plugin that works at no extension point, of " + type);
        }
        if (defaultWeight < 1) {
            throw refused("makes a plugin with a default weight of " + defaultWeight + ", which must be at least 1");
        }
    }

    private PluginRefusedException refused(String why) {
        return new PluginRefusedException(file, factory.getClass().getName() + " " + why);
    }

    /** The jar or the folder. */
    Path file() {
        return file;
    }

    /** Its own, if it says which. */
    Optional<String> version() {
        return jar.version();
    }

    ApiVersion builtFor() {
        return jar.fittingApiVersion(ApiVersion.CURRENT);
    }

    boolean isInProfile() {
        return inProfile;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<? extends Plugin> type() {
        return type;
    }

    @Override
    public int defaultWeight() {
        return defaultWeight;
    }

    /** @throws ConfigurationException if it cannot be made, as with arguments that it does not take */
    @Override
    public Plugin create(PluginContext context) {
        inProfile = true;
        try {
            Plugin plugin = factory.create(context);
            if (!type.isInstance(plugin)) {
                throw new IllegalArgumentException("it was announced as " + type.getName() + " and made as " + plugin);
            }
            if (!name.equals(plugin.name())) {
                throw new IllegalArgumentException("it calls itself \"" + plugin.name() + '"');
            }
            return plugin;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
            throw new ConfigurationException(
                    "plugins: " + name + " of " + file + " cannot be made: " + Failure.inOneLine(failure));
        }
    }
}
