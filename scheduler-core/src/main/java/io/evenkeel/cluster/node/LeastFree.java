package io.evenkeel.cluster.node;

import io.evenkeel.cluster.node.Derivations.Derived;
import io.evenkeel.cluster.shape.ResourceNames;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Of each block of 64 nodes the least that is free on any of them, of places for pods and of the resources that every node has:
 * who needs no more fits on all 64. Brought up to date, when it is asked for, in the blocks with nodes that changed since.
 */
public final class LeastFree implements Derived {
    private static final int BLOCK = 64;
    private static final int PLACES = ResourceNames.EPHEMERAL_STORAGE + 1;
    private static final int AMOUNTS = PLACES + 1;

    private final NodeTable nodes;
    private final ChangeLog log;
    private final NodeSet changed = new NodeSet();
    private long[] least = {};
    private long readTo = -1;

    LeastFree(NodeTable nodes, ChangeLog log) {
        this.nodes = nodes;
        this.log = log;
    }

    /** Whether it is known how much there is of a resource. */
    public static boolean isOf(int resource) {
        return resource < PLACES;
    }

    /** This, brought up to date: what is asked for next holds until the cluster changes. */
    @Override
    public LeastFree current() {
        if (readTo == log.position()) {
            return this;
        }
        if (least.length < blocks() * AMOUNTS) {
            least = Arrays.copyOf(least, Math.max(blocks() * AMOUNTS, 2 * least.length));
        }
        if (log.reaches(readTo, nodes.count())) {
            log.forEachSince(readTo, node -> changed.add(node / BLOCK));
            for (int block = changed.first(); block >= 0; block = changed.next(block + 1)) {
                find(block);
            }
            changed.clear();
        } else {
            for (int block = 0; block < blocks(); block++) {
                find(block);
            }
        }
        readTo = log.position();
        return this;
    }

    /** The free places for pods on the node of the block that has fewest. */
    public long places(int block) {
        return least[block * AMOUNTS + PLACES];
    }

    /** How much of the resource is free on the node of the block that has least. */
    public long of(int resource, int block) {
        return least[block * AMOUNTS + resource];
    }

    private int blocks() {
        return (nodes.end() + BLOCK - 1) / BLOCK;
    }

    private void find(int block) {
        int at = block * AMOUNTS;
        long present = nodes.present().word(block);
        for (int resource = 0; resource < PLACES; resource++) {
            least[at + resource] = nodes.leastFree(resource, block * BLOCK, present);
        }
        least[at + PLACES] = nodes.fewestPlaces(block * BLOCK, present);
    }

    @Override
    public String differenceFromRecount() {
        current();
        long[] kept = least.clone();
        for (int block = 0; block < blocks(); block++) {
            find(block);
        }
        return Arrays.equals(kept, least)
                ? ""
                : "least free kept " + Arrays.toString(kept) + ", recounted " + Arrays.toString(least);
    }

    @Override
    public String description(IntFunction<String> nameOf) {
        current();
        StringBuilder text = new StringBuilder("least free");
        for (int block = 0; block < blocks(); block++) {
            if (nodes.present().word(block) != 0) {
                text.append(' ')
                        .append(Arrays.toString(Arrays.copyOfRange(least, block * AMOUNTS, (block + 1) * AMOUNTS)));
            }
        }
        return text.toString();
    }
}
