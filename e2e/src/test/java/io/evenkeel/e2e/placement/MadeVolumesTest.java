package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static io.evenkeel.e2e.scene.Storage.claims;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.e2e.scene.Storage;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods whose volumes are made for them, by a provisioner that fails and dawdles when it is told to. */
@OnClusters(value = HOLLOW, atEachLevel = true)
@Rotated(3)
class MadeVolumesTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String SELECTED = "volume.kubernetes.io/selected-node";
    private static final String DRIVER = "disk.example.com";

    @Test
    void aStatefulSetIsSpreadOverZonesAndItsVolumesAreMadeThere(Scene scene) {
        Storage storage = new Storage(scene);
        scene.zones(3, 2);
        storage.lateClass("disk", "provisioner: " + DRIVER);
        scene.scheduler();
        scene.create("apps/v1", "StatefulSet", "db", """
            spec:
              replicas: 6
              serviceName: db
              podManagementPolicy: Parallel
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec: %s
              volumeClaimTemplates:
              - metadata: {name: data}
                spec: {storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """.formatted(
                        podSpec(scene, """
                            topologySpreadConstraints:
                            - {maxSkew: 1, topologyKey: %s, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: db}}}
                            """.formatted(ZONE)), storage.name("disk")));

        scene.awaitAllBound(6);
        assertThat(scene.spread("db", ZONE)).isEqualTo(Map.of("a", 2L, "b", 2L, "c", 2L));
        Map<String, String> nodes = scene.pods().placements();
        nodes.forEach((pod, node) -> {
            JsonObject volume = storage.volumeOf("data-" + pod).orElseThrow();
            assertThat(volume.toString()).contains("\"values\":[\"" + node.substring(0, 1) + "\"]");
            assertThat(storage.isBound("data-" + pod)).isTrue();
        });
    }

    @Test
    void noPodIsBoundBeforeItsVolumeIsThere(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        storage.lateClass("slow", "provisioner: %s, parameters: {delay: 2s}".formatted(DRIVER));
        storage.claim("data", "slow", "1Gi");
        SchedulerUnderTest scheduler = scene.scheduler();
        scene.pod("db", claims("data"));

        eventually("the node is selected")
                .until(() -> selectedNode(storage, "data").equals(scene.nodeName("a1")));
        List<String> waitingFor = scheduler.ask(
                each -> each.onTheirWay().stream().map(OnItsWay::waitingFor).toList());
        assertThat(waitingFor).containsAnyOf("WRITE", "AWAIT");
        eventually("its status names the node")
                .until(() -> Trees.text(scene.pod("db").tree(), "status", "nominatedNodeName")
                        .equals(scene.nodeName("a1")));
        scene.awaitBound("db");
        assertThat(storage.isBound("data")).isTrue();
    }

    @Test
    void whereTheProvisionerFailsThePodIsTriedAgain(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        storage.lateClass("flaky", "provisioner: %s, parameters: {failures: '2'}".formatted(DRIVER));
        storage.claim("data", "flaky", "1Gi");
        SchedulerUnderTest scheduler = scene.scheduler();
        scene.pod("db", claims("data"));

        scene.awaitBound("db");
        assertThat(scheduler.attemptsOf(scene.key("db"))).isEqualTo(3);
        assertThat(scene.events("db"))
                .anySatisfy(event -> assertThat(Trees.text(event, "note"))
                        .isEqualTo(
                                "running PreBind plugin \"VolumeBinding\": binding volumes: provisioning failed for PVC"
                                        + " \"data\""));
    }

    @Test
    void aVolumeThatIsNotMadeInTimeFreesTheNodeAndIsWaitedForAgain(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "allocatable: {cpu: 1}");
        storage.lateClass("slow", "provisioner: %s, parameters: {delay: 4s}".formatted(DRIVER));
        storage.claim("data", "slow", "1Gi");
        scene.scheduler(
                        scene.configuration("pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 1}}]"),
                        LiveOptions.usual("e2e"))
                .awaitSynced();
        scene.pod("db", claims("data"));

        eventually("it is told that time was up")
                .untilAsserted(() -> assertThat(scene.pod("db").message())
                        .isEqualTo("running PreBind plugin \"VolumeBinding\": binding volumes: context deadline"
                                + " exceeded"));
        scene.awaitBound("db");
        assertThat(scene.pod("db").node()).contains("a1");
    }

    @Test
    void aRestartBetweenTheClaimAndTheBindingKeepsTheNode(Scene scene) {
        Storage storage = new Storage(scene);
        scene.zones(3, 1);
        storage.lateClass("slow", "provisioner: %s, parameters: {delay: 2s}".formatted(DRIVER));
        storage.claim("data", "slow", "1Gi");
        SchedulerUnderTest first = scene.scheduler();
        scene.pod("db", claims("data"));
        eventually("the node is selected")
                .until(() -> !selectedNode(storage, "data").isEmpty());
        first.crash();
        String selected = selectedNode(storage, "data");

        scene.scheduler();
        scene.awaitBound("db");
        assertThat(scene.nodeName(scene.pod("db").node().orElseThrow())).isEqualTo(selected);
        assertThat(storage.isBound("data")).isTrue();
    }

    @Test
    void aPodThatGoesWhileItsVolumeIsMadeFreesItsNode(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "allocatable: {cpu: 1}");
        storage.lateClass("slow", "provisioner: %s, parameters: {delay: 1m}".formatted(DRIVER));
        storage.claim("data", "slow", "1Gi");
        scene.scheduler();
        scene.pod("db", "{requests: {cpu: 1}, " + claims("data") + "}");
        eventually("the node is selected")
                .until(() -> !selectedNode(storage, "data").isEmpty());
        scene.pod("web", "requests: {cpu: 1}");
        scene.awaitRejected("web", "1 Insufficient cpu");

        scene.api().deleteNow(scene.podPath("db"));
        scene.awaitBound("web");
    }

    @Test
    void aNodeWithAllItsVolumesTakesMoreOnceItsLimitIsRaisedOrOneIsGone(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        storage.limit("a1", DRIVER, 1);
        storage.lateClass("disk", "provisioner: " + DRIVER);
        for (String claim : new String[] {"one", "two", "three"}) {
            storage.claim(claim, "disk", "1Gi");
        }
        scene.scheduler();
        scene.pod("one", claims("one"));
        scene.awaitBound("one");
        scene.pod("two", claims("two"));
        scene.awaitRejected("two", "1 node(s) exceed max volume count");

        scene.api()
                .patch(
                        storage.csiNodePath("a1"),
                        "spec: {drivers: [{name: %s, nodeID: n, topologyKeys: null, allocatable: {count: 2}}]}"
                                .formatted(DRIVER));
        scene.awaitBound("two");
        scene.pod("three", claims("three"));
        scene.awaitRejected("three", "1 node(s) exceed max volume count");

        scene.api().deleteNow(scene.podPath("one"));
        scene.awaitBound("three");
    }

    @Test
    void aVolumeIsMadeForAPodAloneAndGoesWithIt(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        storage.lateClass("disk", "provisioner: " + DRIVER);
        scene.scheduler();
        scene.pod("job", """
            volumes:
            - name: scratch
              ephemeral:
                volumeClaimTemplate:
                  spec: {storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """.formatted(storage.name("disk")));

        scene.awaitBound("job");
        assertThat(storage.isBound("job-scratch")).isTrue();
    }

    @Test
    void noClaimGoesToANodeWithoutRoomForItsVolume(Scene scene) {
        Storage storage = new Storage(scene);
        scene.zones(2, 1);
        String driver = storage.name("driver") + ".example.com";
        scene.createInCluster("storage.k8s.io/v1", "CSIDriver", driver, "spec: {storageCapacity: true}");
        storage.lateClass("tight", "provisioner: " + driver);
        capacity(scene, storage, "a", "1Gi");
        capacity(scene, storage, "b", "5Gi");
        storage.claim("data", "tight", "4Gi");
        scene.scheduler();
        scene.pod("db", claims("data"));

        scene.awaitBound("db");
        assertThat(scene.pod("db").node()).contains("b1");
    }

    private static void capacity(Scene scene, Storage storage, String zone, String size) {
        scene.create("storage.k8s.io/v1", "CSIStorageCapacity", "in-" + zone, """
            storageClassName: %s
            nodeTopology: {matchLabels: {%s: %s}}
            capacity: %s
            """.formatted(
                        storage.name("tight"), ZONE, zone, size));
    }

    private static String selectedNode(Storage storage, String claim) {
        return Trees.text(storage.claim(claim), "metadata", "annotations", SELECTED);
    }

    /** As the scene's own pods have it, with this besides. */
    private static String podSpec(Scene scene, String draft) {
        return Trees.object(Trees.parse(scene.draftPod("template", draft)), "spec")
                .orElseThrow()
                .toString();
    }
}
