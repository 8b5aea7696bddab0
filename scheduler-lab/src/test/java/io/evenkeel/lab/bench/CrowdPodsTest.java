package io.evenkeel.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.bench.CrowdBench.CrowdPods;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrowdPodsTest {
    private static final int POD_COUNT = 10_000;

    @Test
    void areOfSeveralDeploymentsInSeveralNamespaces() {
        List<Pod> pods = CrowdPods.waiting(5).toList();

        assertThat(pods).hasSize(POD_COUNT).extracting(Pod::key).doesNotHaveDuplicates();
        assertThat(pods.stream()
                        .map(pod -> pod.labels().getOrDefault("app", ""))
                        .distinct())
                .hasSize(CrowdPods.DEPLOYMENTS);
        assertThat(pods.stream().map(Pod::namespace).distinct()).hasSize(CrowdPods.NAMESPACES);
    }

    @Rotated(3)
    @Test
    void allFitNowhere() {
        for (BenchCase benchCase : List.of(
                new BenchCase(Workload.CROWD, 60, 1, 3, 1, 0, 1), new BenchCase(Workload.CROWD, 1, 1, 1, 1, 0, 1))) {
            assertThat(CrowdBench.CrowdRun.crowded(benchCase, InTreePlugins.registry())
                            .waiting())
                    .as("of %s", benchCase)
                    .isEqualTo(POD_COUNT);
        }
    }
}
