package io.evenkeel.model.storage;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A CSINode: the drivers of the node of this name.
 *
 * @param limits how many volumes of a driver can be attached at once, of those drivers that say so
 */
public record CsiNode(ObjectMeta meta, Map<String, Integer> limits) implements PluginObject {
    @Override
    public String kindName() {
        return "CSINode";
    }

    /** The plugins of former Kubernetes that CSI drivers stand in for there. */
    public Set<String> migratedPlugins() {
        String plugins = meta.annotations().getOrDefault(Annotations.MIGRATED_PLUGINS, "");
        return plugins.isEmpty() ? Set.of() : Set.copyOf(List.of(plugins.split(",")));
    }
}
