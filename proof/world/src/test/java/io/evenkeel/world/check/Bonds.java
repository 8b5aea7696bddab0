package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the servers' log says of claims and volumes: no claim has two volumes and no volume two claims, one after the other
 * without being let go of by their controller between; and a pod that a replica puts somewhere has its volumes by then.
 */
public final class Bonds {
    private static final String COMPLETED = "pv.kubernetes.io/bind-completed";

    private final HollowObjects objects;
    private final Map<String, String> claimOfVolume = new HashMap<>();
    private final Map<String, String> volumeOfClaim = new HashMap<>();

    public Bonds(HollowObjects objects) {
        this.objects = objects;
    }

    /** The log has this of a volume now. */
    public void volume(JsonObject volume) {
        changed(claimOfVolume, volume, Trees.text(volume, "spec", "claimRef", "uid"));
    }

    /** The log has this of a claim now. */
    public void claim(JsonObject claim) {
        changed(volumeOfClaim, claim, Trees.text(claim, "spec", "volumeName"));
    }

    private static void changed(Map<String, String> bonds, JsonObject object, String other) {
        String uid = Trees.text(object, "metadata", "uid");
        String before = Optional.ofNullable(bonds.put(uid, other)).orElse("");
        if (!before.isEmpty() && !other.isEmpty() && !before.equals(other)) {
            throw new Violation(
                    Trees.text(object, "metadata", "name") + " was bound to " + before + " and is bound to " + other);
        }
    }

    /** A replica, and nobody else, has put the pod on its node. */
    public void placed(JsonObject pod) {
        for (JsonObject volume : Trees.objects(pod, "spec", "volumes")) {
            String claim = Trees.text(volume, "persistentVolumeClaim", "claimName");
            objects.get(ResourceTable.PERSISTENT_VOLUME_CLAIMS, Trees.text(pod, "metadata", "namespace"), claim)
                    .map(Trees::parse)
                    .filter(there -> Trees.text(there, "metadata", "annotations", COMPLETED)
                            .isEmpty())
                    .ifPresent(_ -> {
                        throw new Violation(Trees.text(pod, "metadata", "name") + " is bound before its " + claim);
                    });
        }
    }
}
