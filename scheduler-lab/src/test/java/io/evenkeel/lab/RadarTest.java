package io.evenkeel.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code .ci/radar} on files of a few notes and gates, in the form that Kubernetes publishes them. */
class RadarTest {
    private static final String CHANGE = "- [ ] [%1$d](https://github.com/kubernetes/kubernetes/pull/%1$d) ";

    @Test
    void namesWhatNobodyHasLookedAt() throws IOException, InterruptedException {
        assumeThat(run("sh", "-c", "command -v jq")).as("jq is there").isNotEmpty();

        List<String> lines = run("../.ci/radar", "src/test/resources/radar");

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
                        "- [ ] VolumeLimitScaling in 1.37: BETA false free, ours: BETA true free");
        assertThat(lines.stream().filter(line -> line.contains("kubernetes/pull")))
                .as("others have a row, were looked at, or are about something else")
                .hasSize(4);
        assertThat(lines)
                .as("gates as ours, and gates of client-go")
                .noneMatch(line -> line.contains("StorageCapacityScoring in 1.37") || line.contains("WatchListClient"));
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
