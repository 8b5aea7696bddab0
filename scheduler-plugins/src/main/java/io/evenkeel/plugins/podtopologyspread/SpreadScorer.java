package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.NodeScores;

/**
 * Scores nodes by soft constraints: the fewer matching pods in the node's domains, the better. Feasible nodes that lack
 * one of the labels are not scored and get 0.
 *
 * <p>Most pods have one constraint by zone, one by host name, or both: then {@link ClassScorer} scores all nodes at once that
 * are in the same zone and hold as many peers. {@link NodeScorer} scores any constraints, node by node.
 */
final class SpreadScorer {
    private final NodeSet scored = new NodeSet();
    private final NodeScorer nodeScorer;
    private final ClassScorer classScorer;

    SpreadScorer() {
        SpreadFormula formula = new SpreadFormula();
        nodeScorer = new NodeScorer(formula);
        classScorer = new ClassScorer(formula);
    }

    void score(CompiledConstraints compiled, NodeSet feasible, int end, NodeScores scores) {
        scored.copyFrom(feasible);
        if (compiled.allLabelsNeeded()) {
            for (int i = 0; i < compiled.soft().size(); i++) {
                scored.retainAll(compiled.soft().get(i).labelled().nodes());
            }
        }
        if (scored.isEmpty()) {
            scores.classes().add(feasible, feasible, NodeSetView.NONE, 0);
            return;
        }
        if (!classScorer.score(compiled.soft(), scored, feasible, scores)) {
            int[] result = scores.fill(end);
            nodeScorer.score(compiled.soft(), scored, result, end);
            zeroUnscored(feasible, result);
        }
    }

    private void zeroUnscored(NodeSet feasible, int[] result) {
        if (scored.containsAll(feasible)) {
            return;
        }
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            if (!scored.contains(node)) {
                result[node] = 0;
            }
        }
    }
}
