package io.evenkeel.cluster.node;

import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The resources that nodes offer, and what pods take, by resource and node. A resource that many nodes offer is two columns,
 * as cpu and memory always are. One that few offer, or nobody, is kept with the nodes that it concerns: with what the node
 * offers, and in a map of what its pods take. So the memory is as much as what nodes and pods say, and a pod with thousands
 * of made-up resource names costs an entry for each, not a column of all nodes.
 *
 * <p>Reading is an array access, or a look-up in what the one node has. A change costs a step for each resource of the node
 * or pod. That a resource gets columns, or loses them, costs a pass over the nodes; for that to happen again, as many nodes
 * have to change their mind as columns need.
 *
 * <pre>{@code
 * 64 rows: a column needs 4 nodes that offer the resource, and stays while there are 2. A pod on n9 asks for 1 of x.io/a.
 *
 *                       x.io/a is kept                       allocatable       requested
 * n0 to n2 offer 8      with n0 n1 n2, and with n9's pods    n0 n1 n2 8        n9 1
 * n3 offers 8           in columns                           n0 n1 n2 n3 8     n9 1
 * n0 to n2 go           with n3, and with n9's pods          n3 8              n9 1
 * }</pre>
 */
final class ResourceColumns {
    /** A resource gets columns when one row in so many offers it, and loses them below half of that. */
    private static final int ROWS_PER_OFFER = 16;

    private static final int FEW = 1 << 10;
    private static final int PART = 8;

    private static final int ALWAYS = ResourceNames.EPHEMERAL_STORAGE + 1;
    private static final long[] NO_COLUMN = {};

    private final ResourceNames names;
    private int rows;
    /** How many nodes offer it, by resource. */
    private int[] offers = new int[ALWAYS];
    /** By resource and node. */
    private long[][] allocatable = {};

    private long[][] requested = {};
    private ResourceVector[] offered;
    /** The requests of the node's resources that have no column. */
    private @Nullable IntLongMap[] rare;

    ResourceColumns(ResourceNames names, int rows) {
        this.names = names;
        this.rows = rows;
        offered = new ResourceVector[rows];
        Arrays.fill(offered, ResourceVector.NONE);
        rare = new IntLongMap[rows];
        ensureResource(ALWAYS - 1);
        for (int resource = 0; resource < ALWAYS; resource++) {
            allocatable[resource] = new long[rows];
            requested[resource] = new long[rows];
        }
    }

    long allocatable(int resource, int node) {
        if (resource < allocatable.length) {
            long[] column = allocatable[resource];
            if (node < column.length) {
                return column[node];
            }
        }
        return offered[node].amountOf(resource);
    }

    long requested(int resource, int node) {
        if (resource < requested.length) {
            long[] column = requested[resource];
            if (node < column.length) {
                return column[node];
            }
        }
        IntLongMap sums = rare[node];
        return sums == null ? 0 : sums.get(resource);
    }

