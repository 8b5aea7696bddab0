package io.evenkeel.app.plugin;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginRefusedException;
import io.evenkeel.app.plugin.PluginLoader.PluginDirectory.PluginSource;
import io.evenkeel.app.plugin.PublishedApi.ApiUse;
import io.evenkeel.file.FileProblem;
import io.evenkeel.framework.ApiVersion;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** Loads plugins, each source in a class loader of its own: none sees another's classes, nor Evenkeel's inside. */
final class PluginLoader {
    private final PublishedApi api = new PublishedApi();
    private final ApiUse use = new ApiUse(api);

    /** @throws PluginRefusedException if a jar is no good, or none announces a plugin */
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
        announcing.getFirst().fittingApiVersion(ApiVersion.CURRENT);
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

    /** A jar's manifest and services, read before any of its code runs. */
    record PluginJar(Path file, Optional<String> version, Optional<String> builtFor, boolean announces) {
        static final String API = "Evenkeel-Api";
        static final String ANNOUNCEMENT = "META-INF/services/" + PluginFactory.class.getName();

        private static final String CLASS = ".class";

        /** @throws PluginRefusedException if it is none, or could not work with this Evenkeel */
        static PluginJar read(Path file, ApiUse use) {
            try {
                // by this first, as it says more of what is wrong with a file than a jar does
                Files.newInputStream(file).close();
                try (JarFile jar = new JarFile(file.toFile())) {
                    for (JarEntry entry : jar.stream().toList()) {
                        if (entry.getName().endsWith(CLASS)) {
                            check(jar, entry, file, use);
                        }
                    }
                    Optional<Attributes> manifest =
                            Optional.ofNullable(jar.getManifest()).map(Manifest::getMainAttributes);
                    manifest.map(attributes -> attributes.getValue(Attributes.Name.CLASS_PATH))
                            .ifPresent(others -> refuseOthers(file, others));
                    return new PluginJar(
                            file,
                            manifest.map(attributes -> attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION)),
                            manifest.map(attributes -> attributes.getValue(API)).map(String::strip),
                            jar.getEntry(ANNOUNCEMENT) != null);
                }
            } catch (ZipException none) {
                throw new PluginRefusedException(file, "is no jar: " + none.getMessage());
            } catch (IOException unreadable) {
                throw new PluginRefusedException(file, FileProblem.reading(file, unreadable));
            }
        }

        /** A class loader would follow them to jars that were not checked. */
        private static void refuseOthers(Path file, String others) {
            if (!others.isBlank()) {
                throw new PluginRefusedException(
                        file,
                        "Class-Path of its manifest is \"" + others.strip()
                                + "\", which is not followed: put the plugin into a folder with its libraries, and leave"
                                + " Class-Path out");
            }
        }

        private static void check(JarFile jar, JarEntry entry, Path file, ApiUse use) throws IOException {
            byte[] bytes;
            try (var in = jar.getInputStream(entry)) {
                bytes = in.readAllBytes();
            }
            use.problemOf(bytes).ifPresent(problem -> {
                throw new PluginRefusedException(file, entry.getName() + " " + problem);
            });
        }

        /** The version that it was built for, if this one carries that. */
        ApiVersion fittingApiVersion(ApiVersion ours) {
            String wanted = builtFor.orElseThrow(() -> new PluginRefusedException(
                    file, "its manifest does not say which version it was built for: add " + API + ": " + ours));
            ApiVersion version = ApiVersion.parse(wanted)
                    .orElseThrow(() -> new PluginRefusedException(
                            file, API + " of its manifest is \"" + wanted + "\", expected a version such as " + ours));
            if (!ours.carries(version)) {
                throw new PluginRefusedException(
                        file,
                        "built for " + API + " " + version + ", and this Evenkeel has " + ours
                                + ": use a build of the plugin for " + ours);
            }
            return version;
        }
    }

    /**
     * The plugins in a directory, by name: each jar, and each folder with jars. Names that begin with a dot are passed
     * over: where Kubernetes mounts a ConfigMap, they are what its links lead to.
     *
     * @param sources in the order of their names
     * @param leftOut what else is there
     */
    record PluginDirectory(List<PluginSource> sources, List<Path> leftOut) {

        /** A directory that file systems have at their top. */
        private static final String OF_THE_FILE_SYSTEM = "lost+found";

        /** @throws UnreadableDirectoryException if it is not there, no directory or not to be read */
        static PluginDirectory read(Path directory) {
            List<PluginSource> sources = new ArrayList<>();
            List<Path> leftOut = new ArrayList<>();
            try {
                for (Path entry : entries(directory)) {
                    List<Path> jars = jars(entry);
                    if (jars.isEmpty()) {
                        leftOut.add(entry);
                    } else {
                        sources.add(new PluginSource(entry, jars));
                    }
                }
            } catch (NotDirectoryException file) {
                throw new UnreadableDirectoryException(directory + " is no directory");
            } catch (IOException unreadable) {
                throw new UnreadableDirectoryException(FileProblem.reading(directory, unreadable));
            }
            return new PluginDirectory(List.copyOf(sources), List.copyOf(leftOut));
        }

        private static List<Path> jars(Path entry) {
            if (!Files.isDirectory(entry)) {
                return isJar(entry) ? List.of(entry) : List.of();
            }
            try {
                return entries(entry).stream().filter(PluginDirectory::isJar).toList();
            } catch (IOException unreadable) {
                throw new PluginRefusedException(entry, FileProblem.reading(entry, unreadable));
            }
        }

        private static List<Path> entries(Path directory) throws IOException {
            try (Stream<Path> entries = Files.list(directory)) {
                return entries.filter(PluginDirectory::isMeant)
                        .sorted(Comparator.comparing(PluginDirectory::name))
                        .toList();
            }
        }

        private static boolean isMeant(Path entry) {
            return !name(entry).startsWith(".") && !name(entry).equals(OF_THE_FILE_SYSTEM);
        }

        private static boolean isJar(Path entry) {
            return name(entry).endsWith(".jar") && !Files.isDirectory(entry);
        }

        private static String name(Path entry) {
            return String.valueOf(entry.getFileName());
        }

        /** A jar by itself, or a folder with jars, in the order in which classes are looked for; at least one. */
        record PluginSource(Path path, List<Path> jars) {}

        /** There is no directory of plugins where one was named. The message is one line. */
        static final class UnreadableDirectoryException extends UserProblem {
            private static final long serialVersionUID = 1L;

            UnreadableDirectoryException(String message) {
                super(message);
            }
        }
    }
}
