package io.evenkeel.app.plugin;

import io.evenkeel.app.plugin.OutOfTreePlugins.PluginRefusedException;
import io.evenkeel.file.FileProblem;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

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
