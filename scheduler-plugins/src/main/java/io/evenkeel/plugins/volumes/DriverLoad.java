package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.SparseCounts;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * How many volumes of one CSI driver each node has attached, and can have; and which nodes cannot take one more, two more and
 * so on, so that a pod with a few volumes has no node to look at.
 */
final class DriverLoad {
    /** Pods with more volumes of a driver are rare, and look at each node. */
    private static final int FEW = 4;

    private final SparseCounts.Writer attached = SparseCounts.create();
    private final NodeSet limited = new NodeSet();
    private final NodeSet[] withoutRoom = new NodeSet[FEW + 1];
    private final NodeSet withoutMuchRoom = new NodeSet();
    private int[] limits = {};

    DriverLoad() {
        Arrays.setAll(withoutRoom, _ -> new NodeSet());
    }

    int attachedTo(int node) {
        return attached.counts().get(node);
    }

    SparseCounts attached() {
        return attached.counts();
    }

    void add(int node, int delta) {
        if (delta != 0) {
            attached.add(node, delta);
            reconsider(node);
        }
    }

    /** The nodes that say how many they can have. */
    NodeSetView limited() {
        return limited;
    }

    /** To be asked of those only. */
    int limitOf(int node) {
        return limits[node];
    }

    void limit(int node, OptionalInt limit) {
        limited.set(node, limit.isPresent());
        if (limit.isPresent()) {
            if (node >= limits.length) {
                limits = Arrays.copyOf(limits, Math.max(node + 1, limits.length * 2));
            }
            limits[node] = limit.getAsInt();
        }
        reconsider(node);
    }

    private void reconsider(int node) {
        for (int more = 1; more <= FEW; more++) {
            withoutRoom[more].set(node, exceeds(node, more));
        }
    }

    /** Whether so many more are too many. A node that has too many already takes pods that bring none. */
    boolean exceeds(int node, int more) {
        return exceeds(node, attachedTo(node), more);
    }

    /** Whether they are too many where the node had so many. */
    boolean exceeds(int node, int attachedThen, int more) {
        return more > 0 && limited.contains(node) && attachedThen + more > limits[node];
    }

    /** The nodes that cannot take so many more, valid until the next call. */
    NodeSetView withoutRoomFor(int more) {
        if (more <= FEW) {
            return withoutRoom[more];
        }
        withoutMuchRoom.clear();
        for (int node = limited.first(); node >= 0; node = limited.next(node + 1)) {
            withoutMuchRoom.set(node, exceeds(node, more));
        }
        return withoutMuchRoom;
    }

    boolean isUnused() {
        return limited.isEmpty() && attached.counts().size() == 0;
    }
}
