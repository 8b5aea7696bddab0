package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.draw.Cluster;
import io.evenkeel.lab.demo.draw.Moment;
import io.evenkeel.lab.demo.stage.Manifest;
import io.evenkeel.lab.demo.stage.Scene;
import io.evenkeel.lab.demo.stage.Telling;

/** Two hard constraints, both of which must hold. */
final class ZonesAndNodes implements Story {
    private static final Manifest DB = Manifest.statefulSet("db", 6, Constraints.ZONES_AND_NODES.formatted("db"));

    @Override
    public String namespace() {
        return "zones-and-nodes";
    }

    @Override
    public String title() {
        return "Even over zones and even over nodes";
    }

    @Override
    public String explanation() {
        return """
                A StatefulSet starts its pods one after the other, on four nodes in two
                zones. Neither zones nor nodes may ever differ by more than one pod.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[] node2[] | zone-b: node3[] node4[]");
        Cluster before = scene.cluster();
        telling.applies(DB);
        scene.create(DB);
        Cluster after = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));

        telling.draws(Moment.of("before", before), Moment.since(before, "after", after));
        telling.check(
                "each zone has three pods",
                after.podsByZone().values().stream().allMatch(pods -> pods == 3),
                after.podsByZone());
        telling.check("nodes differ by one pod at most", Cluster.skew(after.podsByNode()) <= 1, after.podsByNode());
    }
}
