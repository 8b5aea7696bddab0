package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.FillLimits.FillingPods;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.StorageClass.BindingMode;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Two volumes for each pod: one that it has already, in one of the zones in turn, and one that is made near its node; and nodes
 * that can have so many of them. Pods that are there already have both, in their node's zone.
 */
final class PodsVolumes {
    private static final String CLASS = "disk";
    private static final String DRIVER = "disk.example.com";
    private static final int MOST_ON_A_NODE = 128;

    /** Each has two volumes. */
    static final int MOST_PODS_ON_A_NODE = MOST_ON_A_NODE / 2;

    private static final VolumeTerms TERMS =
            new VolumeTerms(CLASS, Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, "");
    private static final Quantity SIZE = Quantity.parse("10Gi");

    private PodsVolumes() {}

    static void addObjects(BenchCase benchCase, List<KubernetesObject> objects) {
        objects.add(new StorageClass(
                ObjectMeta.named("", CLASS), DRIVER, Optional.of(BindingMode.WAIT_FOR_FIRST_CONSUMER), List.of()));
        objects.add(new CsiDriver(ObjectMeta.named("", DRIVER), false, false));
        for (int node = 0; node < benchCase.nodes(); node++) {
            objects.add(new CsiNode(ObjectMeta.named("", "node-" + node), Map.of(DRIVER, MOST_ON_A_NODE)));
        }
        for (int pod = 0; pod < benchCase.filled(); pod++) {
            String zone = WorkloadCluster.zone(benchCase, FillingPods.nodeInTurn(benchCase, pod));
            addBound("data-" + pod, "volume-" + pod, zone, objects);
            addBound("scratch-" + pod, "made-" + pod, zone, objects);
        }
        for (int pod = benchCase.filled(); pod < benchCase.filled() + benchCase.pods(); pod++) {
            addBound("data-" + pod, "volume-" + pod, WorkloadCluster.zone(benchCase, pod), objects);
            objects.add(claim("scratch-" + pod, ""));
        }
    }

    static void claim(PodBuilder pod, int index) {
        pod.claim("data-" + index).claim("scratch-" + index);
    }

    private static void addBound(String claim, String volume, String zone, List<KubernetesObject> objects) {
        objects.add(volume(volume, claim, zone));
        objects.add(claim(claim, volume));
    }

    private static PersistentVolume volume(String name, String claim, String zone) {
        NodeSelectorRequirement inZone =
                new NodeSelectorRequirement(WorkloadCluster.ZONE, NodeSelectorRequirement.Operator.IN, List.of(zone));
        return new PersistentVolume(
                ObjectMeta.named("", name).withLabels(Labels.of(WorkloadCluster.ZONE, zone)),
                new VolumeSource.Csi(DRIVER, "handle-" + name),
                TERMS,
                SIZE,
                Optional.of(new ClaimReference("default", claim, "")),
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(inZone), List.of())))),
                false);
    }

    private static PersistentVolumeClaim claim(String name, String volume) {
        ObjectMeta meta = ObjectMeta.named("default", name);
        return new PersistentVolumeClaim(
                volume.isEmpty() ? meta : meta.withAnnotations(Labels.of(Annotations.BIND_COMPLETED, "yes")),
                TERMS,
                Optional.of(SIZE),
                Optional.empty(),
                volume,
                false);
    }
}
