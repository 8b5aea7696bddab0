package io.evenkeel.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The packaged chart, through Helm itself, and the image that it names. */
final class ChartTest {
    private static final Path CHART = Path.of("../../charts/evenkeel").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void theChartAndWhatItRunsHaveTheVersionOfTheRelease() throws Exception {
        Path chart = ReleaseFiles.unpack(ReleaseFiles.file(".tgz"), folder);

        Map<String, Object> said = new Yaml().load(Files.readString(chart.resolve("Chart.yaml")));
        assertThat(said)
                .containsEntry("version", ReleaseFiles.VERSION)
                .containsEntry("appVersion", ReleaseFiles.VERSION);
    }

    @Test
    void helmTakesTheArchiveAndRendersTheImageOfTheRelease() throws Exception {
        Path archive = ReleaseFiles.file(".tgz");

        assertThat(new Helm(archive).lint().strict().call().isFailed()).isFalse();
        assertThat(new Helm(archive)
                        .template()
                        .withName("evenkeel")
                        .withKubeVersion("1.36")
                        .call())
                .contains("image: \"" + tagOfTheImage() + "\"");
    }

    @Test
    void theManifestsForThoseWithoutHelmRunTheImageOfTheRelease() throws Exception {
        assertThat(Files.readString(ReleaseFiles.FOLDER.resolve("install.yaml")))
                .contains("image: \"" + tagOfTheImage() + "\"");
    }

    @Test
    void theArchiveHoldsAllThatTheChartSFolderHolds() throws Exception {
        Path chart = ReleaseFiles.unpack(ReleaseFiles.file(".tgz"), folder);

        assertThat(Processes.run(folder, Map.of(), "find", chart.toString(), "-type", "f", "-printf", "%P\n")
                        .lines())
                .containsExactlyInAnyOrderElementsOf(
                        Processes.run(folder, Map.of(), "find", CHART.toString(), "-type", "f", "-printf", "%P\n")
                                .lines()
                                .toList());
    }

    private String tagOfTheImage() throws IOException, InterruptedException {
        String manifest = Processes.run(
                folder, Map.of(), "tar", "-xOf", ReleaseFiles.image().toString(), "manifest.json");
        JsonArray tags = JsonParser.parseString(manifest)
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject()
                .getAsJsonArray("RepoTags");
        return tags.get(0).getAsString();
    }
}
