package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EphemeralClaimsTest {

    private final HollowWorld world = HollowWorld.start(
            WorldOptions.DEFAULT.withNodes(1, 1, Capacity.DEFAULT).withEvents(true));
    private final Drawn drawn = new Drawn(world);
    private final DrawnVolumes volumes = new DrawnVolumes(world);

    @BeforeEach
    void aClassToMakeVolumesOf() throws Exception {
        volumes.storageClass("disk", "disk.example.com", "Immediate", "");
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aPodsEphemeralVolumeHasAClaimThatThePodOwns() throws Exception {
        pod("web");

        JsonObject claim = volumes.claimTree("web-scratch");
        assertThat(volumes.claimState("web-scratch")).startsWith("Bound to pvc-");
        assertThat(Trees.text(claim, "metadata", "labels", "l")).isEqualTo("1");
        assertThat(Trees.text(claim, "metadata", "annotations", "note")).isEqualTo("n");
        assertThat(Trees.objects(claim, "metadata", "ownerReferences"))
                .singleElement()
                .satisfies(owner -> {
                    assertThat(Trees.text(owner, "kind")).isEqualTo("Pod");
                    assertThat(Trees.text(owner, "name")).isEqualTo("web");
                    assertThat(Trees.isTrue(owner, "controller")).isTrue();
                    assertThat(Trees.isTrue(owner, "blockOwnerDeletion")).isTrue();
                });
    }

    @Test
    void claimAndVolumeGoWithThePod() throws Exception {
        pod("web");
        deletePod("web");

        assertThat(volumes.claims()).isEmpty();
        assertThat(volumes.volumes()).isEmpty();
    }

    @Test
    void aClaimThatIsDeletedUnderItsPodIsMadeAgain() throws Exception {
        pod("web");
        String before = Trees.text(volumes.claimTree("web-scratch"), "metadata", "uid");
        volumes.delete("web-scratch");

        assertThat(Trees.text(volumes.claimTree("web-scratch"), "metadata", "uid"))
                .isNotEqualTo(before);
    }

    @Test
    void aPodThatIsGoingGetsNoNewClaim() throws Exception {
        pod("web");
        drawn.patch(ResourceTable.PODS, "web", "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}");
        deletePod("web");
        volumes.delete("web-scratch");

        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("web");
        assertThat(volumes.claims()).isEmpty();
    }

    @Test
    void aClaimOfSomebodyElseIsNotTakenButWaitedFor() throws Exception {
        volumes.claim("web-scratch", "disk", "1Gi", "");
        pod("web");
        assertThat(Trees.objects(volumes.claimTree("web-scratch"), "metadata", "ownerReferences"))
                .isEmpty();
        assertThat(volumes.reasons("web")).containsExactly("FailedBinding");

        volumes.delete("web-scratch");
        assertThat(Trees.objects(volumes.claimTree("web-scratch"), "metadata", "ownerReferences"))
                .hasSize(1);
    }

    private void pod(String name) throws InterruptedException {
        volumes.create("""
            {'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s'},
             'spec':{'containers':[{'name':'c','image':'pause:1'}],
              'volumes':[{'name':'plain','emptyDir':{}},
               {'name':'scratch','ephemeral':{'volumeClaimTemplate':{
                'metadata':{'labels':{'l':'1'},'annotations':{'note':'n'}},
                'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'disk',
                 'resources':{'requests':{'storage':'1Gi'}}}}}}]}}\
            """.formatted(name));
    }

    private void deletePod(String name) throws InterruptedException {
        world.objects().delete(ResourceTable.PODS, "default", name);
        world.settle();
    }
}
