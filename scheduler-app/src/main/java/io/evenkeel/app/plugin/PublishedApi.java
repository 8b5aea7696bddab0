package io.evenkeel.app.plugin;

import io.evenkeel.api.Plugin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The part of this process that out-of-tree plugins see, as the parent of their class loaders: the JDK, the API for plugins with
 * the types of the model that belong to it, nullness annotations, and SLF4J to log by. Of these they use Evenkeel's classes,
 * whatever else their jars hold; all others, and all resources, they bring along, in the versions they like.
 */
final class PublishedApi extends ClassLoader {
    static final String OURS = "io.evenkeel.";

    static final String API = Plugin.class.getPackageName();

    /** A line each in a file of the API, which the release and the check of what was promised read too. */
    static final Set<String> MODEL_TYPES = read();

    private static final String NULLNESS = "org.jspecify.annotations";
    private static final String LOGGING = "org.slf4j.";

    private final ClassLoader evenkeel = Plugin.class.getClassLoader();

    PublishedApi() {
        super("evenkeel-api", getPlatformClassLoader());
    }

    static boolean offers(String className) {
        String packageName = className.substring(0, Math.max(className.lastIndexOf('.'), 0));
        return packageName.equals(API)
                || MODEL_TYPES.contains(className.split("\\$", 2)[0])
                || packageName.equals(NULLNESS)
                || className.startsWith(LOGGING);
    }

    private static Set<String> read() {
        try (InputStream list = Objects.requireNonNull(Plugin.class.getResourceAsStream("model-types.txt"))) {
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
