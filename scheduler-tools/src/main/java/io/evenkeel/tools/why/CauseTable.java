package io.evenkeel.tools.why;

import io.evenkeel.config.file.GoDuration;
import io.evenkeel.framework.why.Account;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Layout.Ink;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.tools.why.ShortWhy.Help;
import io.evenkeel.whatif.why.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that wait, on one screen: by cause how many pods and since when, and the first change that would help, with how many pods it
 * frees by itself.
 *
 * <pre>
 *   2 causes hold up 214 pods
 *
 *    PODS    SINCE  CAUSE
 *     210    12m4s  shop/web-0 and 209 more: 0/3 nodes are available: 3 Insufficient cpu.
 *                   frees 2: one more node like n1
 *       4      31s  shop/db-2 and 3 more: 0/3 nodes are available: 3 node(s) had untolerated taint(s).
 *                   frees 4: kubectl taint node n1 dedicated:NoSchedule-
 * </pre>
 *
 * @param remark about all of them, in a few words; empty for none
 * @param layout commands are not broken, however long its lines may be
 */
public record CauseTable(ClusterQuestions questions, Requester asker, String remark, Instant now, Layout layout) {
    private static final int MOST_CAUSES = 11;
    private static final int MOST_TRIED = 200;
    private static final int MOST_AS_JSON = 30;
    private static final int MOST_NAMED = 100;
    private static final int MOST_OF_A_CAUSE = 2;
    private static final int MOST_OF_A_SHORTFALL = 3; // for which no line says what would help
    private static final int MOST_OF_A_NOTE = 3; // what was meant stands at its end
    private static final String ROW = "%6s %8s  ";
    private static final int INDENT = ROW.formatted("", "").length();

    /** For the user of a command. */
    public CauseTable(ClusterQuestions questions, Instant now, Layout layout) {
        this(questions, Requester.OPERATOR, "", now, layout);
    }

    /**
     * Pods that a controller cannot make.
     *
     * @param owner such as {@code ReplicaSet shop/web-6f9bc67bf6 of Deployment web}
     * @param made how many of the wanted pods are there
     * @param why empty where it is not known
     * @param since when that was said first
     */
    public record Shortfall(String owner, int wanted, int made, String why, Optional<Instant> since) {
        private int missing() {
            return wanted - made;
        }

        public String text() {
            return (wanted == 1 ? "the pod of " : missing() + " of the " + wanted + " pods of ") + owner
                    + (missing() == 1 ? " is" : " are") + " not made: "
                    + (why.isEmpty() ? "its controller does not say why" : why);
        }
    }

    /**
     * Asks only about the causes that are shown.
     *
     * @param causes the pods of each, in the order in which they are told
     * @param shortfalls pods that wait not even for a node
     * @param notLookedAt owners that lack pods as well
     */
    public String of(List<List<Pod>> causes, List<Shortfall> shortfalls, int notLookedAt) {
        List<String> lines = new ArrayList<>();
        int all = causes.size() + shortfalls.size();
        int pods = Stream.concat(
                        causes.stream().map(List::size), shortfalls.stream().map(Shortfall::missing))
                .mapToInt(Integer::intValue)
                .sum();
        lines.add(plural(all, "cause holds up ", "causes hold up ") + plural(pods, "pod", "pods"));
        lines.add("");
        lines.add(layout.inked(Ink.CAUSE, ROW.formatted("PODS", "SINCE") + "CAUSE"));
        List<Shortfall> toldShortfalls = shortfalls.subList(0, Math.min(MOST_CAUSES, shortfalls.size()));
        List<List<Pod>> told = causes.subList(0, Math.min(MOST_CAUSES - toldShortfalls.size(), causes.size()));
        int left = pods;
        for (List<Pod> alike : told) {
            row(alike, lines);
            left -= alike.size();
        }
        for (Shortfall shortfall : toldShortfalls) {
            row(shortfall.missing(), shortfall.since(), shortfall.text(), MOST_OF_A_SHORTFALL, lines);
            left -= shortfall.missing();
        }
        int more = all - told.size() - toldShortfalls.size();
        if (more > 0) {
            lines.add(more(more, left));
        }
        if (notLookedAt > 0) {
            lines.add(notLookedAt(notLookedAt));
        }
        lines.add(layout.inked(Ink.REMARK, "(" + remark + (remark.isEmpty() ? "" : "; ") + "-o wide says all)"));
        return String.join("\n", lines);
    }

    /** A line on the owners that lack pods and were not asked why. */
    public static String notLookedAt(int owners) {
        return "and "
                + plural(owners, "more owner that lacks pods is", "more owners that lack pods are")
                + " not looked at";
    }

    /** A line on causes that are not told of. */
    static String more(List<List<Pod>> causes) {
        return more(causes.size(), causes.stream().mapToInt(List::size).sum());
    }

    private static String more(int causes, int pods) {
        return "and " + plural(causes, "more cause holds up ", "more causes hold up ") + plural(pods, "pod", "pods");
    }

    private static String plural(int count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }

