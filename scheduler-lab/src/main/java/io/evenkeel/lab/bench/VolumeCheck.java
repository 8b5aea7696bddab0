package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.Placements.Placement;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.problem.UserProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks that pods are where their bound volumes can be reached, and that no node has more volumes than it can have. */
final class VolumeCheck {
    private VolumeCheck() {}

    static void check(List<KubernetesObject> objects, Placements placements) {
        Map<String, PersistentVolume> volumes = new HashMap<>();
        Map<String, PersistentVolumeClaim> claims = new HashMap<>();
        Map<String, Integer> room = new HashMap<>();
        for (KubernetesObject object : objects) {
            switch (object) {
                case PersistentVolume volume -> volumes.put(volume.name(), volume);
                case PersistentVolumeClaim claim -> claims.put(claim.key(), claim);
                case CsiNode csiNode ->
                    room.put(
                            csiNode.meta().name(),
                            csiNode.limits().values().stream()
                                    .mapToInt(Integer::intValue)
                                    .sum());
                default -> {}
            }
        }
        for (Placement placement : placements.all()) {
            for (PodVolume volume : placement.pod().spec().volumes()) {
                Optional.ofNullable(claims.get(placement.pod().namespace() + "/" + volume.id()))
                        .map(claim -> volumes.get(claim.volumeName()))
                        .ifPresent(bound -> requireReach(placement, bound));
                if (room.merge(placement.node().name(), -1, Integer::sum) < 0) {
                    throw new UserProblem("node " + placement.node().name() + " has more volumes than it can have");
                }
            }
        }
    }

    private static void requireReach(Placement placement, PersistentVolume volume) {
        boolean isReached = volume.nodes().isEmpty()
                || volume.nodes()
                        .get()
                        .matches(placement.node().labels(), placement.node().name());
        if (!isReached) {
            throw new UserProblem("pod " + placement.pod().key() + " is on "
                    + placement.node().name() + ", which cannot reach its volume " + volume.name());
        }
    }
}
