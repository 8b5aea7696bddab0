package io.evenkeel.cluster.index;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Something that is kept up to date with every change of the cluster, so that no pod has to count it: who claims which
 * port, who holds which volume. A plugin registers its own by {@link io.evenkeel.cluster.ClusterView#index}.
 *
 * <p>Hypothetical changes are told like all others, and so is their taking back. So whatever an index keeps must follow
 * from what is there now, not from how it came about; then {@link io.evenkeel.cluster.WhatIf} leaves no trace in it, and
 * {@link #audit} can
 * count it again. What depends on the past nevertheless is restored by {@link #whatIfBegins}. An exception from here ends
 * the process, as the state is not to be trusted afterwards.
 */
public interface ClusterIndex {

    /** Names the class that counts, for whoever reads that it has failed. */
    default String name() {
        return getClass().getName();
    }

    /** A pod counts on its node from now on. Its row in the {@link io.evenkeel.cluster.node.PodTable} says which pod and node. */
    default void podPlaced(int row) {}

    /** A pod counts on its node no longer; its row can be read until this returns. Indexes are told in reverse order. */
    default void podRemoved(int row) {}

    /**
     * A pod in place was heard of again, under its row: nothing by which it counts has changed, but perhaps its status, or it is
     * another pod of the same name and shape.
     */
    default void podReplaced(int row, Pod before) {}

    /**
     * Something of a node has changed that scheduling reads. The {@link io.evenkeel.cluster.node.NodeTable} has it already.
     *
     * @param before empty where the node is new
     * @param after empty where it is gone; pods that are still on it stay, and may see it come back
     */
    default void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {}

    /** The node was heard of again, as with each heartbeat, and nothing has changed that scheduling reads. */
    default void nodeUnchanged(int node) {}

    /** News of an object came that is neither node nor pod; at least one of both is there. */
    default void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {}

    /**
     * All objects of the kind are going to be told, beginning with none of them. What is returned runs once they have been, and is
     * told which are not there, by name and UID.
     */
    default Consumer<Predicate<ObjectMeta>> listBegins(String kind) {
        return _ -> {};
    }

    /**
     * Hypothetical changes follow. What is returned runs once they have all been taken back; what-ifs nest, and the
     * innermost ends first.
     */
    default Runnable whatIfBegins() {
        return () -> {};
    }

    /** Tells where what is kept differs from a naive count over the facts. */
    void audit(AuditFacts facts, Differences differences);

    /** All that is kept as text, a line each, in any order: two states are alike where their lines are. */
    default void describe(AuditFacts facts, Consumer<String> line) {}

    /**
     * An index has thrown. Some of the indexes have been told of a change by then and others have not, so that what is kept is
     * not to be trusted any more: it is no plugin's fault at one pod, which would be dealt with, but ends the process.
     */
    final class BrokenIndex extends Error {
        private static final long serialVersionUID = 1L;

        public BrokenIndex(ClusterIndex index, Throwable thrown) {
            super("the index " + index.name() + " has failed: " + thrown, thrown);
        }
    }

    /**
     * The facts that an audit recounts from: the records of nodes and pods as the API gave them, and nothing that was counted.
     *
     * @param nodes the nodes that are present by id
     * @param pods the pods in place, each with its node
     * @param names the names of the nodes' rows, empty for a row that is free
     */
    record AuditFacts(Map<Integer, Node> nodes, List<PlacedPod> pods, IntFunction<String> names) {

        /** A pod and the id of the node that it says it is on, or was assumed on. */
        public record PlacedPod(Pod pod, int node) {}

        /** The number of pods that pass, by node. */
        public Map<Integer, Integer> podsByNode(Predicate<Pod> test) {
            Map<Integer, Integer> counts = new LinkedHashMap<>();
            for (PlacedPod placed : pods) {
                if (test.test(placed.pod())) {
                    counts.merge(placed.node(), 1, Integer::sum);
                }
            }
            return counts;
        }

        /** Names the row, which may be one that is free. */
        public String nameOf(int node) {
            String name = node < 0 ? "" : names.apply(node);
            return name.isEmpty() ? "(free row " + node + ")" : name;
        }
    }

    /** Collects what an audit finds, one line for each difference, with both sides. */
    final class Differences {
        private final List<String> lines = new ArrayList<>();

        /** Whole numbers are equal by value, whatever their type. */
        public void compare(Supplier<String> what, Object kept, Object recounted) {
            boolean same = (kept instanceof Number a && recounted instanceof Number b)
                    ? a.longValue() == b.longValue()
                    : kept.equals(recounted);
            if (!same) {
                lines.add(what.get() + ": kept " + kept + ", recounted " + recounted);
            }
        }

        public void require(boolean holds, Supplier<String> complaint) {
            if (!holds) {
                lines.add(complaint.get());
            }
        }

        public List<String> lines() {
            return List.copyOf(lines);
        }
    }
}
