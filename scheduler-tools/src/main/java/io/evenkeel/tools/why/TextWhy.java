package io.evenkeel.tools.why;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.Account;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.whatif.why.Answer;
import io.evenkeel.whatif.why.Answer.Funnel;
import io.evenkeel.whatif.why.Answer.IneffectiveChange;
import io.evenkeel.whatif.why.Answer.NearNode;
import io.evenkeel.whatif.why.PodQuestions.Placement;
import io.evenkeel.whatif.why.Remedy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The answer for people, in full: how many nodes are left after each plugin, what each rule counts, the nearest nodes, what helps.
 *
 * @param columns how long lines may be
 */
record TextWhy(int columns) {
    private static final int BAR = 20;
    private static final int MOST_USERS = 5;

    String of(PodReport report) {
        List<String> lines = new ArrayList<>();
        List<String> sentences = sentences(report, Integer.MAX_VALUE);
        wrap("", sentences.getFirst(), lines);
        Stream.of(
                        sentences.stream().skip(1),
                        report.remarks().stream().map(PodReport.Remark::text),
                        report.seen().stream().map(PodReport.Seen::text))
                .flatMap(notes -> notes)
                .forEach(note -> wrap("  ", "(" + note + ")", lines));
        if (report.state() instanceof State.InPlace(var placement)) {
            placement(placement, lines);
        }
        answer(report.state()).ifPresent(answer -> answer(answer, lines));
        lines.add("");
        return String.join("\n", lines);
    }

    /**
     * Returns what is the case with the pod, and what else there is of that.
     *
     * @param most so many pods with the same answer are named with it
     */
    static List<String> sentences(PodReport report, int most) {
        String who = who(report, most);
        List<String> all = new ArrayList<>();
        switch (report.state()) {
            case State.Waits waits -> all.add(who + ": " + waits.message());
            case State.GangWaits(var message, var gang, var answer) -> {
                all.add(who + ": " + message);
                all.add(inWords(gang));
                answer.map(of -> of.pod().key())
                        .filter(member -> !member.equals(report.pod()))
                        .ifPresent(member -> all.add("what follows is of " + member));
            }
            case State.Fits(var node) -> all.add(who + " for its turn; now it would go to " + node);
            case State.Retried(var node, var shown, var because) -> {
                all.add(who + "; now it would go to " + node + ", though its condition says: " + shown);
                all.add(because);
            }
            case State.OnItsWay(var node, var waitsFor)
            when report.alike().isEmpty() ->
                all.add(name(report) + " is on its way to node " + node + ", and waits for " + waitsFor);
            case State.OnItsWay(var node, var waitsFor) -> {
                all.add(who + ", the first for " + waitsFor);
                all.add("the first is on its way to node " + node);
            }
            case State.Held(var plugin, var why) -> all.add(who + ", held by " + plugin + ": " + why);
            case State.Failed(var message) -> all.add(who + ": " + message);
            case State.Unattended(var why, var judged) -> {
                all.add(who + " for a scheduler: " + why);
                all.add("by its rules: " + rule(judged));
            }
            case State.Leaving _ -> all.add(name(report) + " is being deleted: no scheduler places it");
            case State.InPlace(var placement) ->
                all.add(name(report) + " is on node " + placement.node() + "; " + placement.feasible()
                        + " would do now");
        }
        if (report.state() instanceof State.InPlace(var placement)) {
            placement
                    .inTheWay()
                    .forEach(objection -> all.add(placement.node() + " would not: " + objection.plugin() + ": "
                            + objection.status().message()));
        }
        report.queued().map(TextWhy::inWords).ifPresent(all::add);
        return all;
    }

    private static String rule(State judged) {
        return switch (judged) {
            case State.Fits(var node) -> "it would go to " + node;
            case State.Retried(var node, var shown, var _) ->
                "it would go to " + node + ", though its condition says: " + shown;
            default -> judged.reason().orElse("");
        };
    }

    private static String inWords(PodReport.Gang gang) {
        return gang.name() + " needs " + gang.needed() + ": " + gang.waiting()
                + (gang.waiting() == 1 ? " waits" : " wait") + ", " + gang.inPlace()
                + (gang.inPlace() == 1 ? " is" : " are") + " in place";
    }

