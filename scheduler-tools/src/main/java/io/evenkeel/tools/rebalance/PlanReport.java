package io.evenkeel.tools.rebalance;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.app.companion.RebalanceGoal;
import io.evenkeel.cluster.SpreadSkews;
import io.evenkeel.cluster.SpreadSkews.Spread;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.moves.GoalOptions;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.ScenarioCluster;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.drain.Consolidation;
import io.evenkeel.whatif.goal.Goal;
import io.evenkeel.whatif.goal.GoalPlanner;
import io.evenkeel.whatif.goal.GoalPlanner.Outcome;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import io.evenkeel.whatif.rebalance.Rebalancer;
import io.evenkeel.whatif.rebalance.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A plan with what it is for.
 *
 * @param effects the reasons of the moves and what they change, worked out where they are told
 */
record PlanReport(String name, RebalanceGoal goal, MovePlan plan, Outcome outcome, Supplier<Effects> effects)
        implements Report {
    private static final int MOST_TOLD = 20;

    /**
     * Why and what for.
     *
     * @param reasons of each move
     * @param gains the constraints whose skew is above what they allow, and the skew when all moves are made
     * @param left what is against the goal then, in words
     */
    record Effects(List<String> reasons, List<String[]> gains, List<String> left) {
        static Effects of(ClusterSnapshot snapshot, Goal goal, MovePlan plan, Outcome outcome) {
            return switch (goal) {
                case Goal.Constraints _, Goal.Spread _, Goal.Policies _ ->
                    ofConstraints(GoalPlanner.judged(snapshot, goal), plan);
                case Goal.EmptyNodes(Set<String> nodes) ->
                    new Effects(
                            emptying(plan, outcome),
                            List.of(),
                            nodes.isEmpty() ? List.of() : stay(snapshot, nodes, plan));
                case Goal.Devices _ -> new Effects(emptying(plan, outcome), List.of(), List.of());
                case Goal.Place(List<Pod> pods) ->
                    new Effects(
                            plan.moves().stream()
                                    .map(_ -> "for " + pods.getFirst().key() + (pods.size() > 1 ? ", …" : ""))
                                    .toList(),
                            List.of(),
                            outcome.verdicts().stream()
                                    .filter(Verdict.Refused.class::isInstance)
                                    .map(Verdict.Refused.class::cast)
                                    .map(refused -> refused.pod().key() + ": " + refused.message())
                                    .toList());
            };
        }

        private static Effects ofConstraints(ClusterSnapshot snapshot, MovePlan plan) {
            Map<String, List<String>> plugins = new HashMap<>();
            Rebalancer.violations(snapshot)
                    .forEach(violation -> plugins.put(violation.pod().key(), violation.plugins()));
            List<String> reasons = plan.moves().stream()
                    .map(move -> reason(plugins.getOrDefault(move.pod().key(), List.of())))
                    .toList();
            List<Spread> before = spreads(snapshot);
            try (Transaction _ = snapshot.begin()) {
                make(snapshot, plan);
                List<Violation> left = Rebalancer.violations(snapshot);
                return new Effects(
                        reasons,
                        gains(before, spreads(snapshot)),
                        left.stream().map(PlanReport::left).toList());
            }
        }

        private static void make(ClusterSnapshot snapshot, MovePlan plan) {
            plan.moves()
                    .forEach(move ->
                            snapshot.place(snapshot.pod(move.pod().key()).orElseThrow(), move.to()));
        }

        private static List<String> emptying(MovePlan plan, Outcome outcome) {
            return plan.moves().stream()
                    .map(move -> outcome.freed().contains(move.from()) ? "frees " + move.from() : "for others")
                    .toList();
        }

        private static List<String> stay(ClusterSnapshot snapshot, Set<String> nodes, MovePlan plan) {
            try (Transaction _ = snapshot.begin()) {
                make(snapshot, plan);
                try (Consolidation scan = new Consolidation(snapshot)) {
                    return scan.alone(nodes.stream().sorted().toList()).stay().stream()
                            .map(Consolidation.Stays::why)
                            .toList();
                }
            }
        }

        private static List<Spread> spreads(ClusterSnapshot snapshot) {
            return SpreadSkews.worst(snapshot.view(), Integer.MAX_VALUE).spreads().stream()
                    .filter(Spread::hard)
                    .toList();
        }

        private static List<String[]> gains(List<Spread> before, List<Spread> after) {
            List<String[]> gains = new ArrayList<>();
            for (Spread spread : before) {
                if (spread.excess() > 0) {
                    after.stream()
                            .filter(then -> isSame(then, spread))
                            .findFirst()
                            .ifPresent(then -> gains.add(new String[] {
                                spread.namespace() + " " + spread.selector(),
                                spread.topologyKey(),
                                Integer.toString(spread.maxSkew()),
                                Integer.toString(spread.skew()),
                                Integer.toString(then.skew())
                            }));
                }
            }
            return gains;
        }

        private static boolean isSame(Spread one, Spread other) {
            return one.namespace().equals(other.namespace())
                    && one.topologyKey().equals(other.topologyKey())
                    && one.selector().equals(other.selector())
                    && one.maxSkew() == other.maxSkew();
        }
    }

    private static String reason(List<String> plugins) {
        return plugins.isEmpty() ? "for others" : String.join(", ", plugins);
    }

    static PlanReport of(ScenarioCluster cluster, GoalOptions goals) {
        ClusterSnapshot snapshot = cluster.snapshot();
        Goal goal = goals.goal(snapshot, cluster.objects());
        MovePlan plan = GoalPlanner.plan(snapshot, goal);
        Outcome outcome = GoalPlanner.outcome(snapshot, goal, plan.moves());
        return new PlanReport(
                cluster.name(), goals.named(), plan, outcome, () -> Effects.of(snapshot, goal, plan, outcome));
    }

    @Override
    public Tree tree() {
        return new Tree()
                .put("name", name)
                .putNonEmpty("goal", goal == RebalanceGoal.CONSTRAINTS ? "" : goal.written())
                .put("moves", plan.moves(), Move::tree)
                .put("optimal", plan.optimal())
                .put(
                        "violations",
                        new Tree().put("before", plan.violationsBefore()).put("after", plan.violationsAfter()))
                .putPresent(
                        "atLeast",
                        Optional.of(plan.least())
                                .filter(_ -> !plan.optimal())
                                .map(least -> new Tree()
                                        .put("violations", least.violations())
                                        .put("moves", least.moves())))
                .putPresent("waves", Optional.of(plan.waves()).filter(waves -> waves.size() > 1))
                .putPresent("unordered", Optional.of(plan.unordered()).filter(last -> last > 0))
                .putNonEmpty("freed", outcome.freed())
                .putNonEmpty(
                        "placed",
                        placed(),
                        placed -> new Tree().put("pod", placed.pod().key()).put("node", placed.node()));
    }

    @Override
    public String text(Layout layout) {
        List<String> lines = new ArrayList<>(Wrapping.wrap(verdict(), layout.columns()));
        Effects told = effects.get();
        if (!plan.moves().isEmpty()) {
            List<String[]> rows = new ArrayList<>();
            boolean hasWaves = plan.waves().size() > 1;
            rows.add(row(hasWaves, "Wave", "Pod", "From", "To", "Why"));
            for (int i = 0; i < plan.moves().size(); i++) {
                Move move = plan.moves().get(i);
                rows.add(row(
                        hasWaves,
                        wave(i),
                        move.pod().key(),
                        move.from(),
                        move.to(),
                        told.reasons().get(i)));
            }
            lines.add("");
            lines.addAll(Layout.inColumns(rows));
        }
        if (!told.gains().isEmpty()) {
            List<String[]> rows = new ArrayList<>();
            rows.add(new String[] {"Spread", "Over", "maxSkew", "Skew now", "Then"});
            told.gains().stream().limit(MOST_TOLD).forEach(rows::add);
            lines.add("");
            lines.addAll(Layout.inColumns(rows));
        }
        if (!outcome.freed().isEmpty()) {
            lines.add("");
            lines.addAll(Wrapping.hanging("Free then: " + String.join(", ", outcome.freed()), layout.columns(), "  "));
        }
        if (!placed().isEmpty()) {
            List<String[]> rows = new ArrayList<>();
            rows.add(new String[] {"Placed then", "On"});
            placed().forEach(placed -> rows.add(new String[] {placed.pod().key(), placed.node()}));
            lines.add("");
            lines.addAll(Layout.inColumns(rows));
        }
        if (!told.left().isEmpty()) {
            lines.add("");
            lines.add("Left");
            told.left().stream()
                    .limit(MOST_TOLD)
                    .flatMap(left -> Wrapping.hanging(left, layout.columns() - 2, "  ").stream())
                    .forEach(line -> lines.add("  " + line));
            if (told.left().size() > MOST_TOLD) {
                lines.add("  and " + (told.left().size() - MOST_TOLD) + " more");
            }
        }
        lines.add("");
        return Layout.text(lines);
    }

    private static String[] row(boolean hasWaves, String... cells) {
        return hasWaves ? cells : Arrays.copyOfRange(cells, 1, cells.length);
    }

    private String wave(int move) {
        int end = 0;
        for (int wave = 0; wave < plan.waves().size(); wave++) {
            end += plan.waves().get(wave);
            if (move < end) {
                return Integer.toString(wave + 1);
            }
        }
        return "–";
    }

    private static String left(Violation left) {
        return left.pod().key() + " on " + left.node() + ": " + String.join(", ", left.plugins())
                + left.keptBy().map(why -> "; it stays, as " + why).orElse("");
    }

    private List<Verdict.Placed> placed() {
        return outcome.verdicts().stream()
                .filter(Verdict.Placed.class::isInstance)
                .map(Verdict.Placed.class::cast)
                .toList();
    }

    private String verdict() {
        int before = plan.violationsBefore();
        int after = plan.violationsAfter();
        if (before == 0) {
            return "Nothing to move: " + reached();
        }
        if (plan.moves().isEmpty()) {
            return "Nothing to move: " + against(before, "") + ", and "
                    + (plan.optimal()
                            ? "no moves mend that"
                            : "no moves were found that mend that; not all were tried" + proved());
        }
        return counted(plan.moves().size(), "move") + ": " + against(before, " now") + ", and "
                + (isOfConstraints() ? "of " : "") + (after == 0 ? "none" : String.valueOf(after)) + " then; "
                + (plan.optimal() ? "no fewer moves do that" : "fewer may do, as not all were tried" + proved())
                + (plan.unordered() == 0
                        ? ""
                        : ". Of the last " + counted(plan.unordered(), "move")
                                + " no turn was found at which they fit while every PodDisruptionBudget holds");
    }

    /** What is certain all the same. */
    private String proved() {
        Bound least = plan.least();
        if (least.violations() > 0) {
            return ": none leave fewer than " + least.violations();
        }
        return least.moves() > 0 ? ": less than " + counted(least.moves(), "move") + " cannot mend all" : "";
    }

    private boolean isOfConstraints() {
        return goal == RebalanceGoal.CONSTRAINTS || goal == RebalanceGoal.SPREAD;
    }

    private String reached() {
        return switch (goal) {
            case CONSTRAINTS -> "the hard constraints of all pods hold";
            case SPREAD -> "the constraints of all pods hold, soft spread among them";
            case POLICIES -> "no pod is against a policy";
            case EMPTY_NODES -> "no node has pods that could go";
            case PLACE -> "there is room as it is";
            case DEVICES -> "no node has devices in use";
        };
    }

    /** @param when as " now", where it is told apart from later */
    private String against(int count, String when) {
        return switch (goal) {
            case CONSTRAINTS -> "the hard constraints of " + counted(count, "pod") + " do not hold" + when;
            case SPREAD ->
                "the constraints of " + counted(count, "pod") + ", soft spread among them, do not hold" + when;
            case POLICIES -> counted(count, "pod") + (count == 1 ? " is" : " are") + " against a policy" + when;
            case EMPTY_NODES -> counted(count, "node") + (count == 1 ? " has" : " have") + " pods" + when;
            case PLACE -> counted(count, "pod") + (count == 1 ? " waits" : " wait") + when;
            case DEVICES -> counted(count, "node") + (count == 1 ? " has" : " have") + " devices in use" + when;
        };
    }

    private static String counted(int count, String what) {
        return count == 1 ? "1 " + what : count + " " + what + "s";
    }
}
