package io.evenkeel.e2e.foreign;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.kubectl.Kubectl;
import io.kubernetes.client.extended.kubectl.exception.KubectlException;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.options.DeleteOptions;
import io.kubernetes.client.util.generic.options.ListOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What somebody does to a cluster with a kubectl that is not ours, our scheduler follows. */
@OnClusters(atEachLevel = true)
class KubectlTest {

    @Test
    void whatItCreatesIsPlacedAndItSeesWhere(Scene scene) throws KubectlException {
        scene.zones(2, 1);
        scene.scheduler();
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            V1Pod created = create(foreign, scene, "web", "labels: {app: web}");
            assertThat(created.getMetadata().getUid()).isNotEmpty();
            assertThat(created.getMetadata().getCreationTimestamp()).isNotNull();

            eventually("it is placed")
                    .until(() -> pod(foreign, scene, "web").getSpec().getNodeName() != null);
            V1Pod placed = pod(foreign, scene, "web");
            assertThat(placed.getSpec().getNodeName()).isIn(scene.nodeName("a1"), scene.nodeName("b1"));
            assertThat(placed.getStatus().getConditions())
                    .anySatisfy(condition -> assertThat(List.of(condition.getType(), condition.getStatus()))
                            .containsExactly("PodScheduled", "True"));
            assertThat(labelled(foreign, scene, "app=web")).containsExactly("web");
            assertThat(labelled(foreign, scene, "app!=web")).isEmpty();
        }
    }

    @Test
    void whatItIsRefusedItIsToldAsStatus(Scene scene) throws KubectlException {
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            create(foreign, scene, "one", "");

            assertThatThrownBy(() -> create(foreign, scene, "one", ""))
                    .hasRootCauseInstanceOf(ApiException.class)
                    .rootCause()
                    .satisfies(refused ->
                            assertThat(((ApiException) refused).getCode()).isEqualTo(409))
                    .hasMessageContaining("AlreadyExists");
            assertThatThrownBy(() -> pod(foreign, scene, "none"))
                    .rootCause()
                    .satisfies(refused ->
                            assertThat(((ApiException) refused).getCode()).isEqualTo(404));
        }
    }

    @Test
    void aLabelThatItGivesANodeBringsThePodThatWaitsForIt(Scene scene) throws KubectlException {
        scene.zones(1, 2);
        scene.scheduler();
        scene.pod("picky", "nodeSelector: {disk: fast}");
        scene.awaitRejected("picky", "2 node(s) didn't match Pod's node affinity/selector");
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            Kubectl.label(V1Node.class)
                    .apiClient(foreign.api())
                    .name(scene.nodeName("a2"))
                    .addLabel("disk", "fast")
                    .execute();
            scene.awaitBound("picky");
            assertThat(scene.pod("picky").node()).contains("a2");
        }
    }

    @Test
    void aCordonKeepsPodsAwayUntilItIsTakenBack(Scene scene) throws KubectlException {
        scene.zones(1, 1);
        SchedulerUnderTest scheduler = scene.scheduler();
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            V1Node cordoned = Kubectl.cordon()
                    .apiClient(foreign.api())
                    .name(scene.nodeName("a1"))
                    .execute();
            assertThat(cordoned.getSpec().getUnschedulable()).isTrue();
            scene.awaitNodesKnown(scheduler);
            scene.pod("late", "");
            scene.awaitRejected("late", "1 node(s) were unschedulable");

            Kubectl.uncordon()
                    .apiClient(foreign.api())
                    .name(scene.nodeName("a1"))
                    .execute();
            scene.awaitBound("late");
        }
    }

    @Test
    void aTaintKeepsPodsAwayUntilItIsTakenBack(Scene scene) throws KubectlException {
        scene.zones(1, 1);
        SchedulerUnderTest scheduler = scene.scheduler();
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            Kubectl.taint()
                    .apiClient(foreign.api())
                    .name(scene.nodeName("a1"))
                    .addTaint("maintenance", "now", "NoSchedule")
                    .execute();
            scene.awaitNodesKnown(scheduler);
            scene.pod("late", "");
            scene.awaitRejected("late", "1 node(s) had untolerated taint(s)");

            Kubectl.taint()
                    .apiClient(foreign.api())
                    .name(scene.nodeName("a1"))
                    .removeTaint("maintenance", "NoSchedule")
                    .execute();
            scene.awaitBound("late");
        }
    }

    @Test
    void aDrainEmptiesTheNodeAndItsRoomIsNotUsed(Scene scene) throws KubectlException {
        scene.node("a1", "allocatable: {cpu: 2}");
        SchedulerUnderTest scheduler = scene.scheduler();
        scene.pods("moved", 3, "requests: {cpu: 500m}");
        scene.awaitAllBound(3);
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            Kubectl.drain()
                    .gracePeriod(0)
                    .force()
                    .apiClient(foreign.api())
                    .name(scene.nodeName("a1"))
                    .execute();
            assertThat(labelled(foreign, scene, "")).isEmpty();
            scene.awaitNodesKnown(scheduler);

            scene.node("a2", "allocatable: {cpu: 2}");
            scene.pod("next", "requests: {cpu: 2}");
            scene.awaitBound("next");
            assertThat(scene.pod("next").node()).contains("a2");
        }
    }

    @Test
    void aPatchTakesTheGateAway(Scene scene) throws KubectlException {
        scene.zones(1, 1);
        scene.scheduler();
        scene.pod("gated", "schedulingGates: [{name: example.com/quota}]");
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            eventually("it is seen to wait at its gate")
                    .until(() -> scene.pod("gated").tree().toString().contains("SchedulingGated"));
            V1Pod open = Kubectl.patch(V1Pod.class)
                    .apiClient(foreign.api())
                    .namespace(scene.namespace())
                    .name("gated")
                    .patchType(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH)
                    .patchContent(new V1Patch("{\"spec\":{\"schedulingGates\":[{\"$patch\":\"delete\","
                            + "\"name\":\"example.com/quota\"}]}}"))
                    .execute();
            assertThat(open.getSpec().getSchedulingGates()).isNullOrEmpty();
            scene.awaitBound("gated");
        }
    }

    @Test
    void aDeploymentIsScaled(Scene scene) throws KubectlException {
        scene.create("apps/v1", "Deployment", "web", """
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: pause}]}}
                """);
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            V1Deployment scaled = Kubectl.scale(V1Deployment.class)
                    .apiClient(foreign.api())
                    .namespace(scene.namespace())
                    .name("web")
                    .replicas(3)
                    .execute();
            assertThat(scaled.getSpec().getReplicas()).isEqualTo(3);
            assertThat(scaled.getMetadata().getGeneration()).isEqualTo(2);
        }
    }

    @Test
    void whatItDeletesMakesRoom(Scene scene) throws KubectlException {
        scene.node("a1", "allocatable: {cpu: 1}");
        scene.scheduler();
        scene.pod("first", "requests: {cpu: 1}");
        scene.awaitBound("first");
        scene.pod("second", "requests: {cpu: 1}");
        scene.awaitRejected("second", "1 Insufficient cpu");
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            DeleteOptions atOnce = new DeleteOptions();
            atOnce.setGracePeriodSeconds(0L);
            Kubectl.delete(V1Pod.class)
                    .apiClient(foreign.api())
                    .namespace(scene.namespace())
                    .name("first")
                    .deleteOptions(atOnce)
                    .execute();
            scene.awaitBound("second");
            assertThat(labelled(foreign, scene, "")).containsExactly("second");
        }
    }

    @Test
    void itsDiscoveryKnowsTheKindsAndTheVersion(Scene scene) throws KubectlException {
        try (ForeignClient foreign = ForeignClient.of(scene)) {
            assertThat(Kubectl.apiResources().apiClient(foreign.api()).execute())
                    .anySatisfy(kind -> {
                        assertThat(kind.getKind()).isEqualTo("Pod");
                        assertThat(kind.getResourcePlural()).isEqualTo("pods");
                        assertThat(kind.getNamespaced()).isTrue();
                        assertThat(kind.getSubResources()).contains("binding", "status", "eviction");
                    })
                    .anySatisfy(kind -> assertThat(kind.getKind()).isEqualTo("Lease"))
                    .anySatisfy(kind -> assertThat(kind.getKind()).isEqualTo("PriorityClass"));
            assertThat(Kubectl.version().apiClient(foreign.api()).execute().getMajor())
                    .isEqualTo("1");
        }
    }

    private static V1Pod create(ForeignClient foreign, Scene scene, String name, String draft) throws KubectlException {
        V1Pod pod = JSON.getGson().fromJson(scene.draftPod(name, draft), V1Pod.class);
        // the model's is empty rather than none, which takes a RuntimeClass to be admitted
        pod.getSpec().setOverhead(null);
        return Kubectl.create(V1Pod.class)
                .apiClient(foreign.api())
                .namespace(scene.namespace())
                .resource(pod)
                .execute();
    }

    private static V1Pod pod(ForeignClient foreign, Scene scene, String name) throws KubectlException {
        return Kubectl.get(V1Pod.class)
                .apiClient(foreign.api())
                .namespace(scene.namespace())
                .name(name)
                .execute();
    }

    private static List<String> labelled(ForeignClient foreign, Scene scene, String selector) throws KubectlException {
        ListOptions options = new ListOptions();
        options.setLabelSelector(selector);
        return Kubectl.get(V1Pod.class)
                .apiClient(foreign.api())
                .namespace(scene.namespace())
                .options(options)
                .execute()
                .stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }
}
