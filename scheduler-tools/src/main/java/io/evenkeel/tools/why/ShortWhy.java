package io.evenkeel.tools.why;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.engine.why.Answer;
import io.evenkeel.engine.why.Remedy;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.tools.why.PodReport.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The answer for people, on a few lines: what keeps the pod from its node, the first change that would help, with the commands that
 * make it where there are such, and how to see more.
 *
 * <pre>
 *   shop/web-1 waits: 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.
 *   Would help: node n1 without taint dedicated=gpu:NoSchedule → goes to n1
 *     kubectl taint node n1 dedicated:NoSchedule-
 *   (2 more would help; -o wide says all)
 * </pre>
 *
 * @param columns how long lines may be; commands are not broken
 */
record ShortWhy(int columns) {
    private static final int MOST_LINES = 8;
    private static final int MOST_OF_A_CAUSE = 3;
    private static final int MOST_OF_A_NOTE = 2;
    private static final int MOST_OF_HELP = 2;
    private static final int MOST_ALIKE = 2;
    private static final String MORE = "(-o wide says all)";

    String of(PodReport report) {
        List<String> sentences = TextWhy.sentences(report, MOST_ALIKE);
        List<String> lines = new ArrayList<>(cut(sentences.getFirst(), columns, MOST_OF_A_CAUSE));
        List<Account.Mistake> mistakes = mistakes(report.state());
        List<String> last = switch (report.state()) {
            case State.Unattended _, State.InPlace _ -> List.of(MORE);
            case State state ->
                TextWhy.answer(state)
                        .map(answer -> help(answer, report, mistakes))
                        .orElse(List.of());
        };
        List<String> notes = new ArrayList<>(sentences.subList(1, sentences.size()));
        int assumptions = (int) notes.stream()
                .takeWhile(note -> !note.startsWith(ClusterQuestions.JUDGED))
                .count();
        notes.addAll(assumptions, mistakes.stream().map(AccountText::of).toList());
        for (String note : notes) {
            int room = Math.min(MOST_OF_A_NOTE, MOST_LINES - lines.size() - last.size());
            if (room > 0) {
                cut("(" + note + ")", columns - 2, room).forEach(line -> lines.add("  " + line));
            }
        }
        lines.addAll(last);
        return String.join("\n", lines);
    }

    private static List<Account.Mistake> mistakes(State state) {
        return TextWhy.answer(state).stream()
                .flatMap(answer -> answer.rules().stream())
                .map(Answer.Rule::account)
                .filter(Account.Mistake.class::isInstance)
                .map(Account.Mistake.class::cast)
                .toList();
    }

    /** Where something was likely mistyped, that is to be mended, and nothing else. */
    private List<String> help(Answer answer, PodReport report, List<Account.Mistake> mistakes) {
        List<String> lines = new ArrayList<>();
        boolean isMistyped = mistakes.stream().anyMatch(Account.Mistake::isNear);
        Optional<Remedy> best = isMistyped ? Optional.empty() : best(answer);
        best.ifPresent(remedy -> {
            String whom = answer.pod().key().equals(report.pod())
                    ? ""
                    : " " + answer.pod().key();
            lines.addAll(helpful("Would help" + whom + ": ", remedy));
            List<String> commands = Commands.of(remedy, answer.pod());
            if (!commands.isEmpty()) {
                lines.add("  " + String.join(" && ", commands));
            }
        });
        int more = answer.remedies().size() + answer.untold() - (best.isPresent() ? 1 : 0);
        if (more > 0) {
            lines.add("(" + more + (best.isPresent() ? " more" : "") + " would help; -o wide says all)");
        } else {
            lines.add(best.isPresent() ? MORE : "Nothing that was tried would help (-o wide says all)");
        }
        return lines;
    }

    /** Cuts the middle off, if anything: where the pod goes is the end. */
    private List<String> helpful(String who, Remedy remedy) {
        String goes = grows(remedy) ? "" : " → goes to " + remedy.node();
        String text = text(remedy);
        List<String> lines = Wrapping.hanging(who + text + goes, columns, "  ");
        while (lines.size() > MOST_OF_HELP && text.contains(" ")) {
            text = text.substring(0, text.lastIndexOf(' '));
            lines = Wrapping.hanging(who + text + " …" + goes, columns, "  ");
        }
        return lines.subList(0, Math.min(MOST_OF_HELP, lines.size()));
    }

    private static boolean grows(Remedy remedy) {
        return remedy.changes().size() == 1 && remedy.changes().getFirst() instanceof NodeChange.MoreOffered;
    }

    /** One that can be typed, or else one that somebody can carry out, rather than a node that grows. */
    static Optional<Remedy> best(Answer answer) {
        return answer.remedies().stream()
                .min(Comparator.<Remedy>comparingInt(
                                remedy -> Commands.of(remedy, answer.pod()).isEmpty() ? 1 : 0)
                        .thenComparingInt(remedy -> remedy.kind() == Change.Kind.RESOURCE ? 1 : 0));
    }

    static String text(Remedy remedy) {
        return remedy.changes().size() == 1 && remedy.changes().getFirst() instanceof NodeChange.MoreOffered more
                ? "a node like " + more.node() + " with " + more.offer()
                : remedy.text();
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
