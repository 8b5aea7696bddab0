package io.evenkeel.whatif.goal;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.goal.MoveSets.Found;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MoveOrder.Waves;
import io.evenkeel.whatif.rebalance.MovePlan;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import io.evenkeel.whatif.rebalance.Rebalancer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Plans moves that reach a goal: those that leave the least against it, and of these the fewest. A pod that moves must fit where it
 * goes by all filters, as the cluster is in the end, and no hard rule is broken that holds now. A fast way is gone first. Where a
 * bound does not prove that nothing is better, all sets of moves are tried, as far as a budget of steps reaches, and the plan says
 * whether it did. Each plan is replayed before it is told.
 */
public final class GoalPlanner {
    private final MoveTrial trial;
    private final Aim aim;

    private GoalPlanner(MoveTrial trial, Aim aim) {
        this.trial = trial;
        this.aim = aim;
    }

    /** The plan for the cluster as it is here now, which stays as it is. What its violations are, the goal says. */
    public static MovePlan plan(ClusterSnapshot snapshot, Goal goal) {
        return switch (goal) {
            case Goal.Constraints _ -> Rebalancer.plan(snapshot);
            case Goal.Spread _ -> spread(snapshot);
            case Goal.Policies _ -> plan(snapshot, KeptPolicies::new);
            case Goal.EmptyNodes(var nodes) -> plan(snapshot, trial -> FreeNodes.empty(trial, nodes));
            case Goal.Place(List<Pod> pods) -> plan(snapshot, trial -> new RoomForPods(trial, pods));
            case Goal.Devices _ -> plan(snapshot, FreeNodes::ofDevices);
        };
    }

    /** The cluster in which all that the goal asks of constraints is a hard constraint. */
    public static ClusterSnapshot judged(ClusterSnapshot snapshot, Goal goal) {
        return goal instanceof Goal.Spread ? SoftSpread.hardened(snapshot) : snapshot;
    }

    /** Whether some profile has the plugin of policies, without which no pod is against one. */
    public static boolean knowPolicies(SchedulerConfiguration configuration) {
        return MoveTrial.havePolicies(configuration);
    }

    /**
     * What comes of moves.
     *
     * @param freed the nodes that have no pods then, or no devices in use, and have some now; of goals about nodes
     * @param verdicts on the pods that wait; of the goal that they are placed
     */
    public record Outcome(List<String> freed, List<Verdict> verdicts) {}

    /** What comes of these moves, besides what is against the goal then. The cluster stays as it is. */
    public static Outcome outcome(ClusterSnapshot snapshot, Goal goal, List<Move> moves) {
        try (MoveTrial trial = new MoveTrial(snapshot)) {
            return switch (goal) {
                case Goal.EmptyNodes(var nodes) -> freed(trial, FreeNodes.empty(trial, nodes), moves);
                case Goal.Devices _ -> freed(trial, FreeNodes.ofDevices(trial), moves);
                case Goal.Place(List<Pod> pods) ->
                    new Outcome(List.of(), trial.after(moves, () -> RoomForPods.verdicts(snapshot, pods)));
                case Goal.Constraints _, Goal.Spread _, Goal.Policies _ -> new Outcome(List.of(), List.of());
            };
        }
    }

    private static Outcome freed(MoveTrial trial, FreeNodes aim, List<Move> moves) {
        List<String> freed = new ArrayList<>(aim.occupied());
        freed.removeAll(trial.after(moves, aim::occupied));
        return new Outcome(List.copyOf(freed), List.of());
    }

    private static MovePlan spread(ClusterSnapshot snapshot) {
        ClusterSnapshot hardened = SoftSpread.hardened(snapshot);
        // a node without a soft constraint's key is not counted by the hard ones there
        try (MoveTrial asItIs = new MoveTrial(snapshot);
                MoveTrial trial = new MoveTrial(hardened, Optional.of(asItIs))) {
            MovePlan plan = new GoalPlanner(trial, new SoftSpread(hardened)).plan();
            return new MovePlan(
                    MoveTrial.in(snapshot, plan.moves()),
                    plan.waves(),
                    plan.optimal(),
                    plan.least(),
                    plan.violationsBefore(),
                    plan.violationsAfter());
        }
    }

    private static MovePlan plan(ClusterSnapshot snapshot, Function<MoveTrial, Aim> aim) {
        try (MoveTrial trial = new MoveTrial(snapshot)) {
            return new GoalPlanner(trial, aim.apply(trial)).plan();
        }
    }

    private MovePlan plan() {
        int before = aim.against();
        Replayed best = replayed(aim.suggestion());
        Bound least = aim.least();
        best = best.against() < before ? best : new Replayed(new Waves(List.of(), List.of()), before);
        boolean isProved = best.bound().equals(least);
        if (!isProved) {
            Found found = MoveSets.better(trial, aim, best.order().moves(), best.against());
            isProved = found.isWhole();
            best = found.moves().equals(best.order().moves()) ? best : replayed(found.moves());
        }
        return new MovePlan(
                best.order().moves(),
                best.order().waves(),
                isProved,
                isProved ? best.bound() : least,
                before,
                best.against());
    }

    /**
     * Moves that were made in thought.
     *
     * @param against how much is against the goal then; more than anything where they may not be made
     */
    private record Replayed(Waves order, int against) {
        Bound bound() {
            return new Bound(against, order.moves().size());
        }
    }

    private Replayed replayed(List<Move> moves) {
        return new Replayed(
                trial.inOrder(moves),
                trial.after(moves, () -> trial.areLegal(moves) ? aim.against() : Integer.MAX_VALUE));
    }
}
