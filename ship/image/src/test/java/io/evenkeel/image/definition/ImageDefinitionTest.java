package io.evenkeel.image.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** There is one image, whoever builds it, and the chart knows it. */
class ImageDefinitionTest {
    private static final Path ROOT = Path.of("../..");

    private final Dockerfile dockerfile = new Dockerfile(ROOT.resolve("Dockerfile"));
    private final JibConfiguration jib = new JibConfiguration(Path.of("pom.xml"));
    private final ImageDefinition image = jib.definition();

    ImageDefinitionTest() throws IOException {}

    @Test
    void theDockerfileAndJibSayTheSame() {
        assertThat(dockerfile.definition()).isEqualTo(image);
    }

    @Test
    void theLabelsAreTheUsualOnes() {
        assertThat(image.labels().keySet())
                .allMatch(label -> label.startsWith("org.opencontainers.image."))
                .contains(
                        "org.opencontainers.image.title",
                        "org.opencontainers.image.source",
                        "org.opencontainers.image.licenses",
                        "org.opencontainers.image.version",
                        "org.opencontainers.image.revision",
                        "org.opencontainers.image.created");
    }

    /** Or it waits in vain, and only a whole build of the image would tell. */
    @ParameterizedTest
    @CsvSource({"await \"\\$work/scheduler.log\" '([^']+)', logs.md", "awk '/\\^(\\w+)\\{, metrics.md"})
    void theTrainingWaitsForWhatThereIs(String awaited, String document) throws IOException {
        Matcher found = Pattern.compile(awaited).matcher(Files.readString(Path.of("train")));

        assertThat(found.find()).isTrue();
        assertThat(Files.readString(ROOT.resolve("docs").resolve(document))).contains("`" + found.group(1));
    }

    /** Maven copies libraries beside those that an earlier build left there. */
    @Test
    void noTreeIsMadeOfWhatTwoVersionsLeftBehind(@TempDir Path app) throws IOException, InterruptedException {
        Path lib = Files.createDirectory(app.resolve("lib"));
        for (Path file : List.of(
                app.resolve("evenkeel.jar"),
                app.resolve("evenkeel.cdx.json"),
                lib.resolve("jetty-http-12.1.jar"),
                lib.resolve("jetty-http2-12.1.jar"),
                lib.resolve("scheduler-api-0.1.0.jar"),
                lib.resolve("scheduler-api-0.1.1-SNAPSHOT.jar"))) {
            Files.createFile(file);
        }

        Process process = new ProcessBuilder("./build-tree", "/no/jdk", app.toString(), "2026-01-01T00:00:00Z")
                .redirectErrorStream(true)
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(app + "/lib holds two versions of scheduler-api: remove " + app + " and build again\n");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @Test
    void theChartRunsIt() throws IOException {
        Map<String, Object> values = new Yaml()
                .load(Files.readString(
                        ROOT.resolve("charts").resolve("evenkeel").resolve("values.yaml")));
        assertThat(values).extractingByKey("image").extracting("repository").isEqualTo(jib.repository());
        assertThat(values)
                .extractingByKey("podSecurityContext")
                .satisfies(security -> assertThat(security)
                        .extracting("runAsUser", "runAsGroup")
                        .extracting(String::valueOf)
                        .containsExactly(image.user().split(":")));
    }
}
