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
 * @param topologyKeys the labels by whose values of the node a volume of a driver is reached, of those drivers that have any
 */
public record CsiNode(
        ObjectMeta meta, Set<String> drivers, Map<String, Integer> limits, Map<String, List<String>> topologyKeys)
        implements PluginObject {

    /** All of whose drivers say how many of their volumes can be attached. */
    public CsiNode(ObjectMeta meta, Map<String, Integer> limits) {
        this(meta, limits.keySet(), limits, Map.of());
    }

    /** The same drivers, on a node of this name. */
    public CsiNode ofAnother(String node) {
        return new CsiNode(meta.ofAnother(node), drivers, limits, topologyKeys);
    }

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
