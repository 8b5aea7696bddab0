package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;

/**
 * Gives each resource name a small int. The three that every node has come first. Whoever may create pods may make up names,
 * so a name is forgotten with its last user, and its id given to another: users are the resources of interned pods and
 * what nodes offer, and each says so of a whole {@link ResourceVector}.
 *
 * <p>Beside those three, schedulers count scalar resources: extended ones ({@code example.com/gpu}), those that
 * Kubernetes itself puts under its domain, huge pages and attachable volumes. Any other name, in a pod's requests as in
 * a node's allocatable amounts, is passed over.
 *
 * <pre>{@code
 *                                    ids, and users of each           free ids
 * pods asking for cpu, x.io/a        cpu #0, x.io/a #3 1
 * a node that offers x.io/a          cpu #0, x.io/a #3 2
 * the pods are gone, and the node    cpu #0                           3
 * a pod asking for x.io/b            cpu #0, x.io/b #3 1
 * }</pre>
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
    /** The answer of {@link #find} for a name without an id. */
    public static final int UNKNOWN = -1;

    private static final String FREE = "";
    private static final int FEW = 1 << 10;
    private static final int PART = 8;

    private final Map<String, Integer> ids = new ShrinkingMap<>();
    private final ArrayList<String> names = new ArrayList<>();
    /** Below the end. The lowest is given first, so that the end comes down again. */
    private final BitSet freeIds = new BitSet();

    private int lowestFree;
    private final BitSet scalar = new BitSet();
    private final BitSet kept = new BitSet();
    private int[] users = new int[8];

    public ResourceNames() {
        idOf(CPU_NAME);
        idOf(MEMORY_NAME);
        idOf(EPHEMERAL_STORAGE_NAME);
    }

    /** Whether a pod may ask for it as a whole, beside its containers. */
    static boolean isPodLevel(String name) {
        return name.equals(CPU_NAME) || name.equals(MEMORY_NAME) || name.startsWith("hugepages-");
    }

    /** An amount as it is counted, as the API has it: cpu is counted in thousandths. */
    public static Quantity quantity(String name, long amount) {
        return name.equals(CPU_NAME) ? Quantity.ofMilli(amount) : Quantity.of(amount);
    }

    /** Writes an amount for people: bytes as so many Gi and the like, of all else a plain number. */
    public static String text(String name, long amount) {
        if (isInBytes(name)) {
            return quantity(name, amount).toString();
        }
        if (!name.equals(CPU_NAME)) {
            return Long.toString(amount);
        }
        return amount % 1000 == 0 ? Long.toString(amount / 1000) : amount + "m";
    }

    private static boolean isInBytes(String name) {
        return name.equals(MEMORY_NAME) || name.equals(EPHEMERAL_STORAGE_NAME) || name.startsWith("hugepages-");
    }

    /** The id of a name that is never forgotten from now on: for the handful of names in configurations. */
    public int idOf(String name) {
        int id = intern(name);
        kept.set(id);
        return id;
    }

    /** The id of a name, or {@link #UNKNOWN} if nothing speaks of it. */
    public int find(String name) {
        return ids.getOrDefault(name, UNKNOWN);
    }

    /** Empty where the id is free. */
    public String nameOf(int id) {
        return id < names.size() ? names.get(id) : FREE;
    }

    /** One more than the highest id in use; ids below may be free. */
    public int end() {
        return names.size();
    }

    public int count() {
        return ids.size();
    }

    /** Keeps the names of these amounts until they are released as often; answers the amounts. */
    public ResourceVector acquire(ResourceVector amounts) {
        for (int i = 0; i < amounts.size(); i++) {
            users[amounts.resourceAt(i)]++;
        }
        return amounts;
    }

    /** Gives the names back, and forgets the ones without another user. */
    public void release(ResourceVector amounts) {
        for (int i = 0; i < amounts.size(); i++) {
            int id = amounts.resourceAt(i);
            if (--users[id] == 0 && !kept.get(id)) {
                forget(id);
            } else if (users[id] < 0) {
                throw new IllegalStateException("released more often than acquired: " + names.get(id));
            }
        }
    }

    /** How many users a name has, but for those who keep it for good. */
    int users(int id) {
        return users[id];
    }

    boolean isKept(int id) {
        return kept.get(id);
    }

    /** The id of a name that has none yet, to be acquired at once; {@link #UNKNOWN} if schedulers do not count it. */
    int countedId(String name) {
        return isScalar(name) ? intern(name) : UNKNOWN;
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

    private int intern(String name) {
        Integer known = ids.get(name);
        if (known != null) {
            return known;
        }
        int id = freeIds.isEmpty() ? names.size() : freeIds.nextSetBit(lowestFree);
        if (id == names.size()) {
            names.add(name);
            users = id < users.length ? users : Arrays.copyOf(users, id * 2);
        } else {
            names.set(id, name);
            freeIds.clear(id);
            lowestFree = id + 1;
        }
        ids.put(name, id);
        scalar.set(id, isScalar(name));
        return id;
    }

    private void forget(int id) {
        ids.remove(names.get(id));
        names.set(id, FREE);
        scalar.clear(id);
        freeIds.set(id);
        lowestFree = Math.min(lowestFree, id);
        while (names.getLast().equals(FREE)) {
            names.removeLast();
            freeIds.clear(names.size());
        }
        if (users.length > FEW && names.size() < users.length / PART) {
            users = Arrays.copyOf(users, names.size());
            names.trimToSize();
        }
    }

    private static boolean isScalar(String name) {
        return isExtended(name)
                || name.contains("kubernetes.io/")
                || name.startsWith("hugepages-")
                || name.startsWith("attachable-volumes-");
    }
}
