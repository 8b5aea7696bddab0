package io.evenkeel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those who write plugins compile against, and its Javadoc. */
final class PluginApiTest {
    private static final Path PUBLISHED =
            Path.of("../../scheduler-app/src/main/resources/io/evenkeel/app/plugin/published-api.txt");

    @Test
    void theJarHasThePublishedPackagesAndNoOthers() throws IOException {
        try (JarFile jar = api()) {
            assertThat(jar.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.endsWith(".class"))
                            .map(name ->
                                    name.substring(0, name.lastIndexOf('/')).replace('/', '.'))
                            .distinct())
                    .containsExactlyInAnyOrderElementsOf(Files.readAllLines(PUBLISHED));
            assertThat(jar.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .isEqualTo(ReleaseFiles.VERSION);
        }
    }

    @Test
    void aPluginCompilesAgainstTheJarAlone(@TempDir Path classes) {
        Path sources = Path.of("../../docs/examples/plugin/src/main/java/com/example/podspernode");
        StringWriter said = new StringWriter();
        int exitCode = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        new PrintWriter(said),
                        new PrintWriter(said),
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        "-classpath",
                        ReleaseFiles.file("-plugin-api.jar").toString(),
                        sources.resolve("PodsPerNode.java").toString(),
                        sources.resolve("PodsPerNodeFactory.java").toString());

        assertThat(said.toString()).isEmpty();
        assertThat(exitCode).isZero();
    }

    private static JarFile api() throws IOException {
        return new JarFile(ReleaseFiles.file("-plugin-api.jar").toFile());
    }

    @Test
    void theJavadocIsOfThePublishedPackagesAndOfNoOthers() throws IOException {
        assertThat(entry("element-list").lines()).containsExactlyElementsOf(Files.readAllLines(PUBLISHED));
    }

    @Test
    void theJavadocSaysTheVersion() throws IOException {
        assertThat(entry("index.html")).contains("Evenkeel " + ReleaseFiles.VERSION + ": the API for plugins");
        assertThat(entry("io/evenkeel/framework/FilterPlugin.html")).contains("Evenkeel " + ReleaseFiles.VERSION);
    }

    private static String entry(String name) throws IOException {
        try (ZipFile javadoc =
                new ZipFile(ReleaseFiles.file("-plugin-api-javadoc.jar").toFile())) {
            return new String(javadoc.getInputStream(javadoc.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
