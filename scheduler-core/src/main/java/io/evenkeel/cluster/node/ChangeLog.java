package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.Work;
import java.util.function.IntConsumer;

/**
 * The ids of changed nodes in the order of change, as a ring.
 *
 * <p>Whatever is derived from nodes remembers the position up to which it has read and looks, when it is asked next,
 * only at the nodes that changed since. A reader that fell behind by more than the ring's length, or by more changes than
 * there are nodes, starts again. The same node twice in a row is logged twice: a reader may have come in between.
 *
 * <pre>{@code
 * position          0  1  2  3       a reader that has read to 1 looks at 7 and 3, and has read to 3 then;
 * changed node      3  7  3          one that has read to 3 looks at nothing
 * }</pre>
 */
public final class ChangeLog {
    private final int[] ring;
    private final Work work;
    private long position;

    /** @param length a power of two */
    public ChangeLog(int length) {
        this(length, new Work());
    }

    /** @param work is told of what readers look at */
    ChangeLog(int length, Work work) {
        ring = new int[length];
        this.work = work;
    }

    public void append(int node) {
        ring[(int) position & (ring.length - 1)] = node;
        position++;
    }

    public long position() {
        return position;
    }

    /**
     * Whether everything since {@code from} is still there, and reading it is cheaper than reading all nodes; one of both is
     * to be read then.
     *
     * @param from a negative number where nothing has been read yet
     */
    public boolean reaches(long from, int nodes) {
        boolean reaches = from >= 0 && position - from <= Math.min(ring.length, nodes);
        work.addOnce(reaches ? position - from : nodes);
        return reaches;
    }

    /** Whether everything since is still there, and no more than so much came. */
    boolean hasFewSince(long from, int most) {
        return position - from <= Math.min(ring.length, most);
    }

    /** How many changes came since; the log must still have all of them. */
    int countSince(long from) {
        return Math.toIntExact(position - from);
    }

    /** The node that changed then. */
    int at(long position) {
        return ring[(int) position & (ring.length - 1)];
    }

    public void forEachSince(long from, IntConsumer visitor) {
        for (long i = from; i < position; i++) {
            visitor.accept(at(i));
        }
    }
}