    private void row(List<Pod> alike, List<String> lines) {
        PodReport report = questions.about(alike, asker);
        String cause = TextWhy.sentences(greatestFirst(report), 0).getFirst();
        row(alike.size(), ClusterQuestions.since(alike), cause, MOST_OF_A_CAUSE, lines);
        ShortWhy.helpful(report.state()).stream()
                .flatMap(answer -> help(alike, report, answer))
                .forEach(help -> lines.add(" ".repeat(INDENT) + help));
    }

    private void row(int pods, Optional<Instant> first, String cause, int most, List<String> lines) {
        String since = first.map(begin -> GoDuration.format(Duration.ofSeconds(
                        Math.max(0, Duration.between(begin, now).toSeconds()))))
                .orElse("");
        List<String> wrapped = ShortWhy.cut(cause, layout.columns() - INDENT, most);
        lines.add(ROW.formatted(pods, since) + wrapped.getFirst());
        wrapped.stream().skip(1).forEach(line -> lines.add(" ".repeat(INDENT) + line));
    }

    /** With the reasons of most nodes first, where the reference puts them by name. */
    private static PodReport greatestFirst(PodReport report) {
        if (!(report.state() instanceof State.Waits(var message, var answer))
                || answer.funnel().outright().isPresent()) {
            return report;
        }
        String reasons = answer.funnel().steps().stream()
                .flatMap(step -> step.reasons().entrySet().stream())
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .collect(Collectors.joining(", "));
        int colon = message.indexOf(": ");
        return colon < 0 || reasons.isEmpty()
                ? report
                : PodReport.of(
                                "",
                                report.pod(),
                                new State.Waits(message.substring(0, colon + 2) + reasons + ".", answer))
                        .with(report.alike());
    }

    private Stream<String> help(List<Pod> alike, PodReport report, Answer answer) {
        Stream<String> notes = notes(answer).stream().flatMap(this::note);
        return ShortWhy.mistyped(answer).isEmpty()
                ? Stream.concat(notes, Stream.of(best(alike, report, answer)))
                : notes;
    }

    /** What was mistyped; where nothing was, how many devices there are. */
    private static List<? extends Account> notes(Answer answer) {
        List<Account.Mistake> mistyped = ShortWhy.mistyped(answer);
        return mistyped.isEmpty() ? ShortWhy.devices(answer).toList() : mistyped;
    }

    private Stream<String> note(Account account) {
        return ShortWhy.cut("(" + AccountText.of(account) + ")", layout.columns() - INDENT, MOST_OF_A_NOTE).stream();
    }

    private String best(List<Pod> alike, PodReport report, Answer answer) {
        Optional<Help> best = Help.best(answer, layout);
        if (best.isEmpty()) {
            return "nothing that was tried would help";
        }
        OptionalInt freed = freed(alike, report, best.get());
        String frees = freed.isEmpty()
                ? "would help: "
                : "frees " + (areMore(alike, freed.getAsInt()) ? "at least " : "") + freed.getAsInt() + ": ";
        return frees
                + (best.get().commands().isEmpty()
                        ? ShortWhy.cut(best.get().text(), layout.columns() - INDENT - frees.length(), 1)
                                .getFirst()
                        : layout.inked(Ink.COMMAND, best.get().typed()));
    }

    private OptionalInt freed(List<Pod> alike, PodReport report, Help help) {
        return questions.freed(alike, report, help.remedy(), MOST_TRIED);
    }

    /** Whether more than these may be freed, as no more were tried. */
    private static boolean areMore(List<Pod> alike, int freed) {
        return freed == MOST_TRIED && alike.size() > MOST_TRIED;
    }

    /**
     * The same as JSON, of as many causes as are told of.
     *
     * @param causes the pods of each, in the order in which they are told
     * @param isTime whether there is time for another
     */
    public Tree tree(List<List<Pod>> causes, BooleanSupplier isTime) {
        List<Tree> told = new ArrayList<>();
        for (List<Pod> alike : causes) {
            if (told.size() < MOST_AS_JSON && (told.isEmpty() || isTime.getAsBoolean())) {
                told.add(cause(alike));
            }
        }
        return new Tree().put("causes", told).put("more", causes.size() - told.size());
    }

    private Tree cause(List<Pod> alike) {
        PodReport report = questions.about(alike, asker);
        Tree tree = new Tree()
                .put("pods", alike.size())
                .putPresent("since", ClusterQuestions.since(alike))
                .put("pod", report.pod())
                .put("others", report.alike().stream().limit(MOST_NAMED).toList())
                .put(
                        "cause",
                        greatestFirst(report)
                                .state()
                                .reason()
                                .orElseGet(() -> "it has a node, and waits for its turn"));
        ShortWhy.helpful(report.state()).ifPresent(answer -> {
            tree.putNonEmpty("notes", notes(answer), AccountText::of);
            Help.best(answer, layout)
                    .filter(_ -> ShortWhy.mistyped(answer).isEmpty())
                    .ifPresent(help -> tree.put("remedy", remedy(help, freed(alike, report, help), alike)));
        });
        return tree;
    }

    private static Tree remedy(Help help, OptionalInt freed, List<Pod> alike) {
        Tree tree = new Tree().put("text", help.text()).putNonEmpty("command", help.typed());
        freed.ifPresent(count -> tree.put("frees", count).put("orMore", areMore(alike, count)));
        return tree;
    }
}
