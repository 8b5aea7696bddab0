package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.disk;
import static io.evenkeel.plugins.volumes.StorageObjects.image;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.plugins.PluginHarness;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VolumeRestrictionsTest {
    private static final Status NO_DISK = Status.unschedulable("node(s) had no available disk");
    private static final Status IN_USE = Status.unschedulable(
            "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by"
                    + " another pod");

    private final PersistentVolumeClaim forOnePod =
            claim("c").modes("ReadWriteOncePod").boundTo("v").build();

    @Test
    void aClaimForOnePodIsOneOnAllNodesUntilThatPodIsGone() {
        Pod holder = pod("holder").claim("c").nodeName("a").build();
        PluginHarness cluster = cluster(node("a").build(), node("b").build(), forOnePod, holder);
        VolumeRestrictions plugin = new VolumeRestrictions(cluster.context());
        Pod waiting = pod("waiting").claim("c").build();
        assertThat(Verdicts.of(cluster.state(), plugin, waiting)).isEqualTo(Map.of("a", IN_USE, "b", IN_USE));

        cluster.remove(holder);

        assertThat(cluster.preFilter(plugin, waiting)).isEqualTo(PreFilterResult.SKIP);
    }

    @Test
    void theSameNameInAnotherNamespaceIsAnotherClaim() {
        PluginHarness cluster = cluster(
                node("a").build(),
                forOnePod,
                pod("other", "holder").claim("c").nodeName("a").build());

        assertThat(cluster.preFilter(
                        new VolumeRestrictions(cluster.context()),
                        pod("waiting").claim("c").build()))
                .isEqualTo(PreFilterResult.SKIP);
    }

    @Test
    void aClaimForMorePodsIsNobodysAlone() {
        PluginHarness cluster = cluster(
                node("a").build(),
                claim("c").boundTo("v").build(),
                pod("holder").claim("c").nodeName("a").build());

        assertThat(cluster.preFilter(
                        new VolumeRestrictions(cluster.context()),
                        pod("waiting").claim("c").build()))
                .isEqualTo(PreFilterResult.SKIP);
    }

    @Test
    void whoHoldsAClaimForOnePodCanBePreempted() {
        Pod holder = pod("holder").claim("c").nodeName("a").build();
        PluginHarness cluster = cluster(node("a").build(), node("b").build(), forOnePod, holder);
        VolumeRestrictions plugin = new VolumeRestrictions(cluster.context());
        PendingPod waiting = cluster.state().admit(pod("waiting").claim("c").build());
        FilterDryRun dryRun = plugin.dryRun(PodInfo.of(waiting));

        assertThat(dryRun.begin(cluster.state().view().nodes().find("a"))).isTrue();
        assertThat(dryRun.verdict()).isEqualTo(IN_USE);
        dryRun.count(cluster.state().view().pods().find("default/holder"), -1);
        assertThat(dryRun.verdict()).isEqualTo(Status.SUCCESS);

        dryRun.begin(cluster.state().view().nodes().find("b"));
        assertThat(dryRun.verdict()).isEqualTo(IN_USE);
    }

    @Test
    void aPodWhoseClaimIsMissingRunsNowhere() {
        PluginHarness cluster = cluster(node("a").build());

        assertThat(cluster.preFilter(
                        new VolumeRestrictions(cluster.context()),
                        pod("waiting").claim("c").build()))
                .isEqualTo(new PreFilterResult.Rejected(Status.unresolvable("persistentvolumeclaim \"c\" not found")));
    }

    @ParameterizedTest
    @EnumSource(
            value = Source.class,
            names = {"GCE_PERSISTENT_DISK", "ISCSI"})
    void podsShareADiskOnANodeWhereAllOnlyReadIt(Source source) {
        assertThat(beside(disk(source, "d", true), disk(source, "d", true))).isEqualTo(Status.SUCCESS);
        assertThat(beside(disk(source, "d", true), disk(source, "d", false))).isEqualTo(NO_DISK);
        assertThat(beside(disk(source, "d", false), disk(source, "d", true))).isEqualTo(NO_DISK);
        assertThat(beside(disk(source, "d", false), disk(source, "e", false))).isEqualTo(Status.SUCCESS);
    }

    @Test
    void podsNeverShareADiskOfAws() {
        Source aws = Source.AWS_ELASTIC_BLOCK_STORE;
        assertThat(beside(disk(aws, "d", true), disk(aws, "d", true))).isEqualTo(NO_DISK);
        assertThat(beside(disk(aws, "d", true), disk(aws, "e", true))).isEqualTo(Status.SUCCESS);
        assertThat(beside(disk(aws, "d", true), disk(Source.GCE_PERSISTENT_DISK, "d", false)))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void anImageOfCephIsTheSameWhereAMonitorIs() {
        assertThat(beside(image("rbd/i", false, "m1", "m2"), image("rbd/i", false, "m2", "m3")))
                .isEqualTo(NO_DISK);
        assertThat(beside(image("rbd/i", false, "m1"), image("rbd/i", false, "m2")))
                .isEqualTo(Status.SUCCESS);
        assertThat(beside(image("rbd/i", true, "m1"), image("rbd/i", true, "m1")))
                .isEqualTo(Status.SUCCESS);
        assertThat(beside(image("rbd/i", false, "m1"), image("rbd/j", false, "m1")))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void onAnotherNodeADiskIsInNobodysWay() {
        PodVolume disk = disk(Source.GCE_PERSISTENT_DISK, "d", false);
        PluginHarness cluster = cluster(
                node("a").build(),
                node("b").build(),
                pod("holder").volume(disk).nodeName("a").build());

        assertThat(Verdicts.of(
                        cluster.state(),
                        new VolumeRestrictions(cluster.context()),
                        pod("waiting").volume(disk).build()))
                .isEqualTo(Map.of("a", NO_DISK, "b", Status.SUCCESS));
    }

    /** What a pod with the one volume hears of a node where a pod has the other. */
    private static Status beside(PodVolume waiting, PodVolume placed) {
        PluginHarness cluster = cluster(
                node("a").build(), pod("holder").volume(placed).nodeName("a").build());
        return Verdicts.ofOnly(
                cluster.state(),
                new VolumeRestrictions(cluster.context()),
                pod("waiting").volume(waiting).build());
    }
}
