package io.evenkeel.lab.demo;

import java.util.Map;

/** A hard constraint over zones of different sizes. */
final class ZoneSpread implements Story {
    private static final Manifest WEB = Manifest.deployment("web", 6, Constraints.ZONES.formatted("web"));

    @Override
    public String namespace() {
        return "zone-spread";
    }

    @Override
    public String title() {
        return "Even over zones";
    }

    @Override
    public String explanation() {
        return """
                Zone-a has three nodes, zone-b two, zone-c one. Six pods should stand two in
                each zone all the same: zones may differ by one pod at most.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[] node2[] node3[] | zone-b: node4[] node5[] | zone-c: node6[]");
        Cluster before = scene.cluster();
        telling.applies(WEB);
        scene.create(WEB);
        Cluster after = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));

        telling.draws(Moment.of("before", before), Moment.since(before, "after", after));
        telling.check(
                "each zone has two pods",
                after.podsByZone().equals(Map.of("zone-a", 2, "zone-b", 2, "zone-c", 2)),
                after.podsByZone());
    }
}
