package io.evenkeel.tools.drain;

import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.whatif.drain.DrainPlan;
import io.evenkeel.whatif.drain.DrainPlan.Impossible;
import io.evenkeel.whatif.drain.DrainPlan.NotFound;
import io.evenkeel.whatif.drain.DrainPlan.Planned;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan of drains.
 *
 * @param name of the cluster
 */
record DrainReport(String name, DrainPlan plan) implements Report {
    @Override
    public Tree tree() {
        Tree tree = new Tree().put("name", name);
        return switch (plan) {
            case Planned(List<Step> steps) -> tree.put("steps", steps, DrainReport::tree);
            case Impossible(String why) -> tree.put("impossible", why);
            case NotFound(String why) -> tree.put("notFound", why);
        };
    }

    private static Tree tree(Step step) {
        return withMoves(new Tree().put("drain", step.node()).putNonEmpty("back", step.back()), step);
    }

    /** What becomes of the pods of a node that is emptied. */
    static Tree withMoves(Tree tree, Step step) {
        tree.put("moves", step.moves(), Move::tree);
        if (step.waves().size() > 1) {
            tree.put("waves", step.waves(), List::size);
        }
        return tree.putNonEmpty("held", step.held().stream().sorted().toList())
                .putNonEmpty("gone", step.gone(), Pod::key);
    }

    @Override
    public String text(Layout layout) {
        return switch (plan) {
            case Planned(List<Step> steps) -> text(steps);
            case Impossible(String why) -> Layout.text(List.of("Impossible: " + why));
            case NotFound(String why) -> Layout.text(List.of("Not found: " + why));
        };
    }

    private static String text(List<Step> steps) {
        long moves = steps.stream().mapToLong(step -> step.moves().size()).sum();
        List<String> lines = new ArrayList<>();
        lines.add(counted(steps.size(), "node") + " can be drained, with " + counted(moves, "move"));
        int number = 0;
        for (Step step : steps) {
            lines.add("");
            lines.add(++number + ". " + step.node()
                    + (step.back().isEmpty()
                            ? ""
                            : ", once " + String.join(", ", step.back())
                                    + (step.back().size() == 1 ? " is back" : " are back"))
                    + inWaves(step));
            lines.addAll(lines(step));
        }
        return Layout.text(lines);
    }

    static String inWaves(Step step) {
        return step.waves().size() > 1 ? ", in " + step.waves().size() + " waves" : "";
    }

    /** What becomes of each pod. */
    static List<String> lines(Step step) {
        List<String> lines = new ArrayList<>();
        if (!step.moves().isEmpty()) {
            lines.addAll(Layout.inColumns(step.moves().stream()
                    .map(move -> new String[] {
                        "   " + move.pod().key(),
                        "→ " + move.to(),
                        step.held().contains(move.pod().key())
                                ? "hold the place: the scheduler would choose another"
                                : ""
                    })
                    .toList()));
        }
        step.gone().forEach(pod -> lines.add("   " + pod.key() + " is gone for good"));
        return lines;
    }

    static String counted(long count, String what) {
        return counted(count, what, what + "s");
    }

    static String counted(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
