package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.immediate;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.StorageObjects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.plugins.PluginHarness;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is wrong with a pod's claims before any node is looked at. */
class ClaimsTest {
    private final Pod pod = pod("p").uid("p-uid").claim("c").build();
    private final Pod withScratch = pod("p").uid("p-uid")
            .volume(new PodVolume("scratch", Source.EPHEMERAL))
            .build();

    private static PreFilterResult preFilter(Pod pod, KubernetesObject... objects) {
        PluginHarness cluster = cluster(objects);
        cluster.put(node("n").build());
        return cluster.preFilter(new VolumeBinding(cluster.context()), pod);
    }

    private static PreFilterResult rejected(String reason) {
        return new PreFilterResult.Rejected(Status.unresolvable(reason));
    }

    @Test
    void aPodWithoutClaimsIsSkipped() {
        assertThat(preFilter(pod("p").build())).isEqualTo(PreFilterResult.SKIP);
        assertThat(preFilter(pod("p").volume("disk", Source.GCE_PERSISTENT_DISK).build()))
                .isEqualTo(PreFilterResult.SKIP);
    }

    @Test
    void aClaimThatIsMissing() {
        assertThat(preFilter(pod)).isEqualTo(rejected("persistentvolumeclaim \"c\" not found"));
        assertThat(preFilter(pod, claim("c").namespace("other").build()))
                .isEqualTo(rejected("persistentvolumeclaim \"c\" not found"));
    }

    @Test
    void aClaimThatHasLostItsVolume() {
        assertThat(preFilter(pod, claim("c").boundTo("v").lost().build()))
                .isEqualTo(rejected("persistentvolumeclaim \"c\" bound to non-existent persistentvolume \"v\""));
    }

    @Test
    void aClaimThatIsGoing() {
        assertThat(preFilter(pod, claim("c").boundTo("v").terminating().build()))
                .isEqualTo(rejected("persistentvolumeclaim \"c\" is being deleted"));
    }

    @Test
    void aClaimThatIsStillToBeMadeForThePod() {
        assertThat(preFilter(withScratch))
                .isEqualTo(rejected("waiting for ephemeral volume controller to create the persistentvolumeclaim"
                        + " \"p-scratch\""));
    }

    @Test
    void aClaimThatWasMadeForAnotherPod() {
        Pod former = pod("p").uid("former-uid").build();
        assertThat(preFilter(
                        withScratch,
                        claim("p-scratch").boundTo("v").ownedBy(former).build()))
                .isEqualTo(rejected("PVC default/p-scratch was not created for pod default/p (pod is not owner)"));
        assertThat(preFilter(withScratch, claim("p-scratch").boundTo("v").build()))
                .isEqualTo(rejected("PVC default/p-scratch was not created for pod default/p (pod is not owner)"));
        assertThat(preFilter(
                        withScratch,
                        claim("p-scratch").boundTo("v").ownedBy(withScratch).build()))
                .isEqualTo(PreFilterResult.PROCEED);
    }

    @Test
    void aClaimThatIsBoundWithoutThePodAndNotYet() {
        PreFilterResult notYet = rejected("pod has unbound immediate PersistentVolumeClaims");
        assertThat(preFilter(pod, claim("c").build(), immediate("late", "disk.example")))
                .isEqualTo(notYet);
        assertThat(preFilter(pod, claim("c").storageClass("").build())).isEqualTo(notYet);
        assertThat(preFilter(pod, claim("c").build()))
                .as("its class is missing")
                .isEqualTo(notYet);
        assertThat(preFilter(pod, claim("c").wanting("v").build(), late("late", "disk.example")))
                .as("it names its volume, which does not know yet")
                .isEqualTo(notYet);
        assertThat(preFilter(pod, claim("c").build(), late("late", "disk.example")))
                .isEqualTo(PreFilterResult.PROCEED);
    }

    @Test
    void aClassThatDoesNotSayWhenItsClaimsAreBound() {
        assertThat(preFilter(pod, claim("c").build(), storageClass("late", "disk.example", Optional.empty())))
                .isEqualTo(new PreFilterResult.Rejected(
                        Status.error("VolumeBindingMode not set for StorageClass \"late\"")));
    }
}