    /** Why it fits nowhere, where there is more to say of that. */
    static Optional<Answer> answer(State state) {
        return switch (state) {
            case State.Waits waits -> Optional.of(waits.answer());
            case State.GangWaits gang -> gang.answer();
            case State.Unattended(var _, var judged) -> answer(judged);
            default -> Optional.empty();
        };
    }

    private static String inWords(QueuedPod queued) {
        return queued.attempts() + (queued.attempts() == 1 ? " attempt; " : " attempts; ")
                + queued.queue() + " for "
                + GoDuration.rounded(queued.since())
                + queued.nextTry()
                        .map(next ->
                                "; the next attempt is in " + GoDuration.rounded(next) + " if nothing changes before")
                        .orElse("")
                + (queued.nominatedNode().isEmpty()
                        ? ""
                        : "; node " + queued.nominatedNode() + " has room left for it");
    }

    /** The node and the best of the others, with what each plugin gives. */
    private void placement(Placement placement, List<String> lines) {
        lines.add("");
        Stream.concat(placement.there().stream(), placement.best().stream())
                .forEach(scored -> wrap("  ", scored.node() + ": " + scored.total() + " = " + scores(scored), lines));
        more(placement.untold(), lines);
        if (!placement.rules().isEmpty()) {
            heading("By which rules it is placed", lines);
            placement.rules().forEach(rule -> rule(rule, lines));
        }
    }

    private static String scores(Placement.Scored scored) {
        return scored.scores().entrySet().stream()
                .filter(score -> score.getValue() != 0)
                .map(score -> score.getKey() + " " + score.getValue())
                .collect(Collectors.joining(" + "));
    }

    private static String who(PodReport report, int most) {
        List<String> some = new ArrayList<>(List.of(name(report)));
        report.alike().stream().limit(most).forEach(some::add);
        int more = report.alike().size() + 1 - some.size();
        return String.join(", ", some)
                + (more > 0 ? " and " + more + " more" : "")
                + (report.alike().isEmpty() ? " waits" : " wait");
    }

    private static String name(PodReport report) {
        return (report.scenario().isEmpty() ? "" : report.scenario() + ": ") + report.pod();
    }

    private void answer(Answer answer, List<String> lines) {
        funnel(answer.funnel(), lines);
        heading("What is counted", lines);
        answer.rules().forEach(rule -> rule(rule, lines));
        heading("The nearest nodes", lines);
        answer.nearest().forEach(node -> nearest(node, lines));
        more(answer.funnel().nodes() - answer.nearest().size(), lines);
        heading(answer.remedies().isEmpty() ? "What would help: nothing that was tried" : "What would help", lines);
        for (Remedy remedy : answer.remedies()) {
            wrap("  ", remedy.text() + " → goes to " + remedy.node(), lines);
        }
        more(answer.untold(), lines);
        if (!answer.inVain().isEmpty()) {
            heading("What would not", lines);
            answer.inVain().stream().map(IneffectiveChange::text).forEach(text -> wrap("  ", text, lines));
        }
        heading("What it waits for", lines);
        answer.awaited().forEach(awaited -> wrap("  ", awaited.plugin() + ": " + changes(awaited), lines));
    }

    private static void more(int untold, List<String> lines) {
        if (untold > 0) {
            lines.add("  and " + untold + " more");
        }
    }

    private static String changes(Answer.Awaited awaited) {
        return awaited.changes().isEmpty() ? "any change" : inWords(awaited.changes());
    }

    private static void heading(String text, List<String> lines) {
        lines.add("");
        lines.add(text);
    }

    /** A line a plugin, with a bar of the nodes that are left, and below it why the others are not. */
    private void funnel(Funnel funnel, List<String> lines) {
        heading("Nodes", lines);
        int width = funnel.steps().stream()
                .mapToInt(step -> step.plugin().length())
                .max()
                .orElse(0);
        lines.add(row("", width, funnel.nodes(), funnel.nodes()));
        for (Funnel.Step step : funnel.steps()) {
            lines.add(row(step.plugin(), width, step.left(), funnel.nodes()));
            step.reasons().forEach((reason, nodes) -> wrap("    ", "−" + nodes + "  " + reason, lines));
        }
        funnel.outright()
                .ifPresent(outright -> wrap(
                        "  ",
                        outright.plugin() + ": " + outright.status().message() + ", before any node was looked at",
                        lines));
    }

