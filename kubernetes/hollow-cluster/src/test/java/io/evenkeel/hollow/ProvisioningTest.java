package io.evenkeel.hollow;

import static io.evenkeel.hollow.DrawnVolumes.annotation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProvisioningTest {

    private static final String LATE = "WaitForFirstConsumer";
    private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final HollowWorld world = HollowWorld.start(
            WorldOptions.DEFAULT.withNodes(2, 2, Capacity.DEFAULT).withEvents(true));
    private final Drawn drawn = new Drawn(world);
    private final DrawnVolumes volumes = new DrawnVolumes(world);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aVolumeIsMadeInTheZoneOfTheSelectedNode() throws Exception {
        volumes.storageClass("fast", "disk.example.com", LATE, ",'mountOptions':['ro']");
        volumes.claim("data", "fast", "3Gi", "");
        assertThat(volumes.volumes()).as("before a node is selected").isEmpty();

        volumes.selectNode("data", "node-1");

        JsonObject claim = volumes.claimTree("data");
        String name = "pvc-" + Trees.text(claim, "metadata", "uid");
        assertThat(volumes.claimState("data")).isEqualTo("Bound to " + name);
        assertThat(annotation(claim, PROVISIONER)).isEqualTo("disk.example.com");
        JsonObject volume = volumes.volumeTree(name);
        assertThat(volumes.volumeState(name)).isEqualTo("Bound to data");
        assertThat(annotation(volume, "pv.kubernetes.io/provisioned-by")).isEqualTo("disk.example.com");
        assertThat(Trees.text(volume, "spec", "csi", "driver")).isEqualTo("disk.example.com");
        assertThat(Trees.text(volume, "spec", "csi", "volumeHandle")).isNotEmpty();
        assertThat(Trees.text(volume, "spec", "capacity", "storage")).isEqualTo("3Gi");
        assertThat(Trees.text(volume, "spec", "storageClassName")).isEqualTo("fast");
        assertThat(Trees.text(volume, "spec", "volumeMode")).isEqualTo("Filesystem");
        assertThat(Trees.text(volume, "spec", "persistentVolumeReclaimPolicy")).isEqualTo("Delete");
        assertThat(Trees.texts(volume, "spec", "accessModes")).containsExactly("ReadWriteOnce");
        assertThat(Trees.texts(volume, "spec", "mountOptions")).containsExactly("ro");
        assertThat(reach(volume)).isEqualTo(ZONE + " In [zone-1]");
        assertThat(volumes.reasons("data"))
                .contains("WaitForFirstConsumer", "ExternalProvisioning", "ProvisioningSucceeded");
    }

    @Test
    void aParameterSaysHowFarAVolumeReaches() throws Exception {
        volumes.storageClass("local", "l.example.com", LATE, ",'parameters':{'topology':'hostname'}");
        volumes.claim("near", "local", "1Gi", "");
        volumes.selectNode("near", "node-0");
        assertThat(reach(volumes.volumeOf("near"))).isEqualTo("kubernetes.io/hostname In [node-0]");

        volumes.storageClass("net", "n.example.com", LATE, ",'parameters':{'topology':'none'}");
        volumes.claim("far", "net", "1Gi", "");
        volumes.selectNode("far", "node-0");
        assertThat(reach(volumes.volumeOf("far"))).isEqualTo("everywhere");
    }

    @Test
    void aVolumeOfANodeWithoutAZoneReachesEverywhere() throws Exception {
        drawn.patch(ResourceTable.NODES, "node-0", "{\"metadata\":{\"labels\":{\"%s\":null}}}".formatted(ZONE));
        volumes.storageClass("fast", "disk.example.com", LATE, "");
        volumes.claim("data", "fast", "1Gi", "");
        volumes.selectNode("data", "node-0");

        assertThat(reach(volumes.volumeOf("data"))).isEqualTo("everywhere");
    }

    @Test
    void anImmediateClassMakesAVolumeAtOnceWhereItIsAllowed() throws Exception {
        volumes.storageClass("anywhere", "a.example.com", "Immediate", "");
        volumes.storageClass("here", "b.example.com", "Immediate", allowed("zone-7"));
        volumes.claim("a", "anywhere", "1Gi", "");
        volumes.claim("b", "here", "1Gi", "");

        assertThat(reach(volumes.volumeOf("a"))).isEqualTo("everywhere");
        assertThat(reach(volumes.volumeOf("b"))).isEqualTo(ZONE + " In [zone-7]");
    }

    @Test
    void aFreeVolumeIsTakenBeforeOneIsMade() throws Exception {
        volumes.storageClass("disk", "a.example.com", "Immediate", "");
        volumes.volume("old", "disk", "5Gi", "");
        volumes.claim("data", "disk", "1Gi", "");

        assertThat(volumes.claimState("data")).isEqualTo("Bound to old");
        assertThat(volumes.volumes()).containsExactly("old");
    }

    @Test
    void aClaimWaitsForItsClass() throws Exception {
        volumes.claim("data", "later", "1Gi", "");
        assertThat(volumes.reasons("data")).containsExactly("ProvisioningFailed");

        volumes.storageClass("later", "a.example.com", "Immediate", "");
        assertThat(volumes.claimState("data")).startsWith("Bound");
    }

    @Test
    void aFailureTakesTheSelectionOfTheNodeBack() throws Exception {
        volumes.storageClass("shaky", "disk.example.com", LATE, ",'parameters':{'failures':'2'}");
        volumes.claim("data", "shaky", "1Gi", "");
        for (int i = 0; i < 2; i++) {
            volumes.selectNode("data", "node-0");
            assertThat(volumes.claimState("data")).isEqualTo("Pending");
            assertThat(volumes.selectedNode("data")).isEmpty();
        }
        assertThat(volumes.reasons("data"))
                .filteredOn("ProvisioningFailed"::equals)
                .hasSize(2);

        volumes.selectNode("data", "node-1");
        assertThat(reach(volumes.volumeOf("data"))).isEqualTo(ZONE + " In [zone-1]");
    }

    @Test
    void anImmediateClassTriesAgainByItself() throws Exception {
        volumes.storageClass("shaky", "disk.example.com", "Immediate", ",'parameters':{'failures':'3'}");
        volumes.claim("data", "shaky", "1Gi", "");

        assertThat(volumes.claimState("data")).startsWith("Bound");
        assertThat(volumes.reasons("data"))
                .filteredOn("ProvisioningFailed"::equals)
                .hasSize(3);
    }

    @Test
    void nothingIsMadeForANodeThatIsGoneOrNotAllowed() throws Exception {
        volumes.storageClass("here", "disk.example.com", LATE, allowed("zone-1"));
        volumes.claim("data", "here", "1Gi", "");
        for (String node : List.of("gone", "node-0")) {
            volumes.selectNode("data", node);
            assertThat(volumes.claimState("data")).as(node).isEqualTo("Pending");
            assertThat(volumes.selectedNode("data")).as(node).isEmpty();
        }

        volumes.selectNode("data", "node-1");
        assertThat(volumes.claimState("data")).startsWith("Bound");
    }

    @Test
    void aParameterSaysHowLongItTakes() throws Exception {
        Duration delay = Duration.ofMillis(150);
        volumes.storageClass("slow", "disk.example.com", "Immediate", ",'parameters':{'delay':'150ms'}");
        long before = System.nanoTime();
        volumes.claim("data", "slow", "1Gi", "");

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(delay);
        assertThat(volumes.claimState("data")).startsWith("Bound");
        assertThat(volumes.volumes()).hasSize(1);
    }

    @Test
    void aClaimThatChangesMeanwhileIsWorkedOnOnce() throws Exception {
        String parameters = ",'parameters':{'delay':'100ms','failures':'3'}";
        volumes.storageClass("slow", "disk.example.com", "Immediate", parameters);
        long before = System.nanoTime();
        volumes.createAtOnce(DrawnVolumes.claimText("data", "1Gi", ",'storageClassName':'slow'"));
        await().atMost(Duration.ofMinutes(10))
                .until(() -> !annotation(volumes.claimTree("data"), PROVISIONER).isEmpty());
        for (int i = 0; i < 5; i++) {
            world.objects()
                    .patch(
                            ResourceTable.PERSISTENT_VOLUME_CLAIMS,
                            "default",
                            "data",
                            "{\"metadata\":{\"labels\":{\"touched\":\"%d\"}}}".formatted(i));
        }
        world.settle();

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("three failures and a success, one after the other")
                .isGreaterThanOrEqualTo(Duration.ofMillis(400));
        assertThat(volumes.claimState("data")).startsWith("Bound");
    }

    @Test
    void aParameterThatIsNotUnderstoodIsAFailure() throws Exception {
        for (String wrong : List.of("'delay':'soon'", "'failures':'often'", "'topology':'rack'")) {
            String name = wrong.replaceAll("[^a-z]", "");
            volumes.storageClass(name, "disk.example.com", "Immediate", ",'parameters':{" + wrong + "}");
            volumes.claim(name, name, "1Gi", "");

            assertThat(volumes.claimState(name)).isEqualTo("Pending");
            assertThat(volumes.reasons(name)).contains("ProvisioningFailed");
        }
    }

    /** A real server takes no CSI driver of such a name. */
    @Test
    void aProvisionerThatIsNoDriverMakesDirectories() throws Exception {
        volumes.storageClass("paths", "rancher.io/local-path", "Immediate", "");
        volumes.claim("data", "paths", "1Gi", "");

        JsonObject spec = volumes.volumeOf("data").getAsJsonObject("spec");
        assertThat(spec.has("csi")).isFalse();
        assertThat(Trees.text(spec, "hostPath", "path")).startsWith("/var/lib/volumes/pvc-");
    }

    @Test
    void aVolumeThatTheServerRefusesIsAFailure() throws Exception {
        volumes.storageClass(
                "odd",
                "a.example.com",
                "Immediate",
                ",'allowedTopologies':[{'matchLabelExpressions':[{'key':'k','values':['no label']}]}]");
        volumes.claim("data", "odd", "1Gi", "");

        assertThat(volumes.volumes()).isEmpty();
        assertThat(volumes.reasons("data")).contains("ProvisioningFailed");
    }

    @Test
    void nothingIsMadeForASelectorOrANameOrWhereVolumesAreMadeByHand() throws Exception {
        volumes.storageClass("disk", "disk.example.com", "Immediate", "");
        volumes.storageClass("hand", DrawnVolumes.NO_PROVISIONER, "Immediate", "");
        volumes.claim("picky", "disk", "1Gi", ",'selector':{'matchLabels':{'a':'b'}}");
        volumes.claim("patient", "hand", "1Gi", "");

        volumes.create("""
            {'apiVersion':'v1','kind':'PersistentVolumeClaim',
             'metadata':{'name':'settled','annotations':{'%s':'disk.example.com'}},
             'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'disk','volumeName':'to-come',
              'resources':{'requests':{'storage':'1Gi'}}}}\
            """.formatted(PROVISIONER));

        assertThat(volumes.volumes()).isEmpty();
        assertThat(volumes.reasons("settled")).isEmpty();
        assertThat(volumes.reasons("picky")).contains("ProvisioningFailed");
        assertThat(volumes.reasons("patient")).contains("ProvisioningFailed");
    }

    @Test
    void aVolumeThatWasMadeGoesWithItsClaimUnlessItIsRetained() throws Exception {
        volumes.storageClass("brief", "disk.example.com", "Immediate", "");
        volumes.storageClass("kept", "disk.example.com", "Immediate", ",'reclaimPolicy':'Retain'");
        volumes.claim("a", "brief", "1Gi", "");
        volumes.claim("b", "kept", "1Gi", "");
        String kept = Trees.text(volumes.claimTree("b"), "spec", "volumeName");
        volumes.delete("a");
        volumes.delete("b");

        assertThat(volumes.volumes()).containsExactly(kept);
        assertThat(volumes.volumeState(kept)).isEqualTo("Released to b");
    }

    private static String allowed(String zone) {
        return ",'allowedTopologies':[{'matchLabelExpressions':[{'key':'%s','values':['%s']}]}]".formatted(ZONE, zone);
    }

    /** From where a volume can be reached, as its one node selector requirement says. */
    private static String reach(JsonObject volume) {
        List<JsonObject> terms = Trees.objects(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms");
        if (terms.isEmpty()) {
            return "everywhere";
        }
        assertThat(terms).hasSize(1);
        JsonObject expression =
                Trees.objects(terms.getFirst(), "matchExpressions").getFirst();
        return "%s %s %s"
                .formatted(
                        Trees.text(expression, "key"),
                        Trees.text(expression, "operator"),
                        Trees.texts(expression, "values"));
    }
}