    /** The least that is free of a resource that always has columns, on those of 64 nodes that have a bit. */
    long leastFree(int resource, int first, long bits) {
        long[] offeredThere = allocatable[resource];
        long[] takenThere = requested[resource];
        long least = Long.MAX_VALUE;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            int node = first + Long.numberOfTrailingZeros(rest);
            least = Math.min(least, offeredThere[node] - takenThere[node]);
        }
        return least;
    }

    ResourceVector offered(int node) {
        return offered[node];
    }

    boolean hasColumn(int resource) {
        return resource < allocatable.length && allocatable[resource].length > 0;
    }

    /** Whether enough nodes offer it for its columns to stay. */
    boolean mayHaveColumn(int resource) {
        return resource < ALWAYS || offers(resource) >= rows / ROWS_PER_OFFER / 2;
    }

    /** How many nodes offer it. */
    int offers(int resource) {
        return resource < offers.length ? offers[resource] : 0;
    }

    int columns() {
        int columns = 0;
        for (int resource = 0; resource < allocatable.length; resource++) {
            columns += hasColumn(resource) ? 1 : 0;
        }
        return columns;
    }

    /** How many amounts are kept with nodes: sums of what pods take of resources without a column. */
    int entries() {
        int entries = 0;
        for (IntLongMap sums : rare) {
            entries += sums == null ? 0 : sums.size();
        }
        return entries;
    }

    /** Adds what a pod takes, or takes it away again. */
    void add(int node, ResourceVector amounts, int sign) {
        for (int i = 0; i < amounts.size(); i++) {
            int resource = amounts.resourceAt(i);
            if (hasColumn(resource)) {
                requested[resource][node] += sign * amounts.amountAt(i);
            } else {
                addRare(node, resource, sign * amounts.amountAt(i));
            }
        }
    }

    /** Sets all that the node offers; the names are acquired for it until something else is set. */
    void offer(int node, ResourceVector amounts) {
        ResourceVector before = offered[node];
        if (before.equals(amounts)) {
            return;
        }
        offered[node] = names.acquire(amounts);
        for (int i = 0; i < before.size(); i++) {
            withdraw(before.resourceAt(i), node);
        }
        for (int i = 0; i < amounts.size(); i++) {
            offer(amounts.resourceAt(i), node, amounts.amountAt(i));
        }
        for (int i = 0; i < before.size(); i++) {
            dissolveIfRare(before.resourceAt(i));
        }
        names.release(before);
        if (offers.length > FEW && names.end() < offers.length / PART) {
            resize(names.end());
        }
    }

    private void withdraw(int resource, int node) {
        offers[resource]--;
        if (hasColumn(resource)) {
            allocatable[resource][node] = 0;
        }
    }

    private void offer(int resource, int node, long amount) {
        ensureResource(resource);
        offers[resource]++;
        if (hasColumn(resource)) {
            allocatable[resource][node] = amount;
        } else if (offers[resource] >= rows / ROWS_PER_OFFER) {
            becomeColumn(resource);
        }
    }

    private void becomeColumn(int resource) {
        allocatable[resource] = new long[rows];
        requested[resource] = new long[rows];
        for (int node = 0; node < rows; node++) {
            allocatable[resource][node] = offered[node].amountOf(resource);
            IntLongMap sums = rare[node];
            if (sums != null) {
                requested[resource][node] = sums.get(resource);
                addRare(node, resource, -sums.get(resource));
            }
        }
    }

    private void dissolveIfRare(int resource) {
        if (!hasColumn(resource) || mayHaveColumn(resource)) {
            return;
        }
        long[] sums = requested[resource];
        allocatable[resource] = NO_COLUMN;
        requested[resource] = NO_COLUMN;
        for (int node = 0; node < sums.length; node++) {
            addRare(node, resource, sums[node]);
        }
    }

    private void addRare(int node, int resource, long amount) {
        if (amount == 0) {
            return;
        }
        IntLongMap sums = rare[node];
        if (sums == null) {
            sums = new IntLongMap();
            rare[node] = sums;
        }
        sums.add(resource, amount);
        if (sums.size() == 0) {
            rare[node] = null;
        }
    }

    private void ensureResource(int resource) {
        int known = allocatable.length;
        if (resource >= known) {
            resize(Math.max(resource + 1, known + known / 2));
            Arrays.fill(allocatable, known, allocatable.length, NO_COLUMN);
            Arrays.fill(requested, known, requested.length, NO_COLUMN);
        }
    }

    private void resize(int resources) {
        allocatable = Arrays.copyOf(allocatable, resources);
        requested = Arrays.copyOf(requested, resources);
        offers = Arrays.copyOf(offers, resources);
    }

    /** More rows; what is offered by too few of them now loses its columns. */
    void grow(int more) {
        offered = Arrays.copyOf(offered, more);
        Arrays.fill(offered, rows, more, ResourceVector.NONE);
        rare = Arrays.copyOf(rare, more);
        rows = more;
        for (int resource = 0; resource < allocatable.length; resource++) {
            dissolveIfRare(resource);
            if (hasColumn(resource)) {
                allocatable[resource] = Arrays.copyOf(allocatable[resource], more);
                requested[resource] = Arrays.copyOf(requested[resource], more);
            }
        }
    }
}