    private static String row(String plugin, int width, int left, int all) {
        int bar = all == 0 ? 0 : (int) Math.ceil((double) left * BAR / all);
        return "  " + plugin + " ".repeat(width - plugin.length()) + String.format("  %6d", left)
                + (bar == 0 ? "" : "  " + "█".repeat(bar));
    }

    private void rule(Answer.Rule rule, List<String> lines) {
        wrap("  ", rule.plugin() + ": " + AccountText.of(rule.account()), lines);
        domains(rule.account()).forEach(domain -> wrap("    ", domain, lines));
    }

    private static List<String> domains(Account account) {
        return switch (account) {
            case Account.Spread spread ->
                spread.domains().stream()
                        .map(domain -> domain.value() + ": " + domain.matching() + " + " + spread.self() + " − "
                                + spread.fewest() + " = " + domain.skew()
                                + (domain.allowed() ? ", allowed" : ", more than maxSkew " + spread.maxSkew())
                                + (domain.counted() ? "" : "; not counted as a domain"))
                        .toList();
            case Account.Neighbours neighbours when neighbours.domains().isEmpty() -> List.of("none anywhere");
            case Account.Neighbours neighbours ->
                neighbours.domains().stream()
                        .map(domain -> domain.value() + ": " + domain.matching())
                        .toList();
            case Account.Places places ->
                places.there().entrySet().stream()
                        .map(reason -> "there: " + reason.getValue() + " " + reason.getKey())
                        .toList();
            case Account.VolumeLimit limit ->
                limit.nodes().stream()
                        .map(node -> node.node() + ": " + node.attached() + " + " + node.more() + " = "
                                + (node.attached() + node.more()) + ", more than " + node.limit())
                        .toList();
            case Account.Devices devices -> devices(devices);
            case Account.Resource _, Account.Words _, Account.Mistake _ -> List.of();
        };
    }

    private static List<String> devices(Account.Devices devices) {
        List<String> lines = new ArrayList<>();
        int nodes = devices.nodes().size() + devices.more();
        if (nodes > 1) {
            lines.add("on " + nodes + " nodes together: " + AccountText.counts(devices.inAll()));
        }
        devices.nodes().forEach(node -> lines.add(node.node() + ": " + AccountText.counts(node)));
        if (devices.more() > 0) {
            lines.add("and " + devices.more() + " more nodes");
        }
        List<String> users = devices.users().pods();
        int others = devices.users().others() + Math.max(0, users.size() - MOST_USERS);
        if (!users.isEmpty() || others > 0) {
            lines.add("used by "
                    + Stream.concat(
                                    users.stream().limit(MOST_USERS),
                                    others == 0 ? Stream.empty() : Stream.of(others + (users.isEmpty() ? "" : " more")))
                            .collect(Collectors.joining(", ")));
        }
        return lines;
    }

    private void nearest(NearNode node, List<String> lines) {
        String plugins =
                node.objections().stream().map(Objection::plugin).distinct().collect(Collectors.joining(", "));
        wrap("  ", node.name() + ": " + plugins + ": " + String.join(", and ", node.lacks()), lines);
    }

    private void wrap(String indent, String text, List<String> lines) {
        Wrapping.hanging(text, columns - indent.length(), "  ").forEach(line -> lines.add(indent + line));
    }

    /**
     * Kinds of change in a sentence for people, what happens to the same together, and to what the same happens.
     *
     * <pre>
     *   NodeAdd NodeUpdateNodeLabel      a node is added or has other labels
     *   apps/ReplicaSetAdd ServiceAdd    a ReplicaSet or a Service is added
     * </pre>
     */
    private static String inWords(List<ChangeKind> changes) {
        Map<String, List<String>> happenings = new LinkedHashMap<>();
        changes.forEach(change -> happenings
                .computeIfAbsent(change.subject(), _ -> new ArrayList<>())
                .add(change.happening()));
        Map<List<String>, List<String>> subjects = new LinkedHashMap<>();
        happenings.forEach((subject, all) ->
                subjects.computeIfAbsent(all, _ -> new ArrayList<>()).add(subject));
        return subjects.entrySet().stream()
                .map(same -> or(same.getValue()) + " " + or(same.getKey()))
                .collect(Collectors.joining("; "));
    }

    private static String or(List<String> some) {
        int last = some.size() - 1;
        return last == 0 ? some.getFirst() : String.join(", ", some.subList(0, last)) + " or " + some.get(last);
    }
}
