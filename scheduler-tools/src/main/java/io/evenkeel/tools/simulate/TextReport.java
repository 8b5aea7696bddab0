package io.evenkeel.tools.simulate;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.model.Pod;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.simulate.Answer.SkewChange;
import io.evenkeel.tools.simulate.Answer.Use;
import io.evenkeel.tools.simulate.Arrival.Cause;
import io.evenkeel.tools.simulate.DeviceClaims.Had;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.Outcome.Evicted;
import io.evenkeel.tools.simulate.Outcome.Verdict;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The answer for people, the most important first: how many are placed and wait, why, which have moved, how evenly, how full.
 *
 * @param columns how long lines may be
 */
record TextReport(int columns) {
    /** What follows the filters' reasons, and says nothing of the pod that those do not. */
    private static final Pattern OF_PREEMPTION =
            Pattern.compile(" (no new claims to deallocate|still not schedulable)(, preemption: .*)?$");

    private static final int MOST_GROUPS = 20;
    private static final int MOST_NAMED = 5;
    private static final int MOST_SKEWS = 12;
    private static final int MOST_DOMAINS = 8;

    String of(Answer answer) {
        List<String> lines = new ArrayList<>();
        wrap("", verdict(answer), lines);
        answer.changes().forEach(change -> wrap("", change, lines));
        counts(answer, lines);
        pending(answer, lines);
        placed(answer, lines);
        moved(answer, lines);
        skews(answer, lines);
        zones(answer, lines);
        answer.compared().ifPresent(compared -> compared(answer, compared, lines));
        if (!answer.remarks().isEmpty()) {
            lines.add("");
            answer.remarks().forEach(remark -> wrap("", "(" + remark + ")", lines));
        }
        lines.add("");
        return String.join("\n", lines);
    }

    private static String verdict(Answer answer) {
        int all = answer.outcome().pods().size();
        int pending = answer.pending().size();
        List<String> costs = new ArrayList<>();
        if (!answer.gone().isEmpty()) {
            costs.add(pods(answer.gone().size()) + " gone for good");
        }
        if (!answer.outcome().evicted().isEmpty()) {
            costs.add(pods(answer.outcome().evicted().size()) + " gone for others");
        }
        String found = all == 0
                ? "No pods to place"
                : pending == 0
                        ? (all == 1 ? "The pod finds a node" : "All " + all + " pods find nodes")
                        : pending + " of " + pods(all) + (pending == 1 ? " finds" : " find") + " no node";
        return found + (costs.isEmpty() ? "" : "; " + String.join(", ", costs));
    }

    private void counts(Answer answer, List<String> lines) {
        int all = answer.outcome().pods().size();
        long pending = answer.pending().size();
        if (all > 0 || !answer.gone().isEmpty()) {
            lines.add("");
        }
        if (all > 0) {
            lines.add(pods(all) + " to place: " + answer.placed() + " placed, " + pending + " pending"
                    + (answer.notMade() > 0 ? ", of which " + answer.notMade() + " not even made" : "")
                    + (answer.preempted() > 0 ? ", " + answer.preempted() + " gone for others" : ""));
        }
        for (Cause cause : Cause.values()) {
            List<Decided> of = answer.outcome().pods().stream()
                    .filter(decided -> decided.arrival().cause() == cause)
                    .toList();
            if (!of.isEmpty()) {
                long placed = of.stream()
                        .filter(decided -> decided.verdict() instanceof Verdict.Placed)
                        .count();
                lines.add("  " + of.size() + " " + inWords(cause) + ": " + placed + " placed");
            }
        }
        if (!answer.gone().isEmpty()) {
            wrap(
                    "",
                    pods(answer.gone().size()) + " gone for good, as nothing makes "
                            + (answer.gone().size() == 1 ? "it" : "them") + " again: "
                            + some(answer.gone().stream().map(Pod::key).toList()),
                    lines);
        }
        List<Evicted> evicted = answer.outcome().evicted();
        if (!evicted.isEmpty()) {
            wrap(
                    "",
                    pods(evicted.size()) + " gone for pods of higher priority: "
                            + some(evicted.stream()
                                    .map(each -> each.pod().key() + " for " + each.by())
                                    .toList()),
                    lines);
        }
    }

    private static String inWords(Cause cause) {
        return switch (cause) {
            case WAITING -> "waiting before";
            case MISSING -> "not made before";
            case NEW -> "new";
            case AGAIN -> "made again by their owners";
            case PREEMPTED -> "made again after preemption";
        };
    }

    private void pending(Answer answer, List<String> lines) {
        Map<String, List<Decided>> groups = answer.pending().stream()
                .collect(Collectors.groupingBy(
                        decided -> decided.arrival().workload().title() + ": " + why(decided.verdict()),
                        TreeMap::new,
                        Collectors.toList()));
        table("Pending", groups, lines);
    }

