package io.evenkeel.framework;

import io.evenkeel.cluster.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Which nodes were turned away by whom, as sets; statuses are made when somebody reads them. Each node is turned away
 * once, by the first plugin that objects. Valid until the cluster changes.
 */
public final class Rejections {

    /** Nodes that one plugin turned away. */
    public static final class Rejection {
        private final NodeSet nodes = new NodeSet();
        private Plugin plugin = NOBODY;
        private IntFunction<Status> statusOf = node -> Status.SUCCESS;

        public Plugin plugin() {
            return plugin;
        }

        public NodeSet nodes() {
            return nodes;
        }

        public Status statusOf(int node) {
            return statusOf.apply(node);
        }
    }

    private static final Plugin NOBODY = () -> "";

    private final List<Rejection> pool = new ArrayList<>();
    private int used;
    private Plugin plugin = NOBODY;

    void reset() {
        used = 0;
    }

    /** Names the plugin that the following rejections come from. */
    void from(Plugin nowFiltering) {
        plugin = nowFiltering;
    }

    /** Keeps the candidates that pass and turns the others away, all with one status. */
    public void keepOnly(NodeSet candidates, NodeSet passing, Status status) {
        keepOnly(candidates, passing, node -> status);
    }

    /**
     * Keeps the candidates that pass and turns the others away.
     *
     * @param statusOf asked later, if at all, with the cluster as it is now
     */
    public void keepOnly(NodeSet candidates, NodeSet passing, IntFunction<Status> statusOf) {
        if (passing.containsAll(candidates)) {
            return;
        }
        Rejection rejection = next(statusOf);
        rejection.nodes.copyFrom(candidates);
        rejection.nodes.removeAll(passing);
        candidates.retainAll(passing);
    }

    /** Turns away the candidates in {@code rejected}, all with one status. */
    public void reject(NodeSet candidates, NodeSet rejected, Status status) {
        if (!candidates.intersects(rejected)) {
            return;
        }
        Rejection rejection = next(node -> status);
        rejection.nodes.copyFrom(candidates);
        rejection.nodes.retainAll(rejected);
        candidates.removeAll(rejected);
    }

    public List<Rejection> all() {
        return pool.subList(0, used);
    }

    private Rejection next(IntFunction<Status> statusOf) {
        if (used == pool.size()) {
            pool.add(new Rejection());
        }
        Rejection rejection = pool.get(used++);
        rejection.plugin = plugin;
        rejection.statusOf = statusOf;
        return rejection;
    }
}
