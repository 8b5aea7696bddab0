package io.evenkeel.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/radar} on a source tree of a few notes, gates, fields and metrics, in the form that Kubernetes has them. */
class RadarTest {
    private static final String CHANGE = "- [ ] [%1$d](https://github.com/kubernetes/kubernetes/pull/%1$d) ";
    private static final Path FILES = Path.of("src/test/resources/radar");
    private static final Path SCHEMAS = Path.of("../kubernetes/model/src/main/resources/io/evenkeel/schema");

    @TempDir
    private Path tree;

    @Test
    void namesWhatNobodyHasLookedAt() throws IOException, InterruptedException {
        put("CHANGELOG-1.37.md", "CHANGELOG/CHANGELOG-1.37.md");
        put("CHANGELOG-1.39.md", "CHANGELOG/CHANGELOG-1.39.md");
        put("versioned_feature_list.yaml", "test/compatibility_lifecycle/reference/versioned_feature_list.yaml");
        put("documentation-list.yaml", "test/instrumentation/documentation/documentation-list.yaml");
        putMessages();

        List<String> lines = run("../.ci/radar", tree.toString());

        assertThat(lines)
                .containsSubsequence(
                        "## Changes in 1.37 without a row",
                        CHANGE.formatted(900001) + "Changed a verdict. Thanks to somebody.",
                        CHANGE.formatted(900002) + "Changed how kubelet prepares a ResourceClaim.",
                        CHANGE.formatted(900004) + "Changed which volumes kube-scheduler counts for a CSINode.",
                        "## Changes in 1.39 without a row",
                        CHANGE.formatted(900006) + "Rounded resource.Quantity another way.",
                        "## Feature gates",
                        "- [ ] AnotherGate in 1.38: ALPHA false free, ours: unknown",
                        "- [ ] DRAPartitionableDevices is gone, ours: BETA true free",
                        "- [ ] StorageCapacityScoring in 1.39: GA true locked, ours: BETA true free",
                        "- [ ] VolumeLimitScaling in 1.37: BETA false free, ours: BETA true free",
                        "## Fields",
                        "- [ ] PodSpec.brandNew=99",
                        "## Metrics",
                        "- [ ] scheduler_brand_new_total");
        assertThat(lines.stream().filter(line -> line.contains("kubernetes/pull")))
                .as("others have a row, were looked at, or are about something else")
                .hasSize(4);
        assertThat(lines)
                .as("gates, fields and metrics as ours, and gates of client-go")
                .noneMatch(line -> line.contains("StorageCapacityScoring in 1.37")
                        || line.contains("WatchListClient")
                        || line.contains("containers")
                        || line.contains("pending_pods"));
    }

    private void put(String file, String place) throws IOException {
        Path there = tree.resolve(place);
        Files.createDirectories(there.getParent());
        Files.copy(FILES.resolve(file), there);
    }

    /** For each group that there is a schema of, in the folders in which Kubernetes has them. */
    private void putMessages() throws IOException {
        try (DirectoryStream<Path> schemas = Files.newDirectoryStream(SCHEMAS)) {
            for (Path schema : schemas) {
                String group = schema.getFileName().toString().replace(".txt", "");
                String version = group.matches(".*\\.v1\\w+") ? group.substring(group.lastIndexOf('.') + 1) : "v1";
                String folder = group.equals("meta") ? "apimachinery/pkg/apis/meta" : "api/" + group.split("\\.", 2)[0];
                Path there = tree.resolve("staging/src/k8s.io/" + folder + "/" + version + "/generated.proto");
                Files.createDirectories(there.getParent());
                if (group.equals("core")) {
                    Files.copy(FILES.resolve("generated.proto"), there);
                } else if (!Files.exists(there)) {
                    Files.createFile(there);
                }
            }
        }
    }

    private static List<String> run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream said = process.getInputStream()) {
            List<String> lines = new String(said.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            process.waitFor();
            return lines;
        }
    }
}
