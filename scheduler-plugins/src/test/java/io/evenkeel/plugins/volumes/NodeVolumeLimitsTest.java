package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.attachment;
import static io.evenkeel.plugins.volumes.StorageObjects.csiNode;
import static io.evenkeel.plugins.volumes.StorageObjects.disk;
import static io.evenkeel.plugins.volumes.StorageObjects.driver;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.StorageObjects.neededDriver;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.queue.ClusterChanges;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Of a node that can have so many volumes of a driver, with a pod that has a, and another that wants b or more. */
class NodeVolumeLimitsTest {
    private static final Status TOO_MANY = Status.unschedulable("node(s) exceed max volume count");

    private final PluginHarness cluster = cluster(
            node("n").build(),
            claim("a").boundTo("va").build(),
            claim("b").boundTo("vb").build(),
            volume("va").csi("disk.example", "a").build(),
            volume("vb").csi("disk.example", "b").build(),
            pod("placed").claim("a").nodeName("n").build());

    private NodeVolumeLimitsTest with(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            cluster.put(object);
        }
        return this;
    }

    private NodeVolumeLimitsTest limit(int limit) {
        return with(csiNode("n", Map.of("disk.example", limit)));
    }

    private Status of(String... claims) {
        var pod = pod("waiting");
        for (String claim : claims) {
            pod.claim(claim);
        }
        return Verdicts.ofOnly(cluster.state(), new NodeVolumeLimits(cluster.context()), pod.build());
    }

    @Test
    void aNodeTakesAsManyVolumesAsItsDriverSays() {
        assertThat(limit(2).of("b")).isEqualTo(Status.SUCCESS);
        assertThat(limit(1).of("b")).isEqualTo(TOO_MANY);
        assertThat(limit(0).of("b")).isEqualTo(TOO_MANY);
    }

    @Test
    void aClaimThatIsNotThereKeepsThePodOffAllNodes() {
        Status notFound = Status.unresolvable("looking up PVC default/gone: persistentvolumeclaim \"gone\" not found");
        assertThat(of("gone")).as("where no limit is known").isEqualTo(notFound);
        assertThat(limit(9).of("b", "gone")).isEqualTo(notFound);
        assertThat(limit(0).of("b", "gone")).as("whatever else there is").isEqualTo(notFound);
        assertThat(with(claim("gone").build()).limit(9).of("gone")).isEqualTo(Status.SUCCESS);
    }

    @Test
    void aClaimThatWasMadeForAnotherPodIsAnError() {
        var pod = pod("p").uid("p-uid")
                .volume(new PodVolume("scratch", Source.EPHEMERAL))
                .build();
        NodeVolumeLimits limits = new NodeVolumeLimits(cluster.context());
        assertThat(Verdicts.ofOnly(cluster.state(), limits, pod))
                .isEqualTo(Status.unresolvable(
                        "looking up PVC default/p-scratch: persistentvolumeclaim \"p-scratch\" not found"));

        with(claim("p-scratch").build());
        assertThat(Verdicts.ofOnly(cluster.state(), limits, pod))
                .isEqualTo(Status.error("PVC default/p-scratch was not created for pod default/p (pod is not owner)"));
        with(claim("p-scratch").ownedBy(pod).build());
        assertThat(Verdicts.ofOnly(cluster.state(), limits, pod)).isEqualTo(Status.SUCCESS);
    }

    @Test
    void anAttachmentThatGoesWakesThoseWithVolumesOfItsDriver() {
        assertThat(wakes("b", attachment("x", "disk.example", "n", "vc"))).isTrue();
        assertThat(wakes("b", attachment("x", "other.example", "n", "vc"))).isFalse();
        assertThat(wakes("gone", attachment("x", "disk.example", "n", "vc"))).isFalse();
    }

    @Test
    void aPodThatGoesWakesOthersIfItHadVolumesThatAreAttached() {
        assertThat(wakes("b", pod("p").claim("unknown").nodeName("n").build())).isTrue();
        assertThat(wakes("b", placed(Source.AWS_ELASTIC_BLOCK_STORE))).isTrue();
        assertThat(wakes("b", placed(Source.ISCSI))).isFalse();
        assertThat(wakes("b", pod("p").nodeName("n").build())).isFalse();
    }

    private static Pod placed(Source source) {
        return pod("p").volume(disk(source, "vol-1", false)).nodeName("n").build();
    }

    private boolean wakes(String claim, KubernetesObject gone) {
        return cluster.wakes(
                new NodeVolumeLimits(cluster.context()),
                pod("waiting").claim(claim).build(),
                ClusterChanges.between(Optional.of(gone), Optional.empty()));
    }

    /** As kube-scheduler 1.37 says it: change 140612. */
    @Test
    void aNodeMustHaveADriverThatKeepsPodsOffOthers() {
        PluginHarness strict = cluster(
                FeatureGates.DEFAULTS.at(CompatibilityLevel.V1_37),
                node("n").build(),
                claim("b").boundTo("vb").build(),
                volume("vb").csi("disk.example", "b").build(),
                neededDriver("disk.example"));
        NodeVolumeLimits limits = new NodeVolumeLimits(strict.context());
        Pod pod = pod("waiting").claim("b").build();
        Status missing = Status.unschedulable("disk.example CSI driver is not installed on the node");

        assertThat(limits.reads()).contains(Kinds.CSI_DRIVER);
        assertThat(Verdicts.ofOnly(strict.state(), limits, pod))
                .as("no CSINode")
                .isEqualTo(missing);
        strict.put(csiNode("n", Map.of("other.example", 1)));
        assertThat(Verdicts.ofOnly(strict.state(), limits, pod)).isEqualTo(missing);
        strict.put(new CsiNode(ObjectMeta.named("", "n"), Set.of("disk.example"), Map.of(), Map.of()));
        assertThat(Verdicts.ofOnly(strict.state(), limits, pod)).isEqualTo(Status.SUCCESS);
        strict.put(csiNode("n", Map.of("disk.example", 0)));
        assertThat(Verdicts.ofOnly(strict.state(), limits, pod)).isEqualTo(TOO_MANY);
        strict.remove(csiNode("n", Map.of()));
        strict.put(driver("disk.example", false));
        assertThat(Verdicts.ofOnly(strict.state(), limits, pod))
                .as("which need not be there")
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void upTo136ADriverNeedNotBeThere() {
        assertThat(with(neededDriver("disk.example")).of("b")).isEqualTo(Status.SUCCESS);
        assertThat(new NodeVolumeLimits(cluster.context()).reads()).doesNotContain(Kinds.CSI_DRIVER);
    }

    @Test
    void aNodeOfWhichNoLimitIsKnownTakesAny() {
        assertThat(of("b")).isEqualTo(Status.SUCCESS);
        assertThat(with(csiNode("n", Map.of("other.example", 0))).of("b")).isEqualTo(Status.SUCCESS);
    }

    @Test
    void aVolumeThatAPodOfTheNodeHasIsNotOneMore() {
        assertThat(limit(1).of("a")).isEqualTo(Status.SUCCESS);
        assertThat(limit(0).of("a")).isEqualTo(Status.SUCCESS);
        assertThat(limit(1).of("a", "b")).isEqualTo(TOO_MANY);
        assertThat(limit(2).of("a", "b")).isEqualTo(Status.SUCCESS);
    }

    @Test
    void twoClaimsThatHaveOneVolumeAreOne() {
        with(claim("same").boundTo("vb").build());
        assertThat(limit(2).of("b", "same")).isEqualTo(Status.SUCCESS);
    }

    @Test
    void whatIsAttachedTakesUpItsPlaceThoughNoPodHasIt() {
        limit(2).with(volume("vc").csi("disk.example", "c").build());
        assertThat(with(attachment("x", "disk.example", "n", "vc")).of("b")).isEqualTo(TOO_MANY);
        assertThat(with(attachment("x", "disk.example", "elsewhere", "vc")).of("b"))
                .isEqualTo(Status.SUCCESS);
        assertThat(with(attachment("x", "disk.example", "n", "va")).of("b"))
                .as("which a pod has as well")
                .isEqualTo(Status.SUCCESS);
        assertThat(with(attachment("x", "other.example", "n", "vc")).of("b")).isEqualTo(Status.SUCCESS);
    }

    /** As the reference has it: what the pod itself wants and is attached already is one more all the same. */
    @Test
    void whatIsAttachedForNoPodYetIsOneMoreForThePodThatWantsIt() {
        assertThat(limit(2).with(attachment("x", "disk.example", "n", "vb")).of("b"))
                .isEqualTo(TOO_MANY);
    }

    @Test
    void aClaimThatIsNotBoundYetCountsByItsClass() {
        with(late("late", "disk.example"), claim("new").build());
        assertThat(limit(1).of("new")).isEqualTo(TOO_MANY);
        assertThat(limit(2).of("new")).isEqualTo(Status.SUCCESS);
        assertThat(limit(1).with(late("late", "other.example")).of("new")).isEqualTo(Status.SUCCESS);
    }

    @Test
    void aPodInPlaceWhoseClaimIsNotBoundYetHasOneVolume() {
        with(
                late("late", "disk.example"),
                claim("new").build(),
                pod("other").claim("new").nodeName("n").build());
        assertThat(limit(2).of("b")).isEqualTo(TOO_MANY);
        assertThat(limit(2).of("new")).isEqualTo(Status.SUCCESS);
    }

    @Test
    void disksOfFormerPluginsCountAsTheirDrivers() {
        String ebs = "ebs.csi.aws.com";
        with(
                csiNode("n", Map.of(ebs, 1, "pd.csi.storage.gke.io", 0)),
                claim("c").boundTo("vc").build(),
                volume("vc")
                        .inTree(Source.AWS_ELASTIC_BLOCK_STORE, "aws://eu/vol-1")
                        .build());
        assertThat(of("c")).isEqualTo(Status.SUCCESS);

        with(pod("other")
                .volume(disk(Source.AWS_ELASTIC_BLOCK_STORE, "vol-2", false))
                .nodeName("n")
                .build());
        assertThat(of("c")).isEqualTo(TOO_MANY);
        with(volume("vc").csi(ebs, "vol-2").build());
        assertThat(of("c")).as("the same disk, by either name").isEqualTo(Status.SUCCESS);
        with(volume("vc").inTree(Source.GCE_PERSISTENT_DISK, "d").build());
        assertThat(of("c")).isEqualTo(TOO_MANY);
    }

    @Test
    void theClassOfAFormerPluginStandsForItsDriver() {
        with(
                csiNode("n", Map.of("ebs.csi.aws.com", 0)),
                late("late", "kubernetes.io/aws-ebs"),
                claim("new").build());
        assertThat(of("new")).isEqualTo(TOO_MANY);
    }

    @Test
    void roomIsFoundAgainWhenAPodGoes() {
        limit(1);
        cluster.remove(pod("placed").build());
        assertThat(of("b")).isEqualTo(Status.SUCCESS);
    }
}
