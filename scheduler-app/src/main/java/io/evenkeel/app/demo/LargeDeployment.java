package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.DemoObjects.node;
import static io.evenkeel.app.demo.DemoObjects.pod;
import static io.evenkeel.app.demo.SpreadBuilder.overNodes;
import static io.evenkeel.app.demo.SpreadBuilder.overZones;

import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A Deployment that is scaled up at once. */
final class LargeDeployment implements Story {
    private static final int PODS = 300;
    private static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");
    private static final int NODES_PER_ZONE = 10;

    @Override
    public String title() {
        return "Three hundred pods at once";
    }

    @Override
    public String explanation() {
        return """
                A Deployment scales to 300 pods on 30 nodes in three zones. Zones must be
                even at each moment on the way, not only at the end; nodes should be, too.
                """;
    }

    @Override
    public void play(Telling telling) {
        DemoCluster cluster = cluster();
        List<Pod> pods = pods();
        telling.asks(pods);

        Map<String, IntSummaryStatistics> before = podsPerNodeByZone(cluster);
        Map<String, Integer> placed = new TreeMap<>();
        ZONES.forEach(zone -> placed.put(zone, 0));
        int widest = 0;
        for (Pod pod : pods) {
            cluster.schedule(pod).node().ifPresent(node -> placed.merge(DemoObjects.zoneOf(node), 1, Integer::sum));
            widest = Math.max(widest, skew(placed.values()));
        }
        Map<String, IntSummaryStatistics> after = podsPerNodeByZone(cluster);

        telling.draws(table(before, after));
        telling.say(
                "decided",
                placed.values().stream().mapToInt(Integer::intValue).sum() + " of " + PODS
                        + " pods placed; zones differed by " + widest + " pod at most on the way.");
        Duration time = cluster.engineTime();
        telling.say(
                "time",
                time.toMillis() + " ms in the engine, " + time.dividedBy(PODS).toNanos() / 1000
                        + " µs a pod, in a JVM that has just started. Binding is not in it.");
        telling.check("each zone has 100 pods", after.values().stream().allMatch(zone -> zone.getSum() == 100));
        telling.check(
                "each node has 10",
                after.values().stream().allMatch(zone -> zone.getMin() == 10 && zone.getMax() == 10));
        telling.check("zones never differed by more than one", widest <= 1);
    }

    private static DemoCluster cluster() {
        DemoCluster cluster = DemoCluster.empty();
        for (String zone : ZONES) {
            for (int number = 1; number <= NODES_PER_ZONE; number++) {
                cluster.put(node(zone + "-" + number, zone).build());
            }
        }
        return cluster;
    }

    private static List<Pod> pods() {
        return IntStream.rangeClosed(1, PODS)
                .mapToObj(number -> pod("web-" + number)
                        .spread(overZones(1).ofApp("web"))
                        .spread(overNodes(1).orScheduleAnyway().ofApp("web"))
                        .build())
                .toList();
    }

    private static Map<String, IntSummaryStatistics> podsPerNodeByZone(DemoCluster cluster) {
        Map<String, IntSummaryStatistics> zones = new TreeMap<>();
        cluster.nodes()
                .forEach(node -> zones.computeIfAbsent(DemoObjects.zoneOf(node), zone -> new IntSummaryStatistics())
                        .accept(cluster.podsOn(node).size()));
        return zones;
    }

    private static int skew(Collection<Integer> counts) {
        return Collections.max(counts) - Collections.min(counts);
    }

    private static TextTable table(Map<String, IntSummaryStatistics> before, Map<String, IntSummaryStatistics> after) {
        TextTable table = TextTable.withHeads("", "nodes", "before", "after", "fewest on a node", "most on a node")
                .rule();
        before.forEach((zone, empty) -> {
            IntSummaryStatistics full = after.getOrDefault(zone, new IntSummaryStatistics());
            table.row(
                    zone,
                    String.valueOf(full.getCount()),
                    empty.getSum() + " pods",
                    full.getSum() + " pods",
                    String.valueOf(full.getMin()),
                    String.valueOf(full.getMax()));
        });
        return table;
    }
}
