package io.evenkeel.engine.why;

import io.evenkeel.framework.run.Objection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * The worth of a pod's node to it, as things are now: if it were decided once more, with everybody else in place.
 *
 * @param there the node with its scores; empty where something is in the way
 * @param inTheWay what would keep the pod from its node today
 * @param best the best of the other nodes, best first
 * @param feasible how many nodes would do
 * @param rules that it is placed by, with what they count but for itself
 */
public record Placement(
        String node,
        Optional<Scored> there,
        List<Objection> inTheWay,
        List<Scored> best,
        int feasible,
        List<Answer.Rule> rules) {

    /** How many nodes more would do that are not among the best. */
    public int untold() {
        return feasible - best.size() - (there.isPresent() ? 1 : 0);
    }

    /**
     * A node with its scores.
     *
     * @param scores by plugin, weighted; plugins that said nothing are left out
     */
    public record Scored(String node, long total, NavigableMap<String, Long> scores) {}
}
