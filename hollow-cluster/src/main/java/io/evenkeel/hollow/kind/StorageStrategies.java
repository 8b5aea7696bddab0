package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.kind.storage.AttachmentRules;
import io.evenkeel.hollow.kind.storage.CapacityRules;
import io.evenkeel.hollow.kind.storage.ClaimRules;
import io.evenkeel.hollow.kind.storage.CsiDriverRules;
import io.evenkeel.hollow.kind.storage.CsiNodeRules;
import io.evenkeel.hollow.kind.storage.Expansion;
import io.evenkeel.hollow.kind.storage.StorageClassRules;
import io.evenkeel.hollow.kind.storage.StorageDefaults;
import io.evenkeel.hollow.kind.storage.VolumeRules;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The strategy of each kind of storage. */
final class StorageStrategies {

    private StorageStrategies() {}

    /** @param storageClasses finds a StorageClass by its name */
    static Map<String, Strategy> all(Function<String, Optional<JsonObject>> storageClasses) {
        return Map.of(
                "persistentvolumeclaims",
                claims(new Expansion(storageClasses)),
                "persistentvolumes",
                new StorageStrategy(true, StorageDefaults::volume, VolumeRules::check, VolumeRules::checkUpdate),
                "storageclasses",
                new StorageStrategy(
                        false, StorageDefaults::storageClass, StorageClassRules::check, StorageClassRules::checkUpdate),
                "csidrivers",
                new StorageStrategy(
                        false, StorageDefaults::csiDriver, CsiDriverRules::check, CsiDriverRules::checkUpdate),
                "csinodes",
                new StorageStrategy(false, _ -> {}, CsiNodeRules::check, CsiNodeRules::checkUpdate),
                "volumeattachments",
                new StorageStrategy(true, _ -> {}, AttachmentRules::check, AttachmentRules::checkUpdate),
                "csistoragecapacities",
                new StorageStrategy(false, _ -> {}, CapacityRules::check, CapacityRules::checkUpdate) {
                    @Override
                    public boolean returnsDeleted() {
                        return false;
                    }
                });
    }

    private static Strategy claims(Expansion expansion) {
        return new StorageStrategy(true, StorageDefaults::claim, ClaimRules::check, ClaimRules::checkUpdate) {
            @Override
            public void admitUpdate(JsonObject updated, JsonObject current) {
                expansion.check(updated, current);
            }
        };
    }
}
