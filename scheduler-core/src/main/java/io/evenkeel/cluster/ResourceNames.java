package io.evenkeel.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each resource name a small int, its column in the node table. The three that every node has come first. Names
 * are never forgotten: a cluster has a handful.
 */
public final class ResourceNames {
    public static final String CPU_NAME = "cpu";
    public static final String MEMORY_NAME = "memory";
    public static final String EPHEMERAL_STORAGE_NAME = "ephemeral-storage";
    /** How many pods a node takes; not a column of its own but {@link NodeTable#allowedPods}. */
    public static final String PODS_NAME = "pods";

    /** In thousandths of a core; all other resources count in whole units. */
    public static final int CPU = 0;

    public static final int MEMORY = 1;
    public static final int EPHEMERAL_STORAGE = 2;

    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    ResourceNames() {
        idOf(CPU_NAME);
        idOf(MEMORY_NAME);
        idOf(EPHEMERAL_STORAGE_NAME);
    }

    /** The id of a name, given now where it has none yet. */
    public int idOf(String name) {
        Integer known = ids.get(name);
        if (known != null) {
            return known;
        }
        ids.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }

    public String nameOf(int id) {
        return names.get(id);
    }

    public int count() {
        return names.size();
    }
}
