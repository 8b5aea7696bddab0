package io.evenkeel.plugins.volumes;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk that a pod names without a claim: on one node, either pods that leave it as it is have it, or one that does not. An
 * image of Ceph is one for each of its monitors, as pods that share a monitor share the image.
 */
record Disk(Source source, String id) {

    /** The use that a pod makes of it. */
    record Use(Disk disk, boolean readOnly) {
        boolean conflictsWith(Use other) {
            return disk.equals(other.disk) && !(readOnly && other.readOnly);
        }
    }

    /** Returns the uses that the pod makes of disks; nearly all have none. */
    static List<Use> usedBy(Pod pod) {
        List<PodVolume> volumes = pod.spec().volumes();
        if (volumes.isEmpty()) {
            return List.of();
        }
        List<Use> uses = new ArrayList<>();
        for (PodVolume volume : volumes) {
            switch (volume.source()) {
                case GCE_PERSISTENT_DISK, ISCSI ->
                    uses.add(new Use(new Disk(volume.source(), volume.id()), volume.readOnly()));
                case AWS_ELASTIC_BLOCK_STORE -> uses.add(new Use(new Disk(volume.source(), volume.id()), false));
                case RBD ->
                    volume.monitors()
                            .forEach(monitor -> uses.add(new Use(
                                    new Disk(volume.source(), monitor + "/" + volume.id()), volume.readOnly())));
                default -> {}
            }
        }
        return uses;
    }

    static boolean conflict(List<Use> some, List<Use> others) {
        for (int i = 0; i < some.size(); i++) {
            for (int j = 0; j < others.size(); j++) {
                if (some.get(i).conflictsWith(others.get(j))) {
                    return true;
                }
            }
        }
        return false;
    }
}
