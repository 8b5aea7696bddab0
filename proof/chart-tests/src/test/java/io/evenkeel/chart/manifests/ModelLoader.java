package io.evenkeel.chart.manifests;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads one version of client-java's models, whatever version of them the tests have; all else is the tests' own. */
final class ModelLoader extends URLClassLoader {
    private static final String OURS = "io.kubernetes.client.";

    private ModelLoader(URL jar) {
        super(new URL[] {jar}, ModelLoader.class.getClassLoader());
    }

    static ModelLoader of(Path jar) {
        if (!Files.exists(jar)) {
            throw new AssertionError(
                    jar + " is not there; ./mvnw -pl proof/chart-tests process-test-resources copies it");
        }
        try {
            return new ModelLoader(jar.toUri().toURL());
        } catch (MalformedURLException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The other way round than loaders do: what is in the jar is never asked of the parent. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }
}
