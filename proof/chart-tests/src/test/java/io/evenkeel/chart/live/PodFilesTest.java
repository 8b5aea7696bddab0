package io.evenkeel.chart.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.rotation.Rotated;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a pod the scheduler knows the API server by its ServiceAccount alone. */
class PodFilesTest {
    private static final Path FOLDER = Path.of("/var/run/secrets/kubernetes.io");

    @TempDir
    private Path folder;

    @Rotated(3)
    @Test
    void theSchedulerFindsTheServerByItsServiceAccount() throws Exception {
        try (HollowCluster cluster = HollowCluster.start()) {
            assumeTrue(
                    PodFiles.of(folder, "t", cluster.caPem().orElseThrow()).canBeSeen(),
                    "this machine lets nobody have mounts of their own");
            boolean there = Files.exists(FOLDER);
            cluster.tokens().add("in-the-pod", User.named("system:serviceaccount:kube-system:evenkeel"));
            try (SchedulerProcess scheduler =
                    SchedulerProcess.start(folder, Chart.render(""), cluster, "nobody", "in-the-pod")) {
                scheduler.awaitReady();
                assertThat(scheduler.stop()).as(scheduler.log()).isZero();
            }
            assertThat(cluster.requestLog().requests())
                    .isNotEmpty()
                    .allMatch(request -> request.user().equals("system:serviceaccount:kube-system:evenkeel"));
            assertThat(folder.resolve("kubeconfig")).doesNotExist();
            assertThat(Files.exists(FOLDER)).as("of the machine").isEqualTo(there);
        }
    }
}
