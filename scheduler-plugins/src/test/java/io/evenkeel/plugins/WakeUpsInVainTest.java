package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.attachment;
import static io.evenkeel.plugins.volumes.StorageObjects.capacity;
import static io.evenkeel.plugins.volumes.StorageObjects.csiNode;
import static io.evenkeel.plugins.volumes.StorageObjects.disk;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.StorageObjects.nodesWith;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.plugins.volumes.NodeVolumeLimits;
import io.evenkeel.plugins.volumes.VolumeBinding;
import io.evenkeel.plugins.volumes.VolumeRestrictions;
import io.evenkeel.plugins.volumes.VolumeZone;
import io.evenkeel.queue.ClusterChanges;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Changes by which kube-scheduler wakes all pods that a plugin has turned away, and we only those that they may help. Those of
 * plugins that look at pods in place stand in tests of their own.
 */
class WakeUpsInVainTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final PluginHarness cluster = PluginHarness.cluster(
            node("n").label(ZONE, "a").build(),
            late("late", "disk.example"),
            claim("bound").boundTo("v").build(),
            volume("v").label(ZONE, "b").on(ZONE, "b").csi("disk.example", "v").build(),
            claim("unbound").build());
    private final Pod withVolume = pod("p").claim("bound").build();
    private final Pod withClaim = pod("p").claim("unbound").build();

    @Test
    void aNodeOfAnotherName() {
        Pod named = pod("p").nodeName("m").build();
        assertThat(wakes(NodeName::new, named, added(node("other").build()))).isFalse();
        assertThat(wakes(NodeName::new, named, added(node("m").build()))).isTrue();
    }

    @Test
    void aNodeThatDeclaresNotAllThatThePodNeeds() {
        Pod needy = pod("p").hostNetwork(true).hostUsers(false).build();
        KubernetesObject silent = node("m").build();
        assertThat(wakes(NodeDeclaredFeatures::new, needy, added(silent))).isFalse();
        KubernetesObject other = node("m").declaredFeatures(List.of("Other")).build();
        assertThat(wakes(NodeDeclaredFeatures::new, needy, changed(silent, other)))
                .isFalse();
        assertThat(wakes(
                        NodeDeclaredFeatures::new,
                        needy,
                        changed(
                                other,
                                node("m")
                                        .declaredFeatures(List.of("Other", "UserNamespacesHostNetworkSupport"))
                                        .build())))
                .isTrue();
    }

    @Test
    void aNodeForAPodThatHasNoDisksOfOthers() {
        Pod withDisk = pod("p").volume(disk(Source.AWS_ELASTIC_BLOCK_STORE, "d", false))
                .build();
        assertThat(wakes(VolumeRestrictions::new, withVolume, added(node("m").build())))
                .isFalse();
        assertThat(wakes(VolumeRestrictions::new, withDisk, added(node("m").build())))
                .isTrue();
    }

    @Test
    void aNodeInAnotherZoneThanTheVolumes() {
        assertThat(wakes(
                        VolumeZone::new,
                        withVolume,
                        added(node("m").label(ZONE, "c").build())))
                .isFalse();
        assertThat(wakes(
                        VolumeZone::new,
                        withVolume,
                        added(node("m").label(ZONE, "b").build())))
                .isTrue();
    }

    @Test
    void aLabelByWhichANodeIsInAnotherZoneThanTheVolumes() {
        KubernetesObject before = node("m").label(ZONE, "c").build();
        assertThat(wakes(
                        VolumeZone::new,
                        withVolume,
                        changed(before, node("m").label(ZONE, "d").build())))
                .isFalse();
        assertThat(wakes(
                        VolumeZone::new,
                        withVolume,
                        changed(before, node("m").label(ZONE, "b").build())))
                .isTrue();
    }

    @Test
    void aLimitOfVolumesWhereThereWasNone() {
        KubernetesObject limited = csiNode("n", Map.of("disk.example", 1));
        assertThat(wakes(NodeVolumeLimits::new, withVolume, added(limited))).isFalse();
        assertThat(wakes(NodeVolumeLimits::new, withVolume, changed(csiNode("n", Map.of()), limited)))
                .isFalse();
        assertThat(wakes(NodeVolumeLimits::new, withVolume, changed(limited, csiNode("n", Map.of("disk.example", 2)))))
                .isTrue();
    }

    @Test
    void anAttachmentOfAnotherDriver() {
        assertThat(wakes(NodeVolumeLimits::new, withVolume, gone(attachment("x", "other.example", "n", "w"))))
                .isFalse();
        assertThat(wakes(NodeVolumeLimits::new, withVolume, gone(attachment("x", "disk.example", "n", "w"))))
                .isTrue();
    }

    @Test
    void aVolumeThatNoClaimOfThePodCouldHave() {
        assertThat(wakes(
                        VolumeBinding::new,
                        withClaim,
                        added(volume("w").storageClass("other").build())))
                .isFalse();
        assertThat(wakes(
                        VolumeBinding::new,
                        withClaim,
                        added(volume("w").storageClass("late").build())))
                .isTrue();
        KubernetesObject small = volume("x").storageClass("other").size("1Gi").build();
        assertThat(wakes(
                        VolumeBinding::new,
                        withClaim,
                        changed(
                                small,
                                volume("x").storageClass("other").size("2Gi").build())))
                .isFalse();
    }

    @Test
    void aNodeFromWhichTheVolumesAreOutOfReach() {
        KubernetesObject before = node("m").label(ZONE, "c").build();
        assertThat(wakes(VolumeBinding::new, withVolume, added(before))).isFalse();
        assertThat(wakes(
                        VolumeBinding::new,
                        withVolume,
                        changed(before, node("m").label(ZONE, "d").build())))
                .isFalse();
        assertThat(wakes(
                        VolumeBinding::new,
                        withVolume,
                        changed(before, node("m").label(ZONE, "b").build())))
                .isTrue();
    }

    @Test
    void aClassThatNoClaimOfThePodWaitsFor() {
        assertThat(wakes(VolumeBinding::new, withClaim, added(late("other", "disk.example"))))
                .isFalse();
        assertThat(wakes(VolumeBinding::new, withVolume, added(late("late", "disk.example"))))
                .as("its claim is bound")
                .isFalse();
        assertThat(wakes(VolumeBinding::new, withClaim, added(late("late", "disk.example"))))
                .isTrue();
    }

    @Test
    void roomForVolumesOfAClassThatNoClaimOfThePodWaitsForOrOfNoSize() {
        assertThat(wakes(VolumeBinding::new, withClaim, added(room("other", "9Gi"))))
                .isFalse();
        assertThat(wakes(VolumeBinding::new, withClaim, added(room("late", ""))))
                .isFalse();
        assertThat(wakes(VolumeBinding::new, withClaim, added(room("late", "9Gi"))))
                .isTrue();
    }

    private static KubernetesObject room(String storageClass, String size) {
        return capacity("room", storageClass, nodesWith(ZONE, "a"), size, "");
    }

    private static ClusterChange added(KubernetesObject object) {
        return ClusterChanges.between(Optional.empty(), Optional.of(object)).orElseThrow();
    }

    private static ClusterChange changed(KubernetesObject before, KubernetesObject after) {
        return ClusterChanges.between(Optional.of(before), Optional.of(after)).orElseThrow();
    }

    private static ClusterChange gone(KubernetesObject object) {
        return ClusterChanges.between(Optional.of(object), Optional.empty()).orElseThrow();
    }

    private boolean wakes(Function<TreeContext, WakeUpPlugin> plugin, Pod waiting, ClusterChange change) {
        change.after().ifPresent(cluster::put);
        return cluster.wakes(plugin.apply(cluster.context()), waiting, Optional.of(change));
    }
}
