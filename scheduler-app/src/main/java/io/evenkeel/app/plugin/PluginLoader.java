package io.evenkeel.app.plugin;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginRefusedException;
import io.evenkeel.app.plugin.PluginDirectory.PluginSource;
import io.evenkeel.framework.ApiVersion;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Loads plugins, each source in a class loader of its own: none sees another's classes, nor Evenkeel's inside. */
final class PluginLoader {
    private final PublishedApi api = new PublishedApi();
    private final ApiUse use = new ApiUse(api);

    /**
     * The plugins that a source announces, at least one.
     *
     * @throws PluginRefusedException if one of its jars is no good
     */
    List<OutOfTreePlugin> load(PluginSource source) {
        List<PluginJar> announcing = source.jars().stream()
                .map(jar -> PluginJar.read(jar, use))
                .filter(PluginJar::announces)
                .toList();
        if (announcing.isEmpty()) {
            throw new PluginRefusedException(
                    source.path(),
                    "announces no plugin: there is no " + PluginJar.ANNOUNCEMENT
                            + " in it. A plugin's libraries go into a folder with it");
        }
        if (announcing.size() > 1) {
            throw new PluginRefusedException(
                    source.path(),
                    announcing.get(0).file().getFileName() + " and "
                            + announcing.get(1).file().getFileName()
                            + " both announce plugins: give each a folder of its own");
        }
        announcing.getFirst().requireFit(ApiVersion.CURRENT);
        return announced(source.path(), announcing.getFirst(), classLoader(source));
    }

    private static List<OutOfTreePlugin> announced(Path path, PluginJar jar, ClassLoader classes) {
        List<OutOfTreePlugin> plugins = new ArrayList<>();
        try {
            Iterator<PluginFactory> factories =
                    ServiceLoader.load(PluginFactory.class, classes).iterator();
            while (factories.hasNext()) {
                plugins.add(new OutOfTreePlugin(path, jar, factories.next()));
            }
        } catch (ServiceConfigurationError wrong) {
            throw new PluginRefusedException(path, PluginJar.ANNOUNCEMENT + ": " + reason(wrong));
        } catch (LinkageError wrong) {
            throw new PluginRefusedException(path, "cannot be loaded: " + Failure.inOneLine(wrong));
        }
        if (plugins.isEmpty()) {
            throw new PluginRefusedException(path, PluginJar.ANNOUNCEMENT + " names no class");
        }
        return plugins;
    }

    /** The message repeats the service's name; the cause says why a class cannot be made. */
    private static String reason(ServiceConfigurationError wrong) {
        String message = Failure.inOneLine(String.valueOf(wrong.getMessage()))
                .replaceFirst("^" + PluginFactory.class.getName() + ": ", "");
        return wrong.getCause() == null ? message : message + ": " + Failure.inOneLine(wrong.getCause());
    }

    private ClassLoader classLoader(PluginSource source) {
        try {
            List<URL> jars = new ArrayList<>();
            for (Path jar : source.jars()) {
                jars.add(jar.toUri().toURL());
            }
            return new URLClassLoader("plugin " + source.path(), jars.toArray(URL[]::new), api);
        } catch (MalformedURLException unnameable) {
            throw new PluginRefusedException(source.path(), Failure.inOneLine(unnameable));
        }
    }

    /** An exception from a plugin's code, described for its author. */
    static final class Failure {
        private Failure() {}

        /** The message, behind the kind of failure unless that says no more than that something was no good. */
        static String inOneLine(Throwable failure) {
            if (failure instanceof ExceptionInInitializerError && failure.getCause() != null) {
                return inOneLine(failure.getCause());
            }
            String message = String.valueOf(failure.getMessage());
            return inOneLine(
                    failure.getClass() == IllegalArgumentException.class && failure.getMessage() != null
                            ? message
                            : failure.getClass().getName() + ": " + message);
        }

        static String inOneLine(String text) {
            return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        }
    }
}
