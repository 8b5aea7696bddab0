package io.evenkeel.tools.replay;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceToleration;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.Step.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The answer to a scenario.
 *
 * @param groups the answers for groups by their names; none where the pods were placed one by one
 */
record ScenarioAnswer(String scenario, List<Step> steps, Map<String, GroupAnswer> groups) implements Report {
    @Override
    public String text(Layout layout) {
        return new TextAnswer(layout.columns()).of(this);
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
            case Step.Outcome.Placed(String node, List<ResourceClaim> claims) -> {
                Tree totals = new Tree();
                step.scores().keySet().forEach(scored -> totals.put(scored, step.totalOf(scored)));
                tree.put("scores", step.scores()).put("totals", totals).put("node", node);
                yield claims.isEmpty() ? tree : tree.put("allocations", allocations(claims, step.pod()));
            }
            case Step.Outcome.Waits(String message, Optional<Step.Preemption> preemption) ->
                tree.put("message", message).putPresent("preemption", preemption.map(ScenarioAnswer::preemption));
            case Step.Outcome.Held(String plugin, String why) -> tree.put("preEnqueue", plugin + ": " + why);
            case Step.Outcome.Failed(String message) -> tree.put("message", message);
        };
    }

    private static Tree allocations(List<ResourceClaim> claims, String pod) {
        Tree all = new Tree();
        for (ResourceClaim claim : claims) {
            claim.allocation().ifPresent(allocation -> all.put(nameOf(claim), allocation(claim, allocation, pod)));
        }
        return all;
    }

    /** The end of the name is made up where a claim is made for extended resources: an x stands for it. */
    private static String nameOf(ResourceClaim claim) {
        String key = claim.key();
        boolean isMade = claim.meta().annotations().has(Annotations.EXTENDED_RESOURCE_CLAIM);
        return isMade ? key.substring(0, key.lastIndexOf('-') + 1) + "x" : key;
    }

    private static Tree allocation(ResourceClaim claim, DeviceAllocation allocation, String pod) {
        SortedSet<String> consumers = new TreeSet<>();
        consumers.add(pod.substring(pod.indexOf('/') + 1));
        claim.reservedFor().forEach(consumer -> consumers.add(consumer.name()));
        return new Tree()
                .put("results", allocation.results(), ScenarioAnswer::device)
                .putPresent("nodeSelector", allocation.nodes().map(ScenarioAnswer::selector))
                .put("reservedFor", consumers);
    }

    /** A device without the share's ID, which is drawn at random. */
    private static Tree device(DeviceAllocation.Result result) {
        Tree tree = new Tree()
                .put("request", result.request())
                .put("driver", result.driver())
                .put("pool", result.pool())
                .put("device", result.device());
        if (result.admin()) {
            tree.put("adminAccess", true);
        }
        tree.putNonEmpty("tolerations", result.tolerations(), ScenarioAnswer::toleration);
        return result.consumed().isEmpty()
                ? tree
                : tree.put("consumedCapacity", result.consumed(), Quantity::canonical);
    }

    private static Tree toleration(DeviceToleration toleration) {
        Tree tree = new Tree()
                .putNonEmpty("key", toleration.key())
                .putNonEmpty("operator", toleration.operator())
                .putNonEmpty("value", toleration.value())
                .putNonEmpty("effect", toleration.effect());
        toleration.seconds().ifPresent(seconds -> tree.put("tolerationSeconds", seconds));
        return tree;
    }

    private static Tree selector(NodeSelector selector) {
        return new Tree()
                .put(
                        "nodeSelectorTerms",
                        selector.terms(),
                        term -> new Tree()
                                .putNonEmpty("matchExpressions", term.matchExpressions(), ScenarioAnswer::requirement)
                                .putNonEmpty("matchFields", term.matchFields(), ScenarioAnswer::requirement));
    }

    private static Tree requirement(NodeSelectorRequirement requirement) {
        return new Tree()
                .put("key", requirement.key())
                .put("operator", requirement.operator().apiName())
                .putNonEmpty("values", requirement.values());
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

    /**
     * A scenario's answer for people: for each pod where it goes or why it waits, then the nodes, best first, with their scores,
     * then the nodes that were turned down, together where they got the same answer.
     *
     * @param columns how long lines may be
     */
    private record TextAnswer(int columns) {
        private static final int MARGIN = 9;
        private static final String TURNED_DOWN = "no";

        String of(ScenarioAnswer answer) {
            List<String> lines = new ArrayList<>(Wrapping.wrap(answer.scenario(), columns));
            answer.groups().forEach((name, group) -> {
                lines.add("");
                lines.addAll(Wrapping.wrap(heading(name, group), columns));
                for (int i = 0; i < group.order().size(); i++) {
                    Seat seat = group.order().get(i);
                    row(Integer.toString(i + 1), seat.pod().key() + " on " + seat.node(), lines);
                }
            });
            for (Step step : answer.steps()) {
                lines.add("");
                lines.addAll(Wrapping.wrap(heading(step), columns));
                placed(step, lines);
                turnedDown(step, lines);
            }
            lines.add("");
            return String.join("\n", lines);
        }

        private static String heading(String name, GroupAnswer group) {
            String what = switch (group.outcome()) {
                case PLACED -> "all are placed, in this order";
                case END_STATE_ONLY -> "only all at once";
                case INFEASIBLE -> "not all can be placed";
                case UNKNOWN -> "it is not known whether all can be placed";
            };
            return "group" + (name.isEmpty() ? "" : " " + name) + ": " + what
                    + group.certificate().map(words -> "; " + words).orElse("") + " (" + group.steps() + " steps)";
        }

        private static String heading(Step step) {
            return step.pod()
                    + switch (step.outcome()) {
                        case Step.Outcome.Placed(String node, List<ResourceClaim> claims) ->
                            " goes to " + node + withDevices(claims);
                        case Step.Outcome.Waits(String message, Optional<Step.Preemption> preemption) ->
                            " waits: " + message
                                    + preemption.map(TextAnswer::whereSoon).orElse("");
                        case Step.Outcome.Held(String plugin, String why) -> " waits, held by " + plugin + ": " + why;
                        case Step.Outcome.Failed(String message) -> " waits: " + message;
                    };
        }

        private static String withDevices(List<ResourceClaim> claims) {
            return claims.stream()
                    .flatMap(claim -> claim.allocation().stream())
                    .flatMap(allocation -> allocation.results().stream())
                    .map(result -> result.driver() + "/" + result.pool() + "/" + result.device())
                    .distinct()
                    .collect(Collectors.collectingAndThen(
                            Collectors.joining(", "), devices -> devices.isEmpty() ? "" : " with " + devices));
        }

        private static String whereSoon(Step.Preemption preemption) {
            String after = preemption.victims().isEmpty()
                    ? " soon."
                    : " once these are gone: "
                            + preemption.victims().stream().map(Pod::key).collect(Collectors.joining(", ", "", "."));
            return preemption
                    .nominatedNode()
                    .map(node -> (preemption.victims().isEmpty() ? " May fit on " : " Fits on ") + node + after)
                    .orElse("");
        }

        private void placed(Step step, List<String> lines) {
            step.scores().keySet().stream()
                    .sorted(Comparator.comparingLong(step::totalOf).reversed().thenComparing(Comparator.naturalOrder()))
                    .forEach(node -> {
                        row(Long.toString(step.totalOf(node)), node, lines);
                        details(plugins(step.scores().getOrDefault(node, Map.of())), lines);
                    });
        }

        private static String plugins(Map<String, Long> scores) {
            return scores.entrySet().stream()
                    .filter(score -> score.getValue() != 0)
                    .map(score -> score.getKey() + " " + score.getValue())
                    .collect(Collectors.joining(", "));
        }

        private void turnedDown(Step step, List<String> lines) {
            Map<Verdict, List<String>> nodes = new LinkedHashMap<>();
            step.filtered()
                    .forEach((node, verdict) -> nodes.computeIfAbsent(verdict, _ -> new ArrayList<>())
                            .add(node));
            nodes.forEach((verdict, names) -> {
                row(TURNED_DOWN, String.join(", ", names), lines);
                details(
                        verdict.plugin() + ": "
                                + String.join(", ", verdict.status().reasons()),
                        lines);
            });
        }

        private void row(String head, String text, List<String> lines) {
            List<String> wrapped = Wrapping.wrap(text, columns - MARGIN);
            lines.add(" ".repeat(Math.max(0, MARGIN - 2 - head.length())) + head + "  " + wrapped.getFirst());
            wrapped.stream().skip(1).map(TextAnswer::indented).forEach(lines::add);
        }

        private void details(String text, List<String> lines) {
            if (!text.isEmpty()) {
                Wrapping.wrap(text, columns - MARGIN).stream()
                        .map(TextAnswer::indented)
                        .forEach(lines::add);
            }
        }

        private static String indented(String line) {
            return " ".repeat(MARGIN) + line;
        }
    }

    /**
     * The answer for a group.
     *
     * @param order who was placed and where, in the order in which it was decided
     * @param certificate why not all were placed one by one
     * @param steps how many placements were tried
     */
    record GroupAnswer(Outcome outcome, List<Seat> order, Optional<String> certificate, long steps) {

        enum Outcome {
            PLACED("placed"),
            END_STATE_ONLY("endStateOnly"),
            INFEASIBLE("infeasible"),
            UNKNOWN("unknown");

            private final String written;

            Outcome(String written) {
                this.written = written;
            }

            String written() {
                return written;
            }
        }

        /** @param mode where all may be placed at once, an end state will do though an order may yet be found */
        static GroupAnswer of(JointPlacement found, GroupMode mode, List<Seat> placed) {
            return switch (found) {
                case JointPlacement.Placed _ ->
                    new GroupAnswer(Outcome.PLACED, placed, Optional.empty(), found.steps());
                case JointPlacement.EndStateOnly end -> {
                    boolean isSo = end.orderRuledOut() || mode == GroupMode.END_STATE;
                    String words = "all " + end.seats().size() + " fit at once"
                            + (end.orderRuledOut()
                                    ? ", but no order in which they come one by one is legal"
                                    : "; no order in which they come one by one was found");
                    yield new GroupAnswer(
                            isSo ? Outcome.END_STATE_ONLY : Outcome.UNKNOWN,
                            placed,
                            Optional.of(with(mode == GroupMode.END_STATE ? "" : end.reach(), words)),
                            found.steps());
                }
                case JointPlacement.Infeasible infeasible ->
                    new GroupAnswer(Outcome.INFEASIBLE, placed, Optional.of(infeasible.why()), found.steps());
                case JointPlacement.Unknown unknown ->
                    new GroupAnswer(
                            Outcome.UNKNOWN,
                            placed,
                            Optional.of(with(
                                    unknown.reach(),
                                    unknown.soFar() + "; the budget of "
                                            + unknown.budget().steps() + " steps is spent")),
                            found.steps());
            };
        }

        private static String with(String more, String words) {
            return more.isEmpty() ? words : words + "; " + more;
        }

        /** Adds that a plugin objected to a pod once its place was reserved, and nothing was left of the group. */
        GroupAnswer objected(String message) {
            return new GroupAnswer(Outcome.UNKNOWN, List.of(), Optional.of(message), steps);
        }
    }
}
