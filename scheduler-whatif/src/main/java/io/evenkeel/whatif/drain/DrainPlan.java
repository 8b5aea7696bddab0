package io.evenkeel.whatif.drain;

import io.evenkeel.model.Pod;
import io.evenkeel.whatif.rebalance.Move;
import java.util.List;
import java.util.Set;

/** An answer to how nodes can be drained. */
public sealed interface DrainPlan {

    /** An order that keeps every PodDisruptionBudget, and after each step every hard constraint. */
    record Planned(List<Step> steps) implements DrainPlan {
        public Planned {
            steps = List.copyOf(steps);
        }
    }

    /**
     * There is no such order.
     *
     * @param why the first contradiction, in words
     */
    record Impossible(String why) implements DrainPlan {}

    /**
     * None was found, and the search was not over.
     *
     * @param why what stood in the way of the order that came farthest
     */
    record NotFound(String why) implements DrainPlan {}

    /**
     * A node that is cordoned and emptied.
     *
     * @param back nodes drained before that come back first, empty and as they were
     * @param waves of pods: those of one are evicted at once, and the next wave waits until their successors are ready
     * @param held keys of the pods whose successors the scheduler would not put there by itself
     * @param gone pods that nothing makes again
     */
    record Step(String node, List<String> back, List<List<Move>> waves, Set<String> held, List<Pod> gone) {
        public Step {
            back = List.copyOf(back);
            waves = waves.stream().map(List::copyOf).toList();
            held = Set.copyOf(held);
            gone = List.copyOf(gone);
        }

        public List<Move> moves() {
            return waves.stream().flatMap(List::stream).toList();
        }
    }
}
