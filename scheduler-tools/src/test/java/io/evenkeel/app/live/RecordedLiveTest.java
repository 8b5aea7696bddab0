package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.app.record.SegmentInput;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.rerun.RecordReplay;
import io.evenkeel.tools.why.PodReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on a cluster is recorded as it is, and replayed to the same decisions. */
class RecordedLiveTest {
    private static final int PODS = 30;

    @TempDir
    private Path files;

    @Test
    void aRunOnAClusterIsReplayedToTheSameDecisions() throws IOException {
        try (HollowCluster cluster = HollowCluster.start();
                HttpTransport transport = HttpTransport.open(
                        ConnectionOptions.of(Optional.of(cluster.writeKubeconfig(files.resolve("kubeconfig")))),
                        "test",
                        ApiObserver.NONE)) {
            for (int i = 0; i < 5; i++) {
                cluster.objects().create("""
                        {"kind":"Node","apiVersion":"v1","metadata":{"name":"n%d"},
                         "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}""".formatted(i));
            }
            try (LiveScheduler live = LiveScheduler.start(
                    SchedulerConfiguration.defaults(),
                    transport,
                    LiveOptions.usual("test")
                            .recording(Optional.of(
                                    new RecordOptions(files.resolve("record"), RecordOptions.USUAL_LIMIT, "test"))),
                    LiveObservers.NONE)) {
                for (int i = 0; i < PODS; i++) {
                    cluster.objects().create(pod("p" + i, "500m"));
                }
                cluster.objects().create(pod("big", "5"));
                await().until(() -> cluster.objects().list(ResourceTable.PODS, "default").stream()
                                .filter(pod -> pod.contains("nodeName"))
                                .count()
                        == PODS);
                live.stop(Duration.ofSeconds(5));
                assertThat(live.recorded().lost()).isZero();
            }
        }

        RecordReplay replay =
                RecordReplay.run(files.resolve("record"), Optional.empty(), InTreePlugins.registry(), "test");

        assertThat(replay.lines().getLast()).startsWith("All as recorded, hash ");
        assertThat(replay.remarks()).isEmpty();
        assertThat(replay.why("default/big", (_, _) -> {}).orElseThrow().state())
                .isInstanceOf(PodReport.State.Waits.class);
        assertThat(replay.why("default/p1", (_, _) -> {}).orElseThrow().state())
                .isInstanceOf(PodReport.State.InPlace.class);
        assertThat(awaited())
                .as("what a later version is to await, though it may watch more")
                .contains("Node", "Pod", "ResourceSlice");
    }

    private Set<String> awaited() throws IOException {
        try (Stream<Path> segments = Files.list(files.resolve("record"));
                SegmentInput first = SegmentInput.open(
                        segments.min(Comparator.naturalOrder()).orElseThrow())) {
            return first.header().settings().settings().awaitedKinds();
        }
    }

    private static String pod(String name, String cpu) {
        return """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default"},
             "spec":{"schedulerName":"default-scheduler","containers":[{"name":"c","image":"pause:1",
              "resources":{"requests":{"cpu":"%s"}}}]}}""".formatted(name, cpu);
    }
}
