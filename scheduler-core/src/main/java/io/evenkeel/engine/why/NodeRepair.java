package io.evenkeel.engine.why;

import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.Change;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds changes that take everything out of a pod's way on one node: those that the first plugin in the way names, then on
 * the node as it is after them those of the next, and so on.
 *
 * <pre>
 * n1: tainted, full    toleration ──▶ n1: full   1 more cpu ──▶ fits
 *                                                pod p gone ──▶ fits
 *                      taint gone ──▶ n1: full   1 more cpu ──▶ fits   …
 * </pre>
 */
final class NodeRepair {
    private static final int MOST_PLUGINS = 4;

    private final Function<List<Change>, Hypothesis> suppose;
    private final Ways ways;
    private final Set<List<Change>> found = new LinkedHashSet<>();
    private int left;

    /** @param mostTried how many hypotheses may be looked at, for all nodes together */
    NodeRepair(Function<List<Change>, Hypothesis> suppose, Ways ways, int mostTried) {
        this.suppose = suppose;
        this.ways = ways;
        this.left = mostTried;
    }

    /** Looks for changes that, together with these, let the pod onto this node, or anywhere. */
    void repair(String node, List<Change> made) {
        repair(node, made, 0);
    }

    /** Returns the changes found for all nodes so far. */
    Set<List<Change>> found() {
        return found;
    }

    private void repair(String node, List<Change> made, int plugin) {
        if (left-- <= 0) {
            return;
        }
        List<List<Change>> next;
        try (Hypothesis hypothesis = suppose.apply(made)) {
            if (!made.isEmpty() && hypothesis.fits()) {
                found.add(made);
                return;
            }
            if (plugin == MOST_PLUGINS || made.size() > Smallest.MOST_CHANGES) {
                return;
            }
            next = next(hypothesis, node);
        }
        for (List<Change> way : next) {
            List<Change> more = new ArrayList<>(made);
            more.addAll(way);
            repair(node, List.copyOf(more), plugin + 1);
        }
    }

    private List<List<Change>> next(Hypothesis hypothesis, String node) {
        List<Objection> objections =
                hypothesis.objections().apply(hypothesis.nodeInfo(node).id());
        return objections.isEmpty()
                ? List.of()
                : ways.past(objections.getFirst(), hypothesis.pod(), hypothesis.nodeInfo(node));
    }
}
