package io.evenkeel.lab.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.problem.UserProblem;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The nodes node-0 to node-4 are in the zones zone-0, zone-1, zone-0, zone-1, zone-0. */
class PlacementCheckTest {

    @Test
    void aNodeHoldsNoMorePodsThanItAllows() {
        assertAllowed(Workload.BASIC, Collections.nCopies(110, "node-0"));
        assertForbidden(
                Workload.BASIC,
                Collections.nCopies(111, "node-0"),
                "node node-0 is overcommitted: 111 of pods requested, 110 allocatable");
    }

    @Test
    void aNodeGivesNoMoreThanItHas() {
        assertForbidden(
                Workload.UNSCHEDULABLE,
                List.of("node-3"),
                "node node-3 is overcommitted: 65 of cpu requested, 64 allocatable");
    }

    @Test
    void hardSpreadHolds() {
        assertAllowed(Workload.ZONE_HARD, List.of("node-0", "node-1", "node-2"));
        assertForbidden(
                Workload.ZONE_HARD,
                List.of("node-0", "node-2"),
                "the pods like default/zone-hard-0 have skew 2 over topology.kubernetes.io/zone, more than maxSkew 1");
        assertForbidden(
                Workload.HOST_HARD,
                List.of("node-0", "node-1", "node-1"),
                "the pods like default/host-hard-0 have skew 2 over kubernetes.io/hostname, more than maxSkew 1");
    }

    @Test
    void softSpreadNeedNotHold() {
        assertAllowed(Workload.BOTH_SOFT, List.of("node-0", "node-0", "node-0"));
    }

    @Test
    void podsThatExcludeEachOtherDoNotShareAHost() {
        assertAllowed(Workload.ANTI, List.of("node-0", "node-1", ""));
        assertForbidden(
                Workload.ANTI,
                List.of("node-0", "node-0"),
                "pod default/anti-0 shares kubernetes.io/hostname=node-0 with a pod that its anti-affinity excludes");
    }

    @Test
    void podsThatNeedEachOtherShareAZone() {
        assertAllowed(Workload.AFFINITY, List.of("node-1"));
        assertAllowed(Workload.AFFINITY, List.of("node-0", "node-2", "node-4"));
        assertForbidden(
                Workload.AFFINITY,
                List.of("node-1", "node-0", "node-2"),
                "pod default/affinity-0 is alone in topology.kubernetes.io/zone=zone-1 though its affinity requires"
                        + " company");
    }

    @Test
    void whatIsPlacedNowhereCountsNowhere() {
        assertAllowed(Workload.ZONE_HARD, List.of("node-0", "", ""));
        assertAllowed(Workload.UNSCHEDULABLE, List.of("", ""));
    }

    private static void assertAllowed(Workload workload, List<String> nodes) {
        assertThatCode(() -> check(workload, nodes)).doesNotThrowAnyException();
    }

    private static void assertForbidden(Workload workload, List<String> nodes, String message) {
        assertThatThrownBy(() -> check(workload, nodes))
                .isInstanceOf(UserProblem.class)
                .hasMessage(message);
    }

    private static void check(Workload workload, List<String> nodes) {
        BenchCase benchCase = new BenchCase(workload, 5, nodes.size(), 2, 1, 0, 1);
        PlacementCheck.check(WorkloadCluster.objects(benchCase), WorkloadPods.of(benchCase), nodes);
    }
}
