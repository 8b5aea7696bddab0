package io.evenkeel.engine.decision;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import java.util.random.RandomGenerator;

/** Picks one of the nodes that suit a pod best. */
public interface NodeChoice {

    /** Chooses one of these; there is at least one. */
    int choose(NodeSet best, NodeTable nodes);

    /**
     * Among the best nodes, any with equal chance: placing pods that all score alike always on the first would pile load on
     * it. A pod costs one random number even where all nodes are equal.
     */
    final class AtRandom implements NodeChoice {
        private final RandomGenerator random;

        public AtRandom(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public int choose(NodeSet best, NodeTable nodes) {
            int ties = best.size();
            return best.nth(ties == 1 ? 0 : random.nextInt(ties));
        }
    }

    /** Chooses the first by name among the best nodes: for answers that can be repeated. */
    final class FirstByName implements NodeChoice {
        @Override
        public int choose(NodeSet best, NodeTable nodes) {
            int first = best.first();
            for (int node = best.next(first + 1); node >= 0; node = best.next(node + 1)) {
                if (nodes.name(node).compareTo(nodes.name(first)) < 0) {
                    first = node;
                }
            }
            return first;
        }
    }
}
