package io.evenkeel.lab.demo;

import io.evenkeel.model.Node;
import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A Deployment of many pods at once, and how long that takes from end to end. */
final class LargeDeployment implements Story {
    private static final int PODS = 1_000;
    private static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");
    private static final int NODES_PER_ZONE = 20;
    private static final Manifest WEB = Manifest.deployment("web", PODS, Constraints.ZONES_AND_NODES.formatted("web"));

    @Override
    public String namespace() {
        return "large-deployment";
    }

    @Override
    public String title() {
        return "A thousand pods at once";
    }

    @Override
    public String explanation() {
        return """
                A Deployment of 1,000 pods on 60 nodes in three zones. Zones must be even,
                and so must nodes; each pod is bound by a request of its own.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw(drawing());
        Map<String, IntSummaryStatistics> before = podsPerNodeByZone(scene.cluster());
        telling.applies(WEB);
        long start = System.nanoTime();
        scene.create(WEB);
        Cluster after = scene.await("1,000 pods on nodes", cluster -> cluster.hasPlaced(PODS));
        Duration time = Duration.ofNanos(System.nanoTime() - start);

        telling.draws(table(before, podsPerNodeByZone(after)));
        telling.say(
                "time",
                "%,d ms from the request to the last node seen in the API: %,d pods/s, with the API server, the controllers and the scheduler in one process."
                        .formatted(time.toMillis(), PODS * 1000L / Math.max(1, time.toMillis())));
        telling.check("all 1,000 pods have a node", after.hasPlaced(PODS), after.sentence());
        telling.check("zones differ by one pod at most", Cluster.skew(after.podsByZone()) <= 1, after.podsByZone());
        telling.check(
                "nodes differ by one pod at most",
                Cluster.skew(after.podsByNode()) <= 1,
                "a skew of " + Cluster.skew(after.podsByNode()));
    }

    private static String drawing() {
        return String.join(
                " | ",
                ZONES.stream()
                        .map(zone -> zone + ": "
                                + String.join(
                                        " ",
                                        IntStream.rangeClosed(1, NODES_PER_ZONE)
                                                .mapToObj(number -> zone + "-" + number + "[]")
                                                .toList()))
                        .toList());
    }

    private static Map<String, IntSummaryStatistics> podsPerNodeByZone(Cluster cluster) {
        Map<String, Integer> byNode = cluster.podsByNode();
        Map<String, IntSummaryStatistics> zones = new TreeMap<>();
        for (Node node : cluster.nodes()) {
            zones.computeIfAbsent(Cluster.zoneOf(node), zone -> new IntSummaryStatistics())
                    .accept(byNode.getOrDefault(node.name(), 0));
        }
        return zones;
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
