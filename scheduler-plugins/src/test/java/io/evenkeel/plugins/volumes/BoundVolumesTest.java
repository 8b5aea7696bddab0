package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.DiskZones.ZONE;
import static io.evenkeel.plugins.volumes.StorageObjects.NOBODY;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.StorageObjects.migratedNode;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume.Source;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which nodes can reach the volumes that a pod's claims are bound to. */
class BoundVolumesTest {
    private static final String OUT_OF_REACH = "node(s) didn't match PersistentVolume's node affinity";
    private static final String NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind";
    private static final String MISSING = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
    private static final String EBS_ZONE = "topology.ebs.csi.aws.com/zone";

    private final Pod pod = pod("p").claim("c").build();
    private final BindingScene scene = new BindingScene(
            node("a").label(ZONE, "a").label(EBS_ZONE, "a").build(),
            node("b").label(ZONE, "b").build(),
            claim("c").boundTo("v").build());

    private void expect(Status onA, Status onB) {
        assertThat(scene.verdicts(pod)).isEqualTo(Map.of("a", onA, "b", onB));
    }

    @Test
    void allWhereItDoesNotSay() {
        scene.put(volume("v").build());
        expect(Status.SUCCESS, Status.SUCCESS);
    }

    @Test
    void thoseThatItNames() {
        scene.put(volume("v").on(ZONE, "a").build());
        expect(Status.SUCCESS, Status.unresolvable(OUT_OF_REACH));
    }

    @Test
    void noneWhereItIsMissing() {
        expect(Status.unresolvable(MISSING), Status.unresolvable(MISSING));
    }

    @Test
    void bothThingsAreToldThatAreAgainstANode() {
        scene.put(volume("v").claimedBy(claim("c").build()).on(ZONE, "a").build());
        scene.put(claim("d").build());
        scene.put(late("late", NOBODY));

        assertThat(scene.verdicts(pod("p").claim("c").claim("d").build()))
                .isEqualTo(Map.of(
                        "a", Status.unresolvable(NOTHING_TO_BIND),
                        "b", Status.unresolvable(OUT_OF_REACH, NOTHING_TO_BIND)));
    }

    @Test
    void aMissingVolumeAndNothingToBindAreToldTogether() {
        scene.put(claim("d").build());
        scene.put(late("late", NOBODY));
        Status both = Status.unresolvable(NOTHING_TO_BIND, MISSING);
        assertThat(scene.verdicts(pod("p").claim("c").claim("d").build())).isEqualTo(Map.of("a", both, "b", both));
    }

    /** Only where a CSINode says that the driver stands in is the driver's label looked for. */
    @Test
    void aDiskOfAFormerPluginIsFoundByItsDriversLabelWhereThatStandsIn() {
        scene.put(volume("v")
                .inTree(Source.AWS_ELASTIC_BLOCK_STORE, "vol-1")
                .on(ZONE, "a", "b")
                .build());
        expect(Status.SUCCESS, Status.SUCCESS);

        scene.put(migratedNode("a", "kubernetes.io/aws-ebs"));
        scene.put(migratedNode("b", "kubernetes.io/gce-pd"));
        expect(Status.SUCCESS, Status.SUCCESS);

        scene.put(migratedNode("b", "kubernetes.io/gce-pd,kubernetes.io/aws-ebs"));
        expect(Status.SUCCESS, Status.unresolvable(OUT_OF_REACH));
    }

    @Test
    void aDiskOfAFormerPluginIsFoundByItsZoneLabelAlone() {
        scene.put(volume("v")
                .inTree(Source.AWS_ELASTIC_BLOCK_STORE, "vol-1")
                .label(ZONE, "b")
                .build());
        expect(Status.SUCCESS, Status.SUCCESS);

        scene.put(migratedNode("a", "kubernetes.io/aws-ebs"));
        expect(Status.unresolvable(OUT_OF_REACH), Status.SUCCESS);
    }

    @Test
    void aPodWhoseClaimsAreAllBoundNeedsNoPreparation() {
        scene.put(volume("v").build());
        scene.reserve(pod);
        assertThat(scene.isNothingToPrepare()).isTrue();
    }
}
