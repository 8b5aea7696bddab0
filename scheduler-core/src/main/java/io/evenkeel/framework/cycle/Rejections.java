package io.evenkeel.framework.cycle;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * Collects which nodes are turned away by whom and why, as sets, while one pod's filters run. Each node is turned away
 * once, by the first plugin that objects. What is collected is copied for a {@link Diagnosis}; a pod that finds its node
 * costs no memory here.
 */
public final class Rejections {
    private final List<Collected> pool = new ArrayList<>();
    private final Set<String> overruled = new TreeSet<>();
    private int used;
    private String plugin = "";

    private static final class Collected {
        final NodeSet nodes = new NodeSet();
        String plugin = "";
        Status status = Status.SUCCESS;
        private NodeSetView frozen = NodeSetView.NONE;

        /** Pods that fit nowhere come in rows that the same nodes turn away, and share the set then. */
        Rejection copy() {
            if (!frozen.equals(nodes)) {
                frozen = nodes.frozen();
            }
            return new Rejection(plugin, status, frozen);
        }
    }

    private Rejections() {}

    /** Starts with none; the caller runs the filters. */
    public static Writer create() {
        return new Rejections().new Writer();
    }

    /** Keeps the candidates that pass and turns the others away, all with one status. */
    public void keepOnly(NodeSet candidates, NodeSetView passing, Status status) {
        if (passing.containsAll(candidates)) {
            return;
        }
        Collected collected = next(status);
        collected.nodes.copyFrom(candidates);
        collected.nodes.removeAll(passing);
        candidates.retainAll(passing);
    }

    /** The same, by a mask that most nodes pass. */
    public void keepOnly(NodeSet candidates, DerivedMask passing, Status status) {
        if (!passing.passesAll()) {
            keepOnly(candidates, passing.current(), status);
        }
    }

    /** Turns away the candidates in {@code rejected}, all with one status. */
    public void reject(NodeSet candidates, NodeSetView rejected, Status status) {
        if (!candidates.intersects(rejected)) {
            return;
        }
        Collected collected = next(status);
        collected.nodes.takeCommon(candidates, rejected);
    }

    /** Returns the rejections collected, in the order of the plugins; later ones do not change it. */
    public List<Rejection> copy() {
        List<Rejection> copies = new ArrayList<>(used);
        for (int i = 0; i < used; i++) {
            if (!pool.get(i).nodes.isEmpty()) {
                copies.add(pool.get(i).copy());
            }
        }
        return Collections.unmodifiableList(copies);
    }

    /** The plugins that turned nodes away, where something else is said of the nodes than they did. */
    public Set<String> overruled() {
        return Set.copyOf(overruled);
    }

    /** Says whose filter runs, for which pod; made with the rejections, and not to be had from them. */
    public final class Writer {
        private Writer() {}

        public Rejections rejections() {
            return Rejections.this;
        }

        /** The next pod's filters begin. */
        public void reset() {
            used = 0;
            overruled.clear();
        }

        /** Whether all these nodes were turned away for one and the same reason, as they mostly are. */
        public boolean isOneForAll(NodeSetView nodes) {
            return used == 1 && pool.getFirst().nodes.containsAll(nodes);
        }

        /** Takes the nodes that were turned away out of these. */
        public void takeOut(NodeSet nodes) {
            for (int i = 0; i < used; i++) {
                nodes.removeAll(pool.get(i).nodes);
            }
        }

        /** Adds the nodes that were turned away by plugins and for reasons which are meant. */
        public void addTo(NodeSet nodes, BiPredicate<String, Status> isMeant) {
            for (int i = 0; i < used; i++) {
                Collected collected = pool.get(i);
                if (isMeant.test(collected.plugin, collected.status)) {
                    nodes.addAll(collected.nodes);
                }
            }
        }

        /** Turns one node away for this reason, whatever was said of it before. */
        public void turnAway(int node, String byPlugin, Status status) {
            for (int i = 0; i < used; i++) {
                if (pool.get(i).nodes.contains(node)) {
                    pool.get(i).nodes.remove(node);
                    overruled.add(pool.get(i).plugin);
                }
            }
            same(byPlugin, status).nodes.add(node);
        }

        private Collected same(String byPlugin, Status status) {
            for (int i = 0; i < used; i++) {
                Collected collected = pool.get(i);
                if (collected.plugin.equals(byPlugin) && collected.status.equals(status)) {
                    return collected;
                }
            }
            plugin = byPlugin;
            Collected added = next(status);
            added.nodes.clear();
            return added;
        }

        /** Names the plugin that the following rejections come from. */
        public void from(String nowFiltering) {
            plugin = nowFiltering;
        }
    }

    private Collected next(Status status) {
        if (used == pool.size()) {
            pool.add(new Collected());
        }
        Collected collected = pool.get(used++);
        collected.plugin = plugin;
        collected.status = status;
        return collected;
    }
}
