package io.evenkeel.engine.decision;

import io.evenkeel.api.Status;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.framework.run.FilterRunner;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Brings the advice of extenders, which speak of nodes by name and of the cluster as it was when they were asked, together
 * with the nodes that fit by now. For example, where n2 has filled up meanwhile and n4 is new:
 *
 * <pre>
 *   fit when asked   n1 n2 n3      left by the extenders    n2 n3
 *   fit by now       n1 n3 n4      to choose from           n3
 * </pre>
 */
final class Advised {
    private static final Objection WITHOUT_REASON = new Objection(VictimAdvice.EXTENDER, Status.unresolvable());

    private final NodeTable nodes;
    private final NodeSet left = new NodeSet();

    Advised(NodeTable nodes) {
        this.nodes = nodes;
    }

    List<Node> nodes(NodeSet set) {
        List<Node> whole = new ArrayList<>(set.size());
        for (int node = set.first(); node >= 0; node = set.next(node + 1)) {
            whole.add(nodes.node(node));
        }
        return whole;
    }

    /** Returns the nodes that fit by now and are left by the extenders; valid until the next pod. */
    NodeSet left(NodeSet fitting, ExtenderAdvice advice) {
        left.clear();
        for (String name : advice.left()) {
            int node = nodes.find(name);
            if (node >= 0 && fitting.contains(node)) {
                left.add(node);
            }
        }
        return left;
    }

    /** Whether some fit by now about which the extenders were not asked. */
    boolean hasUnasked(NodeSet fitting, Set<String> asked) {
        for (int node = fitting.first(); node >= 0; node = fitting.next(node + 1)) {
            if (!asked.contains(nodes.name(node))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Turns the nodes away that the extenders turned away, where none is left: with the extenders' reasons, whatever was
     * said of a node before, and without where they named none.
     */
    void turnAway(FilterRunner filtered, NodeSet fitting, ExtenderAdvice advice) {
        advice.turnedAway().forEach((name, why) -> {
            int node = nodes.findPresent(name);
            if (node >= 0) {
                filtered.turnAway(node, new Objection(VictimAdvice.EXTENDER, why));
            }
        });
        for (int node = fitting.first(); node >= 0; node = fitting.next(node + 1)) {
            filtered.turnAway(node, WITHOUT_REASON);
        }
    }

    void addScores(long[] totals, ExtenderAdvice advice) {
        advice.scores().forEach((name, score) -> {
            int node = nodes.find(name);
            if (node >= 0 && left.contains(node)) {
                totals[node] += score;
            }
        });
    }
}
