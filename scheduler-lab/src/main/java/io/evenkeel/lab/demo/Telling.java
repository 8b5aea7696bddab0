package io.evenkeel.lab.demo;

import static java.util.stream.Collectors.joining;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.TextTable.Cell;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.problem.UserProblem;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** The words of a story, printed as they are said; and whether all came out as told. */
final class Telling {
    private static final String MARGIN = Page.MARGIN;
    private static final int LABEL_WIDTH = 9;
    private static final String QUOTE = MARGIN + " ".repeat(LABEL_WIDTH + 2);

    private final Page page;
    private final PrintWriter out;
    private final Palette palette;
    private final List<String> checks = new ArrayList<>();
    private boolean asTold = true;
    private boolean endsWithBlankLine;

    Telling(Page page) {
        this.page = page;
        this.out = page.out();
        this.palette = page.palette();
    }

    boolean isAsTold() {
        return asTold;
    }

    /** Tells what the user applies: in few words, and the lines that matter. */
    void applies(Manifest manifest) {
        say("apply", manifest.what());
        quote(manifest.point());
    }

    /** How many columns there are for lines that are quoted. */
    int quoted() {
        return page.width() - QUOTE.length();
    }

    /** Lines that a command has printed, broken where the page is narrower than it can be. */
    void prints(String lines) {
        lines.lines().forEach(line -> {
            String text = line.stripLeading();
            String indent = line.substring(0, line.length() - text.length());
            Wrapping.hanging(text, quoted() - indent.length(), "  ")
                    .forEach(part -> out.println((QUOTE + indent + part).stripTrailing()));
        });
        out.flush();
    }

    /** Lines of a file, as they are. */
    void quote(String lines) {
        lines.lines().forEach(line -> out.println((QUOTE + line).stripTrailing()));
        out.flush();
    }

    void draws(Moment... moments) {
        draws(ClusterTable.of(palette, moments));
    }

    /** How a pod's constraints see the cluster, domain by domain. */
    void drawsSkew(Cluster cluster, Pod pod) {
        draws(SkewTable.of(palette, cluster, pod));
    }

    void draws(TextTable table) {
        out.println();
        table.draw(page.width()).forEach(out::println);
        out.println();
        endsWithBlankLine = true;
    }

    /** Any other remark, under a label. */
    void say(String label, String text) {
        String indent = " ".repeat(LABEL_WIDTH);
        String start = label + " ".repeat(LABEL_WIDTH - label.length());
        for (String line : Wrapping.wrap(text, page.width() - MARGIN.length() - LABEL_WIDTH)) {
            out.println(MARGIN + palette.faint(start) + line);
            start = indent;
        }
        endsWithBlankLine = false;
        out.flush();
    }

    /**
     * A point that the story makes, printed at its end.
     *
     * @param seen what the point is about, as it came out
     */
    void check(String expectation, boolean holds, Object seen) {
        asTold &= holds;
        if (holds) {
            add(palette.good("✓ "), expectation);
        } else {
            add(palette.bad("✗ "), expectation + ": seen instead: " + seen);
        }
    }

    /** The story ends before its points are made. */
    void breaksOff(NotAsToldException instead) {
        asTold = false;
        add(palette.bad("✗ "), String.valueOf(instead.getMessage()));
    }

    private void add(String mark, String text) {
        String start = mark;
        for (String line : Wrapping.wrap(text, page.width() - MARGIN.length())) {
            checks.add(" " + start + line);
            start = "  ";
        }
    }

    void end() {
        if (!endsWithBlankLine) {
            out.println();
        }
        checks.forEach(out::println);
        out.flush();
    }

    /**
     * Draws what a pod's constraints make of each domain: {@code pods + this one − fewest = skew}, against maxSkew. Counted
     * from the pods, for constraints without minDomains, matchLabelKeys and policies, and a pod that they select.
     */
    static final class SkewTable {
        private SkewTable() {}

        static TextTable of(Palette palette, Cluster cluster, Pod pod) {
            TextTable table = TextTable.withHeads("", "pods + this one − fewest = skew", "maxSkew");
            for (TopologySpreadConstraint constraint : pod.spec().topologySpread()) {
                table.rule().row(constraint.topologyKey(), "", String.valueOf(constraint.maxSkew()));
                Map<String, Integer> counts = counts(cluster, pod, constraint);
                int fewest = Collections.min(counts.values());
                counts.forEach((domain, count) -> {
                    int skew = count + 1 - fewest;
                    String sum = count + " + 1 − " + fewest + " = " + skew;
                    Cell verdict = skew <= constraint.maxSkew()
                            ? new Cell("kept", palette::good)
                            : new Cell("exceeded", palette::bad);
                    table.row(List.of(Cell.of("  " + domain), Cell.of(sum), verdict));
                });
            }
            return table;
        }

