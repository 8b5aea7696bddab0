package io.evenkeel.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest {

    @ParameterizedTest
    @EnumSource
    void noTwoPodsHaveTheSameName(Workload workload) {
        List<Pod> pods = WorkloadPods.of(BenchCase.of(workload, 10, 100, 1));

        assertThat(pods).hasSize(100).extracting(Pod::key).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsName(Workload workload) {
        assertThat(Workload.find(workload.id())).contains(workload);
    }

    @Test
    void mixedDealsOutItsPartsInTurnAndAppsWithinEach() {
        List<Pod> pods = WorkloadPods.of(new BenchCase(Workload.MIXED, 10, 12, 5, 2, 0, 1));

        assertThat(pods)
                .extracting(pod -> pod.labels().getOrDefault("app", ""))
                .containsExactly(
                        "basic-0",
                        "zone-hard-0",
                        "host-soft-0",
                        "both-hard-0",
                        "anti-0",
                        "basic-1",
                        "zone-hard-1",
                        "host-soft-1",
                        "both-hard-1",
                        "anti-1",
                        "basic-0",
                        "zone-hard-0");
    }

    @Test
    void antiHasNoMorePodsOfAnAppThanThereAreNodes() {
        assertThat(Workload.ANTI.usualGroups(1_000, 1_000)).isEqualTo(10);
        assertThat(Workload.ANTI.usualGroups(100, 10_000)).isEqualTo(100);
        assertThat(Workload.MIXED.usualGroups(100, 10_001)).isEqualTo(21);
        assertThat(Workload.BASIC.usualGroups(100, 10_000)).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"SHAPES_1K, 1000", "SHAPES_10K, 10000"})
    void shapesAreSoManyDifferentRequests(Workload workload, int requests) {
        List<Pod> pods = WorkloadPods.of(BenchCase.of(workload, 10, 3 * requests, 1));

        assertThat(pods.stream()
                        .map(pod -> pod.spec().containers().getFirst().requests())
                        .distinct())
                .hasSize(requests);
    }

    /** The trace's own numbers, as its paper and its files give them. */
    @Test
    void theTraceHasItsNodesPodsAndGpus() {
        BenchCase whole = BenchCase.of(Workload.TRACE_GPU, 1_523, 8_152, 1);
        List<Node> nodes = WorkloadCluster.objects(whole).stream()
                .filter(Node.class::isInstance)
                .map(Node.class::cast)
                .toList();
        List<Pod> pods = WorkloadPods.of(whole);

        assertThat(Workload.TRACE_GPU.usualNodes()).isEqualTo(1_523);
        assertThat(Workload.TRACE_GPU.usualPods()).isEqualTo(8_152);
        assertThat(nodes.stream().filter(node -> gpus(node.allocatable()) > 0)).hasSize(1_213);
        assertThat(nodes.stream()
                        .map(Node::allocatable)
                        .mapToLong(WorkloadTest::gpus)
                        .sum())
                .isEqualTo(6_212_000);
        assertThat(pods.stream()
                        .map(pod -> pod.spec().containers().getFirst().requests())
                        .filter(requests -> gpus(requests) > 0))
                .hasSize(7_064);
    }

    private static long gpus(Map<String, Quantity> amounts) {
        return amounts.getOrDefault("example.com/gpu-milli", Quantity.ZERO).value();
    }
}
