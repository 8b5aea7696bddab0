package io.evenkeel.hollow;

import static io.evenkeel.hollow.DrawnVolumes.annotation;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a claim without its volume, and of a volume without its claim. */
class VolumeReclaimTest {

    private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT.withEvents(true));
    private final Drawn drawn = new Drawn(world);
    private final DrawnVolumes volumes = new DrawnVolumes(world);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aClaimWhoseVolumeGoesIsLost() throws Exception {
        volumes.volume("v", "", "1Gi", "");
        volumes.claim("data", "", "1Gi", "");
        world.objects().delete(ResourceTable.PERSISTENT_VOLUMES, "", "v");
        world.settle();

        assertThat(volumes.claimState("data")).isEqualTo("Lost to v");
        assertThat(volumes.claimTree("data").getAsJsonObject("status").has("capacity"))
                .isFalse();
        assertThat(volumes.reasons("data")).contains("ClaimLost");
    }

    @Test
    void aClaimWhoseVolumeIsAnothersIsLost() throws Exception {
        volumes.volume("v", "", "1Gi", "");
        volumes.claim("data", "", "1Gi", "");
        drawn.patch(
                ResourceTable.PERSISTENT_VOLUMES,
                "v",
                "{\"spec\":{\"claimRef\":{\"name\":\"other\",\"uid\":\"other\"}}}");

        assertThat(volumes.claimState("data")).isEqualTo("Lost to v");
        assertThat(volumes.reasons("data")).contains("ClaimMisbound");
        assertThat(volumes.volumeState("v")).isEqualTo("Released to other");
    }

    @Test
    void aVolumeThatIsRetainedStaysReleasedUntilSomebodyFreesIt() throws Exception {
        volumes.volume("v", "", "1Gi", "");
        volumes.claim("data", "", "1Gi", "");
        volumes.delete("data");
        assertThat(volumes.volumeState("v")).isEqualTo("Released to data");

        volumes.claim("data", "", "1Gi", "");
        assertThat(volumes.claimState("data")).as("another of that name").isEqualTo("Pending");

        drawn.patch(ResourceTable.PERSISTENT_VOLUMES, "v", "{\"spec\":{\"claimRef\":null}}");
        assertThat(volumes.claimState("data")).isEqualTo("Bound to v");
    }

    @Test
    void aVolumeThatNobodyMadeCannotBeDeletedByWhoMadeIt() throws Exception {
        volumes.volume("v", "", "1Gi", ",'persistentVolumeReclaimPolicy':'Delete'");
        volumes.claim("data", "", "1Gi", "");
        volumes.delete("data");

        assertThat(volumes.volumeState("v")).isEqualTo("Failed to data");
        assertThat(volumes.reasons("v")).containsExactly("VolumeFailedDelete");
    }

    @Test
    void ofTwoVolumesForAClaimTheOtherIsFreeAgain() throws Exception {
        volumes.claim("data", "", "1Gi", "");
        for (String name : List.of("a", "b")) {
            volumes.createAtOnce(DrawnVolumes.volumeText(name, "", "1Gi", referenceTo("data")));
        }
        world.settle();

        assertThat(volumes.claimState("data")).isEqualTo("Bound to a");
        assertThat(volumes.volumeState("b")).as("kept for the name").isEqualTo("Available to data");
        assertThat(Trees.text(volumes.volumeTree("b"), "spec", "claimRef", "uid"))
                .isEmpty();
    }

    @Test
    void aVolumeThatTheControllerChoseIsFreeForAnyoneAgain() throws Exception {
        volumes.volume("v", "", "1Gi", "");
        volumes.claim("data", "", "1Gi", "");
        volumes.create("""
            {'apiVersion':'v1','kind':'PersistentVolume',
             'metadata':{'name':'w','annotations':{'%s':'yes'}},
             'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/d'}%s}}\
            """.formatted(BOUND_BY_CONTROLLER, referenceTo("data")));

        assertThat(volumes.volumeState("w")).isEqualTo("Available");
        assertThat(annotation(volumes.volumeTree("w"), BOUND_BY_CONTROLLER)).isEmpty();
    }

    @Test
    void aVolumeThatWasMadeForAClaimThatHasAnotherGoes() throws Exception {
        volumes.volume("v", "", "1Gi", "");
        volumes.claim("data", "", "1Gi", "");
        volumes.create("""
            {'apiVersion':'v1','kind':'PersistentVolume',
             'metadata':{'name':'made','annotations':{'pv.kubernetes.io/provisioned-by':'a.b'}},
             'spec':{'persistentVolumeReclaimPolicy':'Delete','capacity':{'storage':'1Gi'},
              'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/d'}%s}}\
            """.formatted(referenceTo("data")));

        assertThat(volumes.volumes()).containsExactly("v");
    }

    @Test
    void aVolumeOfAnEarlierClaimOfTheNameIsReleased() throws Exception {
        volumes.claim("data", "", "1Gi", "");
        volumes.volume("v", "", "1Gi", ",'claimRef':{'namespace':'default','name':'data','uid':'earlier'}");

        assertThat(volumes.volumeState("v")).isEqualTo("Released to data");
        assertThat(volumes.claimState("data")).isEqualTo("Pending");
        volumes.volume("free", "", "1Gi", "");
        assertThat(volumes.claimState("data")).isEqualTo("Bound to free");
    }

    /** As who binds writes it into a volume's spec, behind other members. */
    private String referenceTo(String claim) {
        return ",'claimRef':{'namespace':'default','name':'%s','uid':'%s'}"
                .formatted(claim, Trees.text(volumes.claimTree(claim), "metadata", "uid"));
    }
}
