package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import java.util.Map;
import org.junit.jupiter.api.Test;

@OnClusters(atEachLevel = true)
class RejectionTest {

    @Test
    void twoHardConstraintsThatContradictEachOtherLeaveNoNode(Scene scene) {
        // zones ask for b, but only node1 has room by nodes, and it is in a
        scene.zone("a", "node1", "node2");
        scene.zone("b", "node3");
        scene.podOn("node1", "a-1", "labels: {foo: bar}");
        scene.podOn("node2", "a-2", "labels: {foo: bar}");
        scene.podOn("node2", "a-3", "labels: {foo: bar}");
        scene.podOn("node3", "b-1", "labels: {foo: bar}");
        scene.podOn("node3", "b-2", "labels: {foo: bar}");
        scene.scheduler();
        scene.pod("stuck", """
            labels: {foo: bar}
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
               labelSelector: {matchLabels: {foo: bar}}}
            - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule,
               labelSelector: {matchLabels: {foo: bar}}}
            """);
        scene.awaitRejected("stuck", "3 node(s) didn't match pod topology spread constraints");
    }

    @Test
    void minDomainsWaitsForANodeThatThenJoins(Scene scene) {
        scene.zone("a", "a1");
        scene.zone("b", "b1");
        scene.scheduler();
        scene.pods("web", 3, """
            labels: {app: web}
            topologySpreadConstraints:
            - {maxSkew: 1, minDomains: 3, topologyKey: topology.kubernetes.io/zone,
               whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
            """);
        eventually("one waits")
                .until(() -> scene.pods().all().stream()
                        .anyMatch(pod ->
                                pod.message().contains("2 node(s) didn't match pod topology spread constraints")));
        scene.awaitAllBound(2);
        scene.zone("c", "c1");
        scene.awaitAllBound(3);
        assertThat(scene.spread("web", "topology.kubernetes.io/zone")).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L));
    }

    @Test
    void taintedNodesCountUnlessThePolicyHonorsTaints(Scene scene) {
        scene.zone("a", "a1");
        scene.node("b1", """
            labels: {topology.kubernetes.io/zone: b}
            taints: [{key: dedicated, value: db, effect: NoSchedule}]
            """);
        scene.scheduler();
        scene.pods("ignoring", 2, tainted("ignoring", "Ignore"));
        eventually("one waits")
                .until(() ->
                        scene.pods().all().stream().anyMatch(pod -> pod.reason().equals("Unschedulable")));
        scene.awaitAllBound(1);
        scene.pods("honoring", 3, tainted("honoring", "Honor"));
        scene.awaitBound("honoring-0", "honoring-1", "honoring-2");
        assertThat(scene.spread("honoring", "topology.kubernetes.io/zone")).isEqualTo(Map.of("a", 3L, "b", 0L));
        String stuck = scene.pods().placements().containsKey("ignoring-0") ? "ignoring-1" : "ignoring-0";
        scene.awaitRejected(
                stuck, "1 node(s) didn't match pod topology spread constraints", "1 node(s) had untolerated taint(s)");
    }

    private static String tainted(String app, String policy) {
        return """
            labels: {app: %1$s}
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
               nodeTaintsPolicy: %2$s, labelSelector: {matchLabels: {app: %1$s}}}
            """.formatted(app, policy);
    }

    @Test
    void aPodThatFitsNowhereIsToldWhyAndPlacedOnceItFits(Scene scene) {
        scene.node("a1", "allocatable: {cpu: 1}");
        scene.scheduler();
        scene.pod("big", "requests: {cpu: 2}");
        scene.awaitRejected("big", "1 Insufficient cpu");
        scene.node("a2", "allocatable: {cpu: 4}");
        scene.awaitBound("big");
        assertThat(scene.pod("big").node()).contains("a2");
        assertThat(scene.pod("big").reason()).isEmpty();
    }

    @Test
    void aGatedPodWaitsUntilItsLastGateIsGone(Scene scene) {
        scene.node("a1", "");
        SchedulerUnderTest scheduler = scene.scheduler();
        scene.pod("gated", "schedulingGates: [{name: example.com/quota}, {name: example.com/review}]");
        eventually("it is known and gated")
                .until(() -> scheduler.queued(scene.key("gated")).isPresent());
        assertThat(scene.pod("gated").reason()).isEqualTo("SchedulingGated");
        scene.api().patch(scene.podPath("gated"), "spec: {schedulingGates: [{name: example.com/quota}]}");
        scene.pod("free", "");
        scene.awaitBound("free");
        assertThat(scene.pod("gated").node()).isEmpty();
        scene.api().patch(scene.podPath("gated"), "spec: {schedulingGates: null}");
        scene.awaitBound("gated");
        assertThat(scheduler.attemptsOf(scene.key("gated"))).isEqualTo(1);
    }
}
