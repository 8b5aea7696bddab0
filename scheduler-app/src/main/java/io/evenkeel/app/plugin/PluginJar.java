package io.evenkeel.app.plugin;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginRefusedException;
import io.evenkeel.file.FileProblem;
import io.evenkeel.framework.ApiVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipException;

/**
 * A jar's manifest and services, read before any of its code runs.
 *
 * @param version its own, by {@code Implementation-Version}
 * @param builtFor what {@value #API} says
 * @param announces whether it announces plugins
 */
record PluginJar(Path file, Optional<String> version, Optional<String> builtFor, boolean announces) {
    static final String API = "Evenkeel-Api";
    static final String ANNOUNCEMENT = "META-INF/services/" + PluginFactory.class.getName();

    private static final String CLASS = ".class";

    /**
     * Reads a jar, and looks through its classes.
     *
     * @throws PluginRefusedException if it is none, or could not work with this Evenkeel
     */
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
    ApiVersion requireFit(ApiVersion ours) {
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
