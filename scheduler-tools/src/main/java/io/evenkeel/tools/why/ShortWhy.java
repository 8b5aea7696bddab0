package io.evenkeel.tools.why;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.plugins.devices.DynamicResources;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Layout.Ink;
import io.evenkeel.tools.why.PodReport.Remark;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.whatif.why.Answer;
import io.evenkeel.whatif.why.Remedy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The answer for people, on a few lines: what keeps the pod from its node, the first change that would help, with the commands that
 * make it where there are such, and how to see more.
 *
 * <pre>
 *   shop/web-1 waits: 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.
 *   Would help: node n1 without taint dedicated=gpu:NoSchedule → goes to n1
 *     kubectl taint node n1 dedicated:NoSchedule-
 *   (judged by kube-scheduler's defaults; 2 more would help; -o wide says all)
 * </pre>
 *
 * @param layout commands are not broken, however long its lines may be
 */
record ShortWhy(Layout layout) {
    private static final int MOST_LINES = 8;
    private static final int MOST_OF_A_CAUSE = 3;
    private static final int MOST_OF_A_NOTE = 2;
    private static final int MOST_OF_HELP = 2;
    private static final int MOST_ALIKE = 2;
    private static final String MORE = "-o wide says all";

    String of(PodReport report) {
        List<String> sentences = TextWhy.sentences(report, MOST_ALIKE);
        List<String> lines = new ArrayList<>();
        cut(sentences.getFirst(), layout.columns(), MOST_OF_A_CAUSE)
                .forEach(line -> lines.add(layout.inked(Ink.CAUSE, line)));
        List<String> last = last(report);
        for (String note : notes(report, sentences)) {
            int room = Math.min(MOST_OF_A_NOTE, MOST_LINES - lines.size() - last.size());
            if (room > 0) {
                cut("(" + note + ")", layout.columns() - 2, room)
                        .forEach(line -> lines.add("  " + layout.inked(Ink.REMARK, line)));
            }
        }
        lines.addAll(last);
        return String.join("\n", lines);
    }

    /** What there is to say of changes that would help; nothing where none lets the pod be placed. */
    static Optional<Answer> helpful(State state) {
        return state instanceof State.Unattended ? Optional.empty() : TextWhy.answer(state);
    }

    /** What was likely mistyped: that is to be mended, and nothing else. */
    static List<Account.Mistake> mistyped(Answer answer) {
        return mistakes(answer).filter(Account.Mistake::isNear).toList();
    }

    private static Stream<Account.Mistake> mistakes(Answer answer) {
        return answer.rules().stream()
                .map(Answer.Rule::account)
                .filter(Account.Mistake.class::isInstance)
                .map(Account.Mistake.class::cast);
    }

    /** Of devices and claims the message says no more than that there are not enough, or that they cannot be used. */
    static Stream<Account> devices(Answer answer) {
        return answer.rules().stream()
                .filter(rule -> rule.plugin().equals(DynamicResources.NAME))
                .map(Answer.Rule::account)
                .filter(account -> account instanceof Account.Devices
                        || (account instanceof Account.Words(String text)
                                && !answer.funnel().message().contains(text)))
                .limit(1);
    }

    /** What was mistyped comes before what needs only be known. The rules that were taken stand in the last line. */
    private static List<String> notes(PodReport report, List<String> sentences) {
        List<String> notes = new ArrayList<>(sentences.subList(1, sentences.size()));
        report.remarks().stream()
                .filter(remark -> remark.kind().compareTo(Remark.Kind.RULES) < 0)
                .map(Remark::text)
                .forEach(notes::add);
        TextWhy.answer(report.state()).stream()
                .flatMap(answer -> Stream.concat(mistakes(answer), devices(answer)))
                .map(AccountText::of)
                .forEach(notes::add);
        report.remarks().stream()
                .filter(remark -> remark.kind().compareTo(Remark.Kind.RULES) > 0)
                .map(Remark::text)
                .forEach(notes::add);
        return notes;
    }

    private List<String> last(PodReport report) {
        boolean isSaidInFull = report.state() instanceof State.Unattended || report.state() instanceof State.InPlace;
        Optional<Answer> answer = helpful(report.state());
        List<String> lines = new ArrayList<>();
        List<String> ends = new ArrayList<>();
        report.remarks().stream()
                .filter(remark -> remark.kind() == Remark.Kind.RULES)
                .map(Remark::brief)
                .forEach(ends::add);
        report.seen().map(PodReport.Seen::brief).ifPresent(ends::add);
        String before = "";
        if (answer.isPresent()) {
            Optional<Help> best = mistyped(answer.get()).isEmpty() ? Help.best(answer.get(), layout) : Optional.empty();
            best.ifPresent(help -> help(help, answer.get(), report, lines));
            int more = answer.get().remedies().size() + answer.get().untold() - (best.isPresent() ? 1 : 0);
            if (more > 0) {
                ends.add(more + (best.isPresent() ? " more" : "") + " would help");
            } else if (best.isEmpty()) {
                before = "Nothing that was tried would help ";
            }
        }
        if (isSaidInFull || answer.isPresent()) {
            ends.add(MORE);
        }
        if (!ends.isEmpty()) {
            Wrapping.hanging(before + "(" + String.join("; ", ends) + ")", layout.columns(), "  ")
                    .forEach(line -> lines.add(layout.inked(Ink.REMARK, line)));
        }
        return lines;
    }

    private void help(Help help, Answer answer, PodReport report, List<String> lines) {
        String whom = answer.pod().key().equals(report.pod())
                ? ""
                : " " + answer.pod().key();
        lines.addAll(helpful("Would help" + whom + ": ", help));
        if (!help.commands().isEmpty()) {
            lines.add("  " + layout.inked(Ink.COMMAND, help.typed()));
        }
    }

    /** Cuts the middle off, if anything: where the pod goes is the end. */
    private List<String> helpful(String who, Help help) {
        String goes =
                help.grown().isPresent() ? "" : " → goes to " + help.remedy().node();
        String text = help.text();
        List<String> lines = Wrapping.hanging(who + text + goes, layout.columns(), "  ");
        while (lines.size() > MOST_OF_HELP && text.contains(" ")) {
            text = text.substring(0, text.lastIndexOf(' '));
            lines = Wrapping.hanging(who + text + " …" + goes, layout.columns(), "  ");
        }
        return lines.subList(0, Math.min(MOST_OF_HELP, lines.size()));
    }

    /**
     * A change that would help, for somebody to make.
     *
     * @param commands that make it; none where it cannot be typed
     */
    record Help(Remedy remedy, List<String> commands) {
        /** One that can be typed, or else one that somebody can carry out, rather than a node that grows. */
        static Optional<Help> best(Answer answer, Layout layout) {
            Commands commands = new Commands(layout.kubectl());
            return answer.remedies().stream()
                    .map(remedy -> new Help(remedy, commands.of(remedy, answer.pod())))
                    .min(Comparator.<Help>comparingInt(help ->
                                    help.commands.isEmpty() || help.remedy.kind() == Change.Kind.DEVICE_CLASS ? 1 : 0)
                            .thenComparingInt(help -> help.remedy.kind() == Change.Kind.RESOURCE ? 1 : 0));
        }

        String typed() {
            return String.join(" && ", commands);
        }

        /** No node grows: another one is needed that is greater. */
        Optional<NodeChange.MoreOffered> grown() {
            return Stream.of(remedy.changes())
                    .filter(changes -> changes.size() == 1)
                    .map(List::getFirst)
                    .filter(NodeChange.MoreOffered.class::isInstance)
                    .map(NodeChange.MoreOffered.class::cast)
                    .findFirst();
        }

        String text() {
            return grown().map(more -> "a node like " + more.node() + " with " + more.offer())
                    .orElseGet(remedy::text);
        }
    }

    /** The text in no more lines than that. */
    static List<String> cut(String text, int columns, int most) {
        List<String> lines = Wrapping.hanging(text, columns, "  ");
        if (lines.size() <= most) {
            return lines;
        }
        List<String> first = new ArrayList<>(lines.subList(0, most));
        first.set(most - 1, first.getLast() + " …");
        return first;
    }
}
