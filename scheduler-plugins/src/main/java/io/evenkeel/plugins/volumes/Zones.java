package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.volumes.DiskZones.BETA_REGION;
import static io.evenkeel.plugins.volumes.DiskZones.BETA_ZONE;
import static io.evenkeel.plugins.volumes.DiskZones.BETWEEN_ZONES;
import static io.evenkeel.plugins.volumes.DiskZones.REGION;
import static io.evenkeel.plugins.volumes.DiskZones.ZONE;

import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The zones and regions in which a pod's volumes are: one label of a volume each; a node must meet all. */
record Zones(List<Label> all) {
    static final Zones ANYWHERE = new Zones(List.of());

    static final List<String> KEYS = List.of(BETA_ZONE, BETA_REGION, ZONE, REGION);

    /** A label of a volume, and the values of it that do. */
    record Label(String key, Set<String> values) {

        /** The name that the label has today, by which a node may have it. */
        String newKey() {
            return switch (key) {
                case BETA_ZONE -> ZONE;
                case BETA_REGION -> REGION;
                default -> key;
            };
        }

        boolean admits(Labels node) {
            int index = node.find(key);
            int found = index < 0 ? node.find(newKey()) : index;
            return found >= 0 && values.contains(node.valueAt(found));
        }
    }

    /** A label that names no zone, or an empty one among others, says nothing. */
    static Zones of(PersistentVolume volume) {
        List<Label> found = new ArrayList<>();
        for (String key : KEYS) {
            String value = volume.meta().labels().getOrDefault(key, "");
            List<String> values = List.of(value.split(BETWEEN_ZONES, -1));
            if (values.stream().noneMatch(String::isBlank)) {
                found.add(new Label(key, Set.copyOf(values)));
            }
        }
        return found.isEmpty() ? ANYWHERE : new Zones(found);
    }

    Zones and(Zones more) {
        if (isAnywhere() || more.isAnywhere()) {
            return isAnywhere() ? more : this;
        }
        List<Label> both = new ArrayList<>(all);
        both.addAll(more.all);
        return new Zones(both);
    }

    boolean isAnywhere() {
        return all.isEmpty();
    }

    boolean include(Labels node) {
        if (KEYS.stream().noneMatch(node::has)) {
            return true;
        }
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).admits(node)) {
                return false;
            }
        }
        return true;
    }
}
