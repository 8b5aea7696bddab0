package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.node.NodeTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each resource name a small int, its column in the node table. The three that every node has come first. Names
 * are never forgotten: a cluster has a handful.
 *
 * <p>Beside those three, schedulers count scalar resources: extended ones ({@code example.com/gpu}), those that
 * Kubernetes itself puts under its domain, huge pages and attachable volumes. Any other name, in a pod's requests as in
 * a node's allocatable amounts, is passed over.
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
    private final BitSet scalar = new BitSet();

    public ResourceNames() {
        idOf(CPU_NAME);
        idOf(MEMORY_NAME);
        idOf(EPHEMERAL_STORAGE_NAME);
    }

    /** Whether a pod may ask for it as a whole, beside its containers. */
    static boolean isPodLevel(String name) {
        return name.equals(CPU_NAME) || name.equals(MEMORY_NAME) || name.startsWith("hugepages-");
    }

    /** The id of a name, given now where it has none yet. */
    public int idOf(String name) {
        Integer known = ids.get(name);
        if (known != null) {
            return known;
        }
        int id = names.size();
        ids.put(name, id);
        names.add(name);
        scalar.set(id, isScalar(name));
        return id;
    }

    public String nameOf(int id) {
        return names.get(id);
    }

    public int count() {
        return names.size();
    }

    /** The id of a name, or -1 if schedulers do not count it; such a name gets no id and no column. */
    int countedId(String name) {
        Integer known = ids.get(name);
        if (known != null) {
            return isCounted(known) ? known : -1;
        }
        return isScalar(name) ? idOf(name) : -1;
    }

    public boolean isCounted(int id) {
        return id <= EPHEMERAL_STORAGE || scalar.get(id);
    }

    public boolean isScalar(int id) {
        return scalar.get(id);
    }

    /** Whether the resource is neither Kubernetes' own nor a quota's. */
    public static boolean isExtended(String name) {
        return name.indexOf('/') >= 0 && !name.contains("kubernetes.io/") && !name.startsWith("requests.");
    }

    private static boolean isScalar(String name) {
        return isExtended(name)
                || name.contains("kubernetes.io/")
                || name.startsWith("hugepages-")
                || name.startsWith("attachable-volumes-");
    }
}
