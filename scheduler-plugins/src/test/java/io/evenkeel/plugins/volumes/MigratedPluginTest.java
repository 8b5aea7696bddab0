package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.volumes.DiskZones.BETA_REGION;
import static io.evenkeel.plugins.volumes.DiskZones.BETA_ZONE;
import static io.evenkeel.plugins.volumes.DiskZones.REGION;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MigratedPluginTest {
    private static final String DRIVER_ZONE = "topology.gke.io/zone";

    @Test
    void labelsOfOldThatNameZoneAndRegionAreRenamed() {
        assertThat(translated(in(BETA_ZONE, "eu-1-a"), in(BETA_REGION, "eu-1")))
                .hasValue(selector(in(DRIVER_ZONE, "eu-1-a"), in(REGION, "eu-1")));
    }

    @Test
    void oneThatNeedOnlyBeThereKeepsItsName() {
        assertThat(translated(in(BETA_ZONE, "eu-1-a"), exists(BETA_REGION)))
                .hasValue(selector(in(DRIVER_ZONE, "eu-1-a"), exists(BETA_REGION)));
        assertThat(translated(exists(BETA_ZONE))).hasValue(selector(exists(BETA_ZONE)));
    }

    private static Optional<NodeSelector> translated(NodeSelectorRequirement... terms) {
        return MigratedPlugin.GCE_DISK.nodesOf(new PersistentVolume(
                ObjectMeta.named("", "pv"),
                new VolumeSource.Migrated(Source.GCE_PERSISTENT_DISK, "pd"),
                VolumeTerms.NONE,
                Quantity.ZERO,
                Optional.empty(),
                Optional.of(selector(terms)),
                true));
    }

    /** A term of each of the requirements. */
    private static NodeSelector selector(NodeSelectorRequirement... terms) {
        return new NodeSelector(Arrays.stream(terms)
                .map(each -> new NodeSelectorTerm(List.of(each), List.of()))
                .toList());
    }

    private static NodeSelectorRequirement in(String key, String value) {
        return new NodeSelectorRequirement(key, Operator.IN, List.of(value));
    }

    private static NodeSelectorRequirement exists(String key) {
        return new NodeSelectorRequirement(key, Operator.EXISTS, List.of());
    }
}
