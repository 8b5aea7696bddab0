package io.evenkeel.lab.demo;

import static java.util.stream.Collectors.joining;

import io.evenkeel.lab.demo.TextTable.Cell;
import io.evenkeel.model.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Draws moments of a cluster beside each other: zones with the number of their pods, under them their nodes with their
 * pods. Pods that came during the story have a plus sign, if they have names of their own.
 */
final class ClusterTable {
    private static final String NOTHING = "·";
    private static final Comparator<Node> BY_NAME = Comparator.comparing(Node::name);

    private final List<Moment> moments;
    private final Palette palette;

    private ClusterTable(List<Moment> moments, Palette palette) {
        this.moments = moments;
        this.palette = palette;
    }

    public static TextTable of(Palette palette, Moment... moments) {
        return new ClusterTable(List.of(moments), palette).table();
    }

    private TextTable table() {
        TextTable table = TextTable.withHeads(
                Stream.concat(Stream.of(""), moments.stream().map(Moment::head)).toArray(String[]::new));
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
