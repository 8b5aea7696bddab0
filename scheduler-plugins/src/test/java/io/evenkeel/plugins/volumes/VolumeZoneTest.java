package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.DiskZones.BETA_ZONE;
import static io.evenkeel.plugins.volumes.DiskZones.REGION;
import static io.evenkeel.plugins.volumes.DiskZones.ZONE;
import static io.evenkeel.plugins.volumes.StorageObjects.immediate;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.StorageObjects.storageClass;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.plugins.PluginHarness;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class VolumeZoneTest {
    private static final Status ELSEWHERE = Status.unresolvable("node(s) had no available volume zone");

    private final PluginHarness cluster = cluster(
            node("x").label(ZONE, "x").build(),
            node("y").label(ZONE, "y").build(),
            node("beta-x").label(BETA_ZONE, "x").build(),
            node("region").label(REGION, "r").build(),
            node("bare").build(),
            claim("c").boundTo("v").build());

    private Set<String> passing(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            cluster.put(object);
        }
        Set<String> passing = new TreeSet<>();
        Verdicts.of(
                        cluster.state(),
                        new VolumeZone(cluster.context()),
                        pod("p").claim("c").build())
                .forEach((node, status) -> {
                    if (status.isSuccess()) {
                        passing.add(node);
                    } else {
                        assertThat(status).isEqualTo(ELSEWHERE);
                    }
                });
        return passing;
    }

    private PreFilterResult preFilter(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            cluster.put(object);
        }
        return cluster.preFilter(
                new VolumeZone(cluster.context()), pod("p").claim("c").build());
    }

    private static PreFilterResult rejected(String reason) {
        return new PreFilterResult.Rejected(Status.unresolvable(reason));
    }

    @Test
    void aVolumesZoneIsWhereItsPodsRunAndANodeWithoutOneIsAnywhere() {
        assertThat(passing(volume("v").label(ZONE, "x").build())).containsExactly("bare", "x");
    }

    @Test
    void aVolumeCanBeInSeveralZones() {
        assertThat(passing(volume("v").label(ZONE, "x__y").build())).containsExactly("bare", "x", "y");
    }

    @Test
    void aLabelOfOldIsMetByTheNewOneOfANode() {
        assertThat(passing(volume("v").label(BETA_ZONE, "x").build())).containsExactly("bare", "beta-x", "x");
    }

    @Test
    void zoneAndRegionBothCount() {
        cluster.put(node("both").label(ZONE, "x").label(REGION, "r").build());
        assertThat(passing(volume("v").label(ZONE, "x").label(REGION, "r").build()))
                .containsExactly("bare", "both");
    }

    @Test
    void allVolumesOfThePodCount() {
        cluster.put(volume("w").label(ZONE, "y").build());
        cluster.put(claim("d").boundTo("w").build());
        cluster.put(volume("v").label(ZONE, "x").build());

        assertThat(Verdicts.of(
                        cluster.state(),
                        new VolumeZone(cluster.context()),
                        pod("p").claim("c").claim("d").build()))
                .containsEntry("x", ELSEWHERE)
                .containsEntry("y", ELSEWHERE)
                .containsEntry("bare", Status.SUCCESS);
    }

    @Test
    void aVolumeWithoutZonesIsNoMatterOfThisPlugin() {
        assertThat(preFilter(volume("v").label("other", "x").build())).isEqualTo(PreFilterResult.SKIP);
        assertThat(preFilter(volume("v").label(ZONE, "").build())).isEqualTo(PreFilterResult.SKIP);
        assertThat(preFilter(volume("v").label(ZONE, "x__").build())).isEqualTo(PreFilterResult.SKIP);
    }

    @Test
    void aMissingClaimVolumeOrClassIsNamed() {
        assertThat(preFilter()).isEqualTo(rejected("persistentvolume \"v\" not found"));
        assertThat(preFilter(claim("c").build())).isEqualTo(rejected("storageclass.storage.k8s.io \"late\" not found"));
        cluster.remove(claim("c").build());
        assertThat(preFilter()).isEqualTo(rejected("persistentvolumeclaim \"c\" not found"));
    }

    @Test
    void aClaimThatIsNotBoundIsNoObstacleOnlyWhereItIsBoundLate() {
        cluster.put(claim("c").build());
        assertThat(preFilter(late("late", "disk.example"))).isEqualTo(PreFilterResult.SKIP);
        assertThat(preFilter(immediate("late", "disk.example"))).isEqualTo(rejected("PersistentVolume had no name"));
        assertThat(preFilter(storageClass("late", "disk.example", Optional.empty())))
                .isEqualTo(rejected("VolumeBindingMode not set for StorageClass \"late\""));
        assertThat(preFilter(claim("c").storageClass("").build()))
                .isEqualTo(rejected("PersistentVolumeClaim had no pv name and storageClass name"));
    }

    @Test
    void aClaimNeedsAName() {
        assertThat(cluster.preFilter(
                        new VolumeZone(cluster.context()),
                        pod("p").volume(new PodVolume("v", Source.PERSISTENT_VOLUME_CLAIM))
                                .build()))
                .isEqualTo(rejected("PersistentVolumeClaim had no name"));
    }
}