        private static Map<String, Integer> counts(Cluster cluster, Pod pod, TopologySpreadConstraint constraint) {
            Map<String, Integer> counts = new TreeMap<>();
            for (Node node : cluster.nodes()) {
                long matching = cluster.podsOn(node).stream()
                        .filter(other -> other.namespace().equals(pod.namespace()))
                        .filter(other -> constraint.labelSelector().matches(other.labels()))
                        .count();
                counts.merge(node.labels().getOrDefault(constraint.topologyKey(), ""), (int) matching, Integer::sum);
            }
            return counts;
        }
    }

    /**
     * Draws moments of a cluster beside each other: zones with the number of their pods, under them their nodes with their
     * pods. Pods that came during the story have a plus sign, if they have names of their own.
     */
    static final class ClusterTable {
        private static final String NOTHING = "·";
        private static final Comparator<Node> BY_NAME = Comparator.comparing(Node::name);

        private final List<Moment> moments;
        private final Palette palette;

        private ClusterTable(List<Moment> moments, Palette palette) {
            this.moments = moments;
            this.palette = palette;
        }

        static TextTable of(Palette palette, Moment... moments) {
            return new ClusterTable(List.of(moments), palette).table();
        }

        private TextTable table() {
            TextTable table = TextTable.withHeads(
                    Stream.concat(Stream.of(""), moments.stream().map(Moment::head))
                            .toArray(String[]::new));
            for (String zone : zones()) {
                table.rule().row(line(zone, moment -> zoneCell(moment, zone)));
                for (Node node : nodesOf(zone)) {
                    table.row(line("  " + nameOf(node), moment -> nodeCell(moment, node)));
                }
            }
            if (moments.stream().anyMatch(moment -> !moment.waiting().isEmpty())) {
                table.rule().row(line("waiting", this::waitingCell));
            }
            return table;
        }

        private List<Cell> line(String name, Function<Moment, Cell> cellOf) {
            List<Cell> cells = new ArrayList<>(List.of(Cell.of(name)));
            moments.forEach(moment -> cells.add(cellOf.apply(moment)));
            return cells;
        }

        private Set<String> zones() {
            Set<String> zones = new TreeSet<>();
            moments.forEach(moment -> moment.nodes().keySet().forEach(node -> zones.add(Cluster.zoneOf(node))));
            return zones;
        }

        private Set<Node> nodesOf(String zone) {
            Set<Node> nodes = new TreeSet<>(BY_NAME);
            moments.forEach(moment -> nodesOf(moment, zone).forEach(nodes::add));
            return nodes;
        }

        private static Stream<Node> nodesOf(Moment moment, String zone) {
            return moment.nodes().keySet().stream()
                    .filter(node -> Cluster.zoneOf(node).equals(zone));
        }

        private static String nameOf(Node node) {
            return node.taints().isEmpty() ? node.name() : node.name() + " (tainted)";
        }

        private Cell zoneCell(Moment moment, String zone) {
            Optional<Integer> pods = nodesOf(moment, zone)
                    .map(node -> moment.nodes().getOrDefault(node, List.of()).size())
                    .reduce(Integer::sum);
            return new Cell(pods.map(ClusterTable::podCount).orElse("not there"), palette::faint);
        }

        private static String podCount(int pods) {
            return pods == 1 ? "1 pod" : pods + " pods";
        }

        private Cell nodeCell(Moment moment, Node node) {
            return moment.podsOn(node.name())
                    .map(pods -> pods.isEmpty()
                            ? new Cell(NOTHING, palette::faint)
                            : new Cell(String.join(" ", pods), this::paintNew))
                    .orElseGet(() -> Cell.of(""));
        }

        private String paintNew(String names) {
            return Arrays.stream(names.split(" "))
                    .map(name -> name.startsWith(Moment.NEW) ? palette.good(name) : name)
                    .collect(joining(" "));
        }

        private Cell waitingCell(Moment moment) {
            return moment.waiting().isEmpty()
                    ? new Cell(NOTHING, palette::faint)
                    : new Cell(String.join(" ", moment.waiting()), palette::bad);
        }
    }

    /** A story waited for something, and something else came. */
    static final class NotAsToldException extends UserProblem {
        private static final long serialVersionUID = 1L;

        NotAsToldException(String message) {
            super(message);
        }
    }
}
