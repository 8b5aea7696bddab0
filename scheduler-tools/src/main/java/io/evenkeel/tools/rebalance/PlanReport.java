package io.evenkeel.tools.rebalance;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.cluster.SpreadSkews;
import io.evenkeel.cluster.SpreadSkews.Spread;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.ScenarioCluster;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
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
import java.util.function.Supplier;

/**
 * A plan with what it is for.
 *
 * @param effects the reasons of the moves and what they change, worked out where they are told
 */
record PlanReport(String name, MovePlan plan, Supplier<Effects> effects) implements Report {
    private static final int MOST_TOLD = 20;

    /**
     * Why and what for.
     *
     * @param reasons of each move
     * @param gains the constraints whose skew is above what they allow, and the skew when all moves are made
     * @param left the pods whose rules do not hold then
     */
    record Effects(List<String> reasons, List<String[]> gains, List<Violation> left) {
        static Effects of(ClusterSnapshot snapshot, MovePlan plan) {
            Map<String, List<String>> plugins = new HashMap<>();
            Rebalancer.violations(snapshot)
                    .forEach(violation -> plugins.put(violation.pod().key(), violation.plugins()));
            List<String> reasons = plan.moves().stream()
                    .map(move -> reason(plugins.getOrDefault(move.pod().key(), List.of())))
                    .toList();
            List<Spread> before = spreads(snapshot);
            try (Transaction _ = snapshot.begin()) {
                plan.moves().forEach(move -> snapshot.place(move.pod(), move.to()));
                List<Violation> left = Rebalancer.violations(snapshot);
                return new Effects(reasons, gains(before, spreads(snapshot)), left);
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

    static PlanReport of(ScenarioCluster cluster) {
        ClusterSnapshot snapshot = cluster.snapshot();
        MovePlan plan = Rebalancer.plan(snapshot);
        return new PlanReport(cluster.name(), plan, () -> Effects.of(snapshot, plan));
    }

    @Override
    public Tree tree() {
        return new Tree()
                .put("name", name)
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
                .putPresent("unordered", Optional.of(plan.unordered()).filter(last -> last > 0));
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
        if (!told.left().isEmpty()) {
            lines.add("");
            lines.add("Left");
            told.left().stream()
                    .limit(MOST_TOLD)
                    .forEach(left -> lines.addAll(Wrapping.hanging("  " + left(left), layout.columns(), "    ")));
            if (told.left().size() > MOST_TOLD) {
                lines.add("  and " + (told.left().size() - MOST_TOLD) + " more");
            }
        }
        lines.add("");
        return String.join("\n", lines);
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

    private String verdict() {
        int before = plan.violationsBefore();
        int after = plan.violationsAfter();
        if (before == 0) {
            return "Nothing to move: the hard constraints of all pods hold";
        }
        if (plan.moves().isEmpty()) {
            return "Nothing to move: the hard constraints of " + pods(before) + " do not hold, and "
                    + (plan.optimal()
                            ? "no moves mend that"
                            : "no moves were found that mend that; not all were tried" + proved());
        }
        return moves(plan.moves().size()) + ": the hard constraints of " + pods(before) + " do not hold now, and of "
                + (after == 0 ? "none" : String.valueOf(after)) + " then; "
                + (plan.optimal() ? "no fewer moves do that" : "fewer may do, as not all were tried" + proved())
                + (plan.unordered() == 0
                        ? ""
                        : ". Of the last " + moves(plan.unordered())
                                + " no turn was found at which they fit while every PodDisruptionBudget holds");
    }

    /** What is certain all the same. */
    private String proved() {
        Bound least = plan.least();
        if (least.violations() > 0) {
            return ": none leave fewer than " + least.violations();
        }
        return least.moves() > 0 ? ": less than " + moves(least.moves()) + " cannot mend all" : "";
    }

    private static String moves(int count) {
        return count == 1 ? "1 move" : count + " moves";
    }

    private static String pods(int count) {
        return count == 1 ? "1 pod" : count + " pods";
    }
}
