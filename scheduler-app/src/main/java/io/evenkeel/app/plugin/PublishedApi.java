package io.evenkeel.app.plugin;

import io.evenkeel.framework.PluginFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The part of this process that out-of-tree plugins see, as the parent of their class loaders: the JDK, the packages
 * that they are written against, nullness annotations, and SLF4J to log by. Of these they use Evenkeel's classes,
 * whatever else their jars hold; all others, and all resources, they bring along, in the versions they like.
 */
final class PublishedApi extends ClassLoader {
    static final String OURS = "io.evenkeel.";

    /** A line each in a file, which says to the release too what the Javadoc for plugins is of. */
    static final Set<String> PACKAGES = read();

    private static final String NULLNESS = "org.jspecify.annotations";
    private static final String LOGGING = "org.slf4j.";

    private final ClassLoader evenkeel = PluginFactory.class.getClassLoader();

    PublishedApi() {
        super("evenkeel-api", getPlatformClassLoader());
    }

    static boolean offers(String className) {
        String name = className.substring(0, Math.max(className.lastIndexOf('.'), 0));
        return PACKAGES.contains(name) || name.equals(NULLNESS) || className.startsWith(LOGGING);
    }

    private static Set<String> read() {
        try (InputStream list = Objects.requireNonNull(PublishedApi.class.getResourceAsStream("published-api.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!offers(name)) {
            throw new ClassNotFoundException(name);
        }
        return evenkeel.loadClass(name);
    }
}
