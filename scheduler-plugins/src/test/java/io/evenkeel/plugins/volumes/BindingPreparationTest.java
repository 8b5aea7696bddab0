package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Preparation.ObjectName;
import io.evenkeel.api.Preparation.Progress;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is written for a pod's claims, and when they are bound or never will be. */
class BindingPreparationTest {
    private static final ObjectName CLAIM = new ObjectName("PersistentVolumeClaim", "default/c");
    private static final ObjectName VOLUME = new ObjectName("PersistentVolume", "v");

    private final Pod pod = pod("p").claim("c").build();
    private final PersistentVolumeClaim wanting = claim("c").version("7").build();
    private final BindingScene scene =
            new BindingScene(node("n").label("zone", "a").build(), late("late", "disk.example"), wanting);

    private Preparation reserved() {
        scene.reserve(pod);
        return scene.preparation();
    }

    private static Progress waitingFor(ObjectName... names) {
        return new Progress.Waiting(Set.of(names));
    }

    private static Progress failed(String why) {
        return new Progress.Failed("binding volumes: " + why);
    }

    @Test
    void aVolumeIsToldWhoseClaimItIs() {
        scene.put(volume("v").version("3").build());

        assertThat(reserved().writes())
                .containsExactly(new ObjectPatch(
                        Kinds.PERSISTENT_VOLUME,
                        volume("v").version("3").build().meta(),
                        Map.of(
                                "metadata",
                                Map.of("annotations", Map.of("pv.kubernetes.io/bound-by-controller", "yes")),
                                "spec",
                                Map.of(
                                        "claimRef",
                                        Map.of(
                                                "kind", "PersistentVolumeClaim",
                                                "apiVersion", "v1",
                                                "namespace", "default",
                                                "name", "c",
                                                "uid", "c-uid",
                                                "resourceVersion", "7")))));
    }

    @Test
    void aVolumeThatItsUserHasSetAsideIsOnlyToldTheUid() {
        scene.put(volume("v").reservedFor("c").build());

        assertThat(reserved().writes())
                .singleElement()
                .satisfies(patch -> assertThat(patch.changes()).containsOnlyKeys("spec"));
    }

    @Test
    void aVolumeThatIsTheClaimsAlreadyIsNotWritten() {
        scene.put(volume("v").claimedBy(wanting).build());
        Preparation preparation = reserved();

        assertThat(preparation.writes()).isEmpty();
        assertThat(preparation.progress()).isEqualTo(waitingFor(CLAIM, VOLUME));
        scene.put(claim("c").boundTo("v").build());
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void aVolumeIsAwaitedUntilItsClaimIsBoundToo() {
        scene.put(volume("v").version("3").build());
        Preparation preparation = reserved();
        assertThat(preparation.progress()).isEqualTo(waitingFor(CLAIM, VOLUME));

        scene.put(volume("v").version("4").claimedBy(wanting).build());
        assertThat(preparation.progress()).isEqualTo(waitingFor(CLAIM, VOLUME));
        scene.put(claim("c").version("8").wanting("v").build());
        assertThat(preparation.progress()).isEqualTo(waitingFor(CLAIM, VOLUME));
        scene.put(claim("c").version("9").boundTo("v").build());
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void aVolumeThatHasLostItsClaimAgainIsBoundToNobody() {
        scene.put(volume("v").version("3").build());
        Preparation preparation = reserved();

        scene.put(volume("v").version("5").build());

        assertThat(preparation.progress()).isEqualTo(failed("ClaimRef got reset for pv \"v\""));
    }

    @Test
    void aVolumeOrClaimThatIsGone() {
        scene.put(volume("v").build());
        Preparation preparation = reserved();

        scene.put(claim("c").uid("another").build());
        assertThat(preparation.progress())
                .isEqualTo(failed("failed to check binding: persistentvolumeclaims \"default/c\" not found"));
        scene.remove(volume("v").build());
        assertThat(preparation.progress())
                .isEqualTo(failed("failed to check binding: persistentvolumes \"v\" not found"));
    }

    @Test
    void aNodeThatHasMovedOutOfReachOrIsGone() {
        scene.put(volume("v").version("3").on("zone", "a").build());
        Preparation preparation = reserved();
        scene.put(volume("v").version("4").on("zone", "a").claimedBy(wanting).build());

        scene.put(node("n").label("zone", "b").build());
        assertThat(preparation.progress())
                .isEqualTo(failed("pv \"v\" node affinity doesn't match node \"n\": no matching NodeSelectorTerms"));
        scene.remove(node("n").build());
        assertThat(preparation.progress()).isEqualTo(failed("failed to get node \"n\": node \"n\" not found"));
    }

    @Test
    void aClaimIsToldNearWhichNodeItsVolumeIsMade() {
        assertThat(reserved().writes())
                .containsExactly(new ObjectPatch(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        wanting.meta(),
                        Map.of("metadata", Map.of("annotations", Map.of("volume.kubernetes.io/selected-node", "n")))));
    }

    @Test
    void aVolumeThatIsMadeIsAwaitedUntilItIsThereAndItsClaimBound() {
        Preparation preparation = reserved();
        assertThat(preparation.progress()).isEqualTo(waitingFor(CLAIM));

        scene.put(claim("c").version("8").selectedNode("n").build());
        assertThat(preparation.progress()).isEqualTo(waitingFor(CLAIM));
        scene.put(claim("c").version("9").selectedNode("n").boundTo("v").build());
        assertThat(preparation.progress()).isEqualTo(waitingFor(CLAIM, VOLUME));
        scene.put(volume("v").claimedBy(wanting).build());
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void aVolumeThatIsMadeElsewhereIsOfNoUse() {
        Preparation preparation = reserved();
        scene.put(claim("c").version("9").selectedNode("n").boundTo("v").build());
        scene.put(volume("v").on("zone", "b").claimedBy(wanting).build());

        assertThat(preparation.progress())
                .isEqualTo(failed("pv \"v\" node affinity doesn't match node \"n\": no matching NodeSelectorTerms"));
    }

    @Test
    void aProvisionerThatFailsTakesTheNodeAway() {
        Preparation preparation = reserved();
        scene.put(claim("c").version("8").selectedNode("n").build());
        scene.put(claim("c").version("9").build());

        assertThat(preparation.progress()).isEqualTo(failed("provisioning failed for PVC \"c\""));
    }

    @Test
    void aClaimThatIsGoneWhileItsVolumeIsMade() {
        Preparation preparation = reserved();
        scene.remove(wanting);

        assertThat(preparation.progress())
                .isEqualTo(failed("failed to check provisioning pvc: persistentvolumeclaims \"default/c\" not found"));
    }

    @Test
    void twoPodsOfOneClaimWaitForTheSameAndOnlyOneWritesAfterTheOther() {
        Preparation first = reserved();
        scene.put(claim("c").version("8").selectedNode("n").build());
        scene.reserve(pod("q").claim("c").build());
        Preparation second = scene.preparation();

        assertThat(first.writes()).hasSize(1);
        assertThat(second.writes()).isEmpty();
        scene.put(claim("c").version("9").selectedNode("n").boundTo("v").build());
        scene.put(volume("v").claimedBy(wanting).build());
        assertThat(first.progress()).isEqualTo(Progress.DONE);
        assertThat(second.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void itMayTakeTenMinutes() {
        Preparation preparation = reserved();
        assertThat(preparation.timeLimit()).isEqualTo(Duration.ofMinutes(10));
        assertThat(preparation.lateness()).isEqualTo("binding volumes: context deadline exceeded");
    }
}
