package io.evenkeel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** The Javadoc for those who write plugins. */
final class PluginApiTest {
    private static final Path PUBLISHED =
            Path.of("../scheduler-app/src/main/resources/io/evenkeel/app/plugin/published-api.txt");

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
