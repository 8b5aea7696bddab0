package io.evenkeel.lab.bench;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.evenkeel.lab.bench.FillLimits.FillingPods;
import io.evenkeel.model.Pod;
import io.evenkeel.problem.UserProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FillingPodsTest {

    static Stream<Workload> filled() {
        return Stream.of(Workload.values())
                .filter(workload -> !workload.preempts())
                .filter(workload -> workload != Workload.FULL && workload != Workload.TRACE_GPU)
                .filter(workload -> !HostileBench.measures(workload))
                .filter(workload -> !CrowdBench.measures(workload));
    }

    @ParameterizedTest
    @MethodSource("filled")
    void areWhereTheyMayBeAsManyOnEachNode(Workload workload) {
        int onEach = workload == Workload.DRA ? PodsDevices.MOST_PODS_ON_A_NODE : 13;
        BenchCase benchCase = filled(workload, 20, onEach);

        assertThat(podsByNode(FillingPods.of(benchCase)))
                .hasSize(20)
                .allSatisfy((node, count) -> assertThat(count).as(node).isEqualTo(onEach));
        assertThatCode(() -> PlacementCheck.check(WorkloadCluster.objects(benchCase), List.of(), List.of()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("filled")
    void areNamedLikeNoneOfThoseToBePlaced(Workload workload) {
        BenchCase benchCase = filled(workload, 20, 3);
        List<Pod> all = new ArrayList<>(FillingPods.of(benchCase));
        all.addAll(WorkloadPods.of(benchCase));

        assertThat(all).hasSize(60 + 40).extracting(Pod::key).doesNotHaveDuplicates();
    }

    @Test
    void areOfTheSameAppsAsThoseToBePlacedWhichGoOnWhereTheyEnd() {
        BenchCase benchCase = new BenchCase(Workload.HOST_HARD, 4, 2, 2, 3, 1, 1);

        assertThat(apps(FillingPods.of(benchCase)))
                .containsExactly("host-hard-0", "host-hard-1", "host-hard-2", "host-hard-0");
        assertThat(apps(WorkloadPods.of(benchCase))).containsExactly("host-hard-1", "host-hard-2");
    }

    @Test
    void ofEachAppOnePodIsKnownBeforeItsFirstIsMeasured() {
        assertThat(apps(new BenchCase(Workload.ANTI, 4, 9, 2, 3, 1, 1).knownBefore()))
                .containsExactlyInAnyOrder("anti-0", "anti-1", "anti-2");
        assertThat(new BenchCase(Workload.MIXED, 4, 20, 2, 2, 1, 1).knownBefore())
                .hasSize(2 * 5);
        assertThat(BenchCase.of(Workload.ANTI, 4, 9, 1).knownBefore()).isEmpty();
    }

    @Test
    void areBasicOnesWhereTheWorkloadsOwnFitNowhere() {
        assertThat(apps(FillingPods.of(filled(Workload.UNSCHEDULABLE, 20, 1))))
                .allMatch(app -> app.startsWith("basic-"));
    }

    @Test
    void ofVolumesHaveBothTheirVolumes() {
        BenchCase benchCase = filled(Workload.VOLUMES, 7, 5);

        assertThat(WorkloadCluster.objects(benchCase))
                .filteredOn(object -> object.kindName().equals("PersistentVolume"))
                .hasSize(2 * 35 + benchCase.pods());
        assertThatCode(() -> PlacementCheck.check(WorkloadCluster.objects(benchCase), List.of(), List.of()))
                .doesNotThrowAnyException();
    }

    @Test
    void areCountedByTheCheckOfThePlacements() {
        BenchCase full = new BenchCase(Workload.BASIC, 1, 1, 1, 1, 110, 1);

        assertThatCode(() ->
                        PlacementCheck.check(WorkloadCluster.objects(full), WorkloadPods.of(full), List.of("node-0")))
                .isInstanceOf(UserProblem.class)
                .hasMessageContaining("111 of pods requested, 110 allocatable");
    }

    @Test
    void affinityFillsTheZonesOfItsAppsAlsoWhereTheseAreNotOfOneSize() {
        for (int groups : IntStream.of(1, 3, 7, 10).toArray()) {
            BenchCase benchCase = new BenchCase(Workload.AFFINITY, 13, 4, 5, groups, 6, 1);

            assertThatCode(() -> PlacementCheck.check(WorkloadCluster.objects(benchCase), List.of(), List.of()))
                    .as("%d apps", groups)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void areFarFromTheLimitsWhereTheyLeaveRoom() {
        assertThat(FillLimits.objection(filled(Workload.BASIC, 20, 108))).isEmpty();
        assertThat(FillLimits.objection(filled(Workload.BASIC, 20, 109)))
                .hasValue("--fill 109 leaves room for 20 pods, --pods is 40");
        assertThat(FillLimits.objection(filled(Workload.VOLUMES, 20, 62))).isEmpty();
        assertThat(FillLimits.objection(filled(Workload.VOLUMES, 20, 63))).isNotEmpty();
        assertThat(FillLimits.objection(filled(Workload.AFFINITY, 20, 108))).isEmpty();
        assertThat(FillLimits.objection(new BenchCase(Workload.AFFINITY, 20, 40, 5, 6, 70, 1)))
                .hasValue("--fill 70 is more pods of affinity than the nodes can have");
    }

    private static BenchCase filled(Workload workload, int nodes, int fill) {
        int groups = workload.usualGroups(nodes, nodes * fill + 40);
        return new BenchCase(workload, nodes, 40, 5, groups, fill, 1);
    }

    private static Map<String, Long> podsByNode(List<Pod> pods) {
        return pods.stream().collect(groupingBy(pod -> pod.spec().nodeName(), counting()));
    }

    private static List<String> apps(List<Pod> pods) {
        return pods.stream().map(pod -> pod.labels().getOrDefault("app", "")).toList();
    }
}
