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
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those who write plugins compile against, and its Javadoc. */
final class PluginApiTest {
    private static final Path MODEL_TYPES =
            Path.of("../../scheduler-api/src/main/resources/io/evenkeel/api/model-types.txt");

    @Test
    void theJarHasTheApiAndTheModelAndNoScheduler() throws IOException {
        try (JarFile jar = api()) {
            assertThat(jar.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.endsWith(".class"))
                            .map(name -> name.split("/")[2])
                            .distinct())
                    .containsExactlyInAnyOrder("api", "model", "problem", "schema");
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
    void theJavadocIsOfWhatPluginsMayUseAndOfNothingElse() throws IOException {
        assertThat(entry("element-list").lines())
                .containsExactlyElementsOf(Stream.concat(
                                Stream.of("io.evenkeel.api"),
                                Files.readAllLines(MODEL_TYPES).stream()
                                        .map(type -> type.substring(0, type.lastIndexOf('.'))))
                        .distinct()
                        .toList());
        assertThat(entry("allclasses-index.html"))
                .contains("io/evenkeel/model/Taint.html")
                .doesNotContain("io/evenkeel/model/constraint/");
    }

    @Test
    void theJavadocSaysTheVersion() throws IOException {
        assertThat(entry("index.html")).contains("Evenkeel " + ReleaseFiles.VERSION + ": the API for plugins");
        assertThat(entry("io/evenkeel/api/FilterPlugin.html")).contains("Evenkeel " + ReleaseFiles.VERSION);
    }

    private static String entry(String name) throws IOException {
        try (ZipFile javadoc =
                new ZipFile(ReleaseFiles.file("-plugin-api-javadoc.jar").toFile())) {
            return new String(javadoc.getInputStream(javadoc.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