    static String why(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Waits(var why) -> OF_PREEMPTION.matcher(why).replaceFirst("");
            case Verdict.NotMade _ -> "not made before those before it are ready";
            case Verdict.Preempted(var by) -> "gone for " + by;
            case Verdict.Placed(var node) -> "on " + node;
        };
    }

    /** Adds a line for each cause, the cause of most pods first. */
    private void table(String heading, Map<String, List<Decided>> groups, List<String> lines) {
        if (groups.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(heading);
        groups.entrySet().stream()
                .sorted((one, other) -> other.getValue().size() - one.getValue().size())
                .limit(MOST_GROUPS)
                .forEach(group -> wrap("  ", group.getValue().size() + " of " + group.getKey(), lines));
        if (groups.size() > MOST_GROUPS) {
            lines.add("  and " + (groups.size() - MOST_GROUPS) + " kinds more");
        }
    }

    private void placed(Answer answer, List<String> lines) {
        nodes(
                "Placed",
                answer.outcome().pods().stream()
                        .filter(decided ->
                                decided.arrival().instead().isEmpty() && decided.verdict() instanceof Verdict.Placed)
                        .toList(),
                decided -> Answer.node(decided.verdict()),
                DeviceClaims.had(answer.outcome().after()),
                lines);
    }

    private void moved(Answer answer, List<String> lines) {
        nodes(
                "Moved",
                answer.moved(),
                decided -> decided.arrival()
                        .instead()
                        .flatMap(gone -> Answer.node(decided.verdict())
                                .map(node -> gone.spec().nodeName() + " → " + node)),
                DeviceClaims.had(answer.outcome().after()),
                lines);
    }

    private void nodes(
            String heading,
            List<Decided> decided,
            Function<Decided, Optional<String>> place,
            Map<String, List<Had>> devices,
            List<String> lines) {
        if (decided.isEmpty()) {
            return;
        }
        SortedMap<Workload, SortedMap<String, List<Decided>>> byWorkload = new TreeMap<>();
        decided.forEach(each -> place.apply(each)
                .ifPresent(where -> byWorkload
                        .computeIfAbsent(each.arrival().workload(), _ -> new TreeMap<>())
                        .computeIfAbsent(where, _ -> new ArrayList<>())
                        .add(each)));
        lines.add("");
        lines.add(heading);
        byWorkload.entrySet().stream()
                .limit(MOST_GROUPS)
                .forEach(each -> wrap(
                        "  ",
                        each.getKey().title() + ": "
                                + each.getValue().entrySet().stream()
                                        .limit(2L * MOST_NAMED)
                                        .map(where -> where.getKey() + inWords(where.getValue(), devices))
                                        .collect(Collectors.joining(", "))
                                + (each.getValue().size() > 2 * MOST_NAMED
                                        ? " and " + (each.getValue().size() - 2 * MOST_NAMED) + " more"
                                        : ""),
                        lines));
        if (byWorkload.size() > MOST_GROUPS) {
            lines.add("  and " + (byWorkload.size() - MOST_GROUPS) + " workloads more");
        }
    }

    /** How many pods, where there are several, and their devices. */
    private static String inWords(List<Decided> pods, Map<String, List<Had>> devices) {
        List<String> names = pods.stream()
                .flatMap(pod -> Answer.devicesOf(pod, devices).stream())
                .map(had -> had.device().device())
                .toList();
        return (pods.size() > 1 ? " ×" + pods.size() : "") + (names.isEmpty() ? "" : " (" + some(names) + ")");
    }

    /** Adds two lines for each constraint: the constraint, and what is counted before and after. */
    private void skews(Answer answer, List<String> lines) {
        if (answer.skews().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("Spread");
        List<SkewChange> told =
                answer.skews().stream().filter(TextReport::isWorthTelling).toList();
        told.stream().limit(MOST_SKEWS).forEach(skew -> {
            wrap("  ", skew.workload().title() + ", " + constraint(skew) + ": " + change(skew), lines);
            wrap("    ", domains(skew.before(), skew.after()), lines);
        });
        if (told.size() > MOST_SKEWS) {
            lines.add("  and " + (told.size() - MOST_SKEWS) + " constraints more");
        }
        if (told.size() < answer.skews().size()) {
            lines.add("  " + constraints(answer.skews().size() - told.size()) + " as before");
        }
    }

    private static String constraints(int count) {
        return count + (count == 1 ? " constraint" : " constraints");
    }

    /** Whether something has changed, or is not as it should be. */
    private static boolean isWorthTelling(SkewChange skew) {
        return !skew.before().equals(skew.after())
                || skew.skewAfter() > skew.constraint().maxSkew();
    }

    private static String constraint(SkewChange skew) {
        return "maxSkew " + skew.constraint().maxSkew() + " over "
                + skew.constraint().topologyKey() + ", "
                + (skew.constraint().isHard() ? "required" : "preferred");
    }

    private static String change(SkewChange skew) {
        return "skew " + change(skew.skewBefore(), skew.skewAfter())
                + (skew.skewAfter() > skew.constraint().maxSkew() ? ", too much" : "");
    }

    private static String domains(SortedMap<String, Integer> before, SortedMap<String, Integer> after) {
        List<String> all = new ArrayList<>();
        before.keySet().stream()
                .filter(domain -> !after.containsKey(domain))
                .forEach(domain -> all.add(domain + ": " + before.get(domain) + " → no domain any more"));
        after.forEach((domain, count) -> all.add(domain + ": " + change(before.getOrDefault(domain, 0), count)));
        return all.isEmpty()
                ? "no domains"
                : all.stream().limit(MOST_DOMAINS).collect(Collectors.joining(", "))
                        + (all.size() > MOST_DOMAINS ? " and " + (all.size() - MOST_DOMAINS) + " domains more" : "");
    }

    /** Adds nodes, pods and what is asked for of cpu and memory, zone by zone, before and after. */
    private static void zones(Answer answer, List<String> lines) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"Zone", "nodes", "pods", "cpu asked for", "memory asked for"});
        Map<String, Use> zones = new TreeMap<>(answer.zonesBefore());
        answer.zonesAfter().keySet().forEach(zone -> zones.putIfAbsent(zone, Use.none()));
        if (zones.size() > 1 || !zones.containsKey("")) {
            zones.keySet()
                    .forEach(zone -> rows.add(zone(
                            zone.isEmpty() ? "in none" : zone,
                            answer.zonesBefore().getOrDefault(zone, Use.none()),
                            answer.zonesAfter().getOrDefault(zone, Use.none()))));
        }
        rows.add(zone("all", answer.before(), answer.after()));
        lines.add("");
        lines.addAll(Layout.inColumns(rows));
    }

    private static String[] zone(String name, Use before, Use after) {
        return new String[] {
            name,
            change(before.nodes(), after.nodes()),
            change(before.pods(), after.pods()),
            change(percent(before.cpuShare(), before), percent(after.cpuShare(), after)),
            change(percent(before.memoryShare(), before), percent(after.memoryShare(), after))
        };
    }

    private static String percent(double share, Use use) {
        return use.nodes() == 0 ? "–" : percent(share);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private static String change(Object before, Object after) {
        return before.equals(after) ? after.toString() : before + " → " + after;
    }

    private void compared(Answer ours, Answer.Compared compared, List<String> lines) {
        Answer theirs = compared.other();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"Compared", "this one", compared.name()});
        rows.add(row("placed", ours.placed(), theirs.placed()));
        rows.add(row("pending", ours.pending().size(), theirs.pending().size()));
        rows.add(row(
                "gone for others",
                ours.outcome().evicted().size(),
                theirs.outcome().evicted().size()));
        rows.add(row("moved", ours.moved().size(), theirs.moved().size()));
        rows.add(row("nodes in use", ours.after().inUse(), theirs.after().inUse()));
        rows.add(new String[] {
            "cpu asked for",
            percent(ours.after().cpuShare()),
            percent(theirs.after().cpuShare())
        });
        rows.add(new String[] {
            "memory asked for",
            percent(ours.after().memoryShare()),
            percent(theirs.after().memoryShare())
        });
        rows.add(new String[] {
            "the fullest node's cpu",
            percent(ours.after().fullestCpu()),
            percent(theirs.after().fullestCpu())
        });
        Map<Object, Integer> others = new HashMap<>();
        theirs.skews().forEach(skew -> others.put(List.of(skew.workload(), skew.constraint()), skew.skewAfter()));
        ours.skews().stream().limit(MOST_SKEWS).forEach(skew -> {
            Integer other = others.get(List.of(skew.workload(), skew.constraint()));
            if (other != null) {
                rows.add(row(
                        "skew of " + skew.workload().title() + " over "
                                + skew.constraint().topologyKey(),
                        skew.skewAfter(),
                        other));
            }
        });
        lines.add("");
        lines.addAll(Layout.inColumns(rows));
        if (ours.skews().size() > MOST_SKEWS) {
            lines.add("and " + (ours.skews().size() - MOST_SKEWS) + " constraints more");
        }
        long different = ours.differsFrom(theirs);
        lines.addAll(Wrapping.wrap(
                different == 0
                        ? "Every pod goes to the same node by both"
                        : different + (different == 1 ? " pod goes" : " pods go") + " elsewhere by this one",
                columns));
    }

    private static String[] row(String name, long ours, long theirs) {
        return new String[] {name, String.valueOf(ours), String.valueOf(theirs)};
    }

    private static String some(List<String> names) {
        return names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
    }

    private static String pods(int count) {
        return count + (count == 1 ? " pod" : " pods");
    }

    private void wrap(String indent, String text, List<String> lines) {
        Wrapping.hanging(text, columns - indent.length(), "  ").forEach(line -> lines.add(indent + line));
    }
}
