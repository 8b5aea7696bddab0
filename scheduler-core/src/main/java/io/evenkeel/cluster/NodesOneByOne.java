package io.evenkeel.cluster;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.node.NodeSetView;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The nodes of a set, for plugins that look at them one by one. Those of the tree take the set. */
public final class NodesOneByOne extends AbstractCollection<NodeInfo> {
    private final ClusterView cluster;
    private final NodeSetView set;

    NodesOneByOne(ClusterView cluster, NodeSetView set) {
        this.cluster = cluster;
        this.set = set;
    }

    /** Returns the set behind what a plugin of the tree is handed. */
    public static NodeSetView setOf(Collection<NodeInfo> nodes) {
        return ((NodesOneByOne) nodes).set;
    }

    @Override
    public int size() {
        return set.size();
    }

    @Override
    public boolean contains(Object node) {
        return node instanceof NodeInfo info && set.contains(LiveNode.idOf(info));
    }

    @Override
    public Iterator<NodeInfo> iterator() {
        return new Iterator<>() {
            private int next = set.first();

            @Override
            public boolean hasNext() {
                return next >= 0;
            }

            @Override
            public NodeInfo next() {
                if (next < 0) {
                    throw new NoSuchElementException();
                }
                NodeInfo node = cluster.nodeInfo(next);
                next = set.next(next + 1);
                return node;
            }
        };
    }
}
