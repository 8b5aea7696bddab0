package io.evenkeel.tools.replay;

import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.Step.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a scenario.
 *
 * @param groups the answers for groups by their names; none where the pods were placed one by one
 */
record ScenarioAnswer(String scenario, List<Step> steps, Map<String, GroupAnswer> groups) implements Report {
    @Override
    public String text(int columns) {
        return new TextAnswer(columns).of(this);
    }

    @Override
    public Tree tree() {
        Tree tree = new Tree().put("name", scenario).put("steps", steps, ScenarioAnswer::step);
        if (groups.size() == 1) { // needs no name
            tree.put("group", group(groups.values().iterator().next()));
        } else if (!groups.isEmpty()) {
            tree.put("groups", groups, ScenarioAnswer::group);
        }
        return tree;
    }

    private static Tree group(GroupAnswer group) {
        Tree nodes = new Tree();
        group.order().forEach(seat -> nodes.put(seat.pod().key(), seat.node()));
        return new Tree()
                .put("outcome", group.outcome().written())
                .put("order", group.order(), seat -> seat.pod().key())
                .put("nodes", nodes)
                .putPresent("certificate", group.certificate())
                .put("steps", group.steps());
    }

    private static Tree step(Step step) {
        Tree tree = new Tree()
                .put("pod", step.pod())
                .putPresent("preFilter", step.preFilter().map(ScenarioAnswer::verdict));
        if (!step.filtered().isEmpty()) {
            tree.put("filtered", step.filtered(), ScenarioAnswer::verdict);
        }
        return switch (step.outcome()) {
            case Step.Outcome.Placed(String node) -> {
                Tree totals = new Tree();
                step.scores().keySet().forEach(scored -> totals.put(scored, step.totalOf(scored)));
                yield tree.put("scores", step.scores()).put("totals", totals).put("node", node);
            }
            case Step.Outcome.Waits(String message, Optional<Step.Preemption> preemption) ->
                tree.put("message", message).putPresent("preemption", preemption.map(ScenarioAnswer::preemption));
            case Step.Outcome.Held(String plugin, String why) -> tree.put("preEnqueue", plugin + ": " + why);
            case Step.Outcome.Failed(String message) -> tree.put("message", message);
        };
    }

    private static Tree preemption(Step.Preemption preemption) {
        return new Tree()
                .put("nominatedNode", preemption.nominatedNode().orElse(""))
                .put("victims", preemption.victims(), Pod::name)
                .put("message", preemption.message());
    }

    private static Tree verdict(Verdict verdict) {
        return new Tree()
                .put("plugin", verdict.plugin())
                .put("code", verdict.status().code().label())
                .put("reasons", verdict.status().reasons());
    }
}
