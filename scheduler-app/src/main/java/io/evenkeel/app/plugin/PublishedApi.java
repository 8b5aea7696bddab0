package io.evenkeel.app.plugin;

import io.evenkeel.framework.PluginFactory;
import java.util.Set;

/**
 * The part of this process that out-of-tree plugins see, as the parent of their class loaders: the JDK, the packages
 * that they are written against, nullness annotations, and SLF4J to log by. Of these they use Evenkeel's classes,
 * whatever else their jars hold; all others, and all resources, they bring along, in the versions they like.
 */
final class PublishedApi extends ClassLoader {
    static final String OURS = "io.evenkeel.";

    private static final Set<String> PACKAGES = Set.of(
            "io.evenkeel.model",
            "io.evenkeel.model.build",
            "io.evenkeel.model.constraint",
            "io.evenkeel.model.decode",
            "io.evenkeel.model.value",
            "io.evenkeel.model.kind",
            "io.evenkeel.config",
            "io.evenkeel.config.args",
            "io.evenkeel.config.feature",
            "io.evenkeel.cluster",
            "io.evenkeel.cluster.counting",
            "io.evenkeel.cluster.index",
            "io.evenkeel.cluster.node",
            "io.evenkeel.cluster.shape",
            "io.evenkeel.framework",
            "io.evenkeel.framework.change",
            "io.evenkeel.framework.cycle",
            "org.jspecify.annotations");
    private static final String LOGGING = "org.slf4j.";

    private final ClassLoader evenkeel = PluginFactory.class.getClassLoader();

    PublishedApi() {
        super("evenkeel-api", getPlatformClassLoader());
    }

    static boolean offers(String className) {
        return className.startsWith(LOGGING)
                || PACKAGES.contains(className.substring(0, Math.max(className.lastIndexOf('.'), 0)));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!offers(name)) {
            throw new ClassNotFoundException(name);
        }
        return evenkeel.loadClass(name);
    }
}
