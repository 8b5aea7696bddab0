package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeRanking.ScoreBounds;
import io.evenkeel.model.Node;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The masks, columns and groups that readers derive from nodes, and the logs of changed nodes by which these catch up: one of
 * nodes whose record changed, one of those whose pods changed too. A change costs an entry in a log, however much
 * is derived.
 */
public final class Derivations {
    private static final int NODES_AT_ONCE = 64;

    private final NodeTable nodes;
    private final PodTable pods;
    private final ChangeLog nodeChanges;
    private final ChangeLog usageChanges;
    private final Scratch scratch = new Scratch();
    private final Set<Derived> ofEveryPod = new LinkedHashSet<>();
    private final Set<Derived> all = new LinkedHashSet<>();
    private @Nullable LeastFree leastFree;

    private Derivations(NodeTable nodes, PodTable pods, int loggedChanges, Work work) {
        this.nodes = nodes;
        this.pods = pods;
        nodeChanges = new ChangeLog(loggedChanges, work);
        usageChanges = new ChangeLog(loggedChanges, work);
    }

    /**
     * Derives what is asked for from these tables.
     *
     * @param loggedChanges how many changes are kept; a power of two
     */
    public static Writer create(NodeTable nodes, PodTable pods, int loggedChanges, Work work) {
        return new Derivations(nodes, pods, loggedChanges, work).new Writer();
    }

    /** A mask over nodes by what is written in the Node object. */
    public DerivedMask maskOverNodes(IntPredicate test) {
        return keep(new DerivedMask(nodes, nodeChanges, test));
    }

    /** A column by what is written in the Node object. */
    public DerivedColumn columnOverNodes(IntUnaryOperator evaluate) {
        return keep(new DerivedColumn(nodes, nodeChanges, evaluate, Optional.empty()));
    }

    /** A mask that also depends on what the node's pods use. */
    public DerivedMask maskOverUsage(IntPredicate test) {
        return keep(new DerivedMask(nodes, usageChanges, test));
    }

    /** A column that also depends on what the node's pods use. */
    public DerivedColumn columnOverUsage(IntUnaryOperator evaluate) {
        return keep(new DerivedColumn(nodes, usageChanges, evaluate, Optional.empty()));
    }

    /**
     * The same, where it is known between which numbers a node is for others' columns, too.
     *
     * @param bounds by how many leading bits the amounts have in common that pods ask for
     */
    public DerivedColumn columnOverUsage(IntUnaryOperator evaluate, Optional<IntFunction<ScoreBounds>> bounds) {
        return keep(new DerivedColumn(nodes, usageChanges, evaluate, bounds));
    }

    /** Groups of nodes by a number that also depends on what the node's pods use. */
    public DerivedGroups groupsOverUsage(IntUnaryOperator numberOf) {
        return groupsOverUsage(numberOf, _ -> DerivedGroups.NONE);
    }

    /**
     * The same, where one look may tell the number of 64 nodes.
     *
     * @param numberOfAll by block of 64 nodes, {@link DerivedGroups#NONE} where each has to be looked at
     */
    public DerivedGroups groupsOverUsage(IntUnaryOperator numberOf, IntUnaryOperator numberOfAll) {
        return keep(new DerivedGroups(nodes, usageChanges, numberOf, numberOfAll));
    }

    /** What is free at least on all nodes of a block, up to date. */
    public LeastFree leastFree() {
        if (leastFree == null) {
            leastFree = keep(new LeastFree(nodes, usageChanges));
        }
        return leastFree.current();
    }

    /** Grows with each change of a node or of what its pods use. */
    public long usageChanges() {
        return usageChanges.position();
    }

    /**
     * The same, brought up to date while nodes come, {@link #NODES_AT_ONCE} at a time, as every pod asks for it: else the first would
     * wait until all of a hundred thousand were looked at.
     */
    public <D extends Derived> D keptUp(D derived) {
        ofEveryPod.add(derived);
        return derived;
    }

    /** A ranking by scores that may also depend on what the node's pods use. */
    public NodeRanking ranking(List<NodeRanking.Part> parts) {
        return keep(new NodeRanking(nodes, usageChanges, parts, scratch));
    }

    /** Keeps it up to date no longer. */
    public void drop(Derived derived) {
        all.remove(derived);
        ofEveryPod.remove(derived);
        if (derived instanceof DerivedColumn column) {
            column.drop();
        }
    }

    int count() {
        return all.size();
    }

    private <D extends Derived> D keep(D kept) {
        all.add(kept);
        return kept;
    }

    /** Logs the changes; made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public Derivations derivations() {
            return Derivations.this;
        }

        @Override
        public void podPlaced(int row) {
            usageChanges.append(pods.node(row));
        }

        @Override
        public void podRemoved(int row) {
            usageChanges.append(pods.node(row));
        }

        @Override
        public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
            nodeChanges.append(node);
            usageChanges.append(node);
            if (nodeChanges.position() % NODES_AT_ONCE == 0) {
                ofEveryPod.forEach(Derived::current);
            }
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            for (Derived derived : List.copyOf(all)) {
                String difference = derived.differenceFromRecount();
                differences.require(difference.isEmpty(), () -> difference);
            }
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            // to be described it is brought up to date, by which others may come to be kept
            List.copyOf(all).forEach(derived -> line.accept(derived.description(facts::nameOf)));
        }
    }

    /** Something that is derived from nodes and kept up to date with them. */
    public sealed interface Derived permits DerivedMask, DerivedColumn, DerivedGroups, LeastFree, NodeRanking {
        /** Brings the kept structure up to date; to be read until the cluster changes. */
        Object current();

        /** Empty where what is kept equals what working it out again gives. */
        String differenceFromRecount();

        /** All that is kept, as text. */
        String description(IntFunction<String> nameOf);
    }

    /** Numbers that one may write down while it works something out, and the next writes over. */
    static final class Scratch {
        private int[] ints = {};

        int[] ofAtLeast(int length) {
            if (ints.length < length) {
                ints = new int[Math.max(length, 2 * ints.length)];
            }
            return ints;
        }
    }
}
