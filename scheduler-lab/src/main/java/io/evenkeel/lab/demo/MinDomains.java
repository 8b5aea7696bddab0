package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.draw.Cluster;
import io.evenkeel.lab.demo.draw.Moment;
import io.evenkeel.lab.demo.stage.Manifest;
import io.evenkeel.lab.demo.stage.Scene;
import io.evenkeel.lab.demo.stage.Telling;
import java.util.Map;

/** minDomains holds pods back until there are enough zones. */
final class MinDomains implements Story {
    private static final Manifest WEB =
            Manifest.deployment("web", 3, Constraints.ZONES.formatted("web") + "  minDomains: 3\n");

    @Override
    public String namespace() {
        return "min-domains";
    }

    @Override
    public String title() {
        return "minDomains: wait for a third zone";
    }

    @Override
    public String explanation() {
        return """
                Three pods, two zones, and minDomains asks for three zones. Until there are
                three, the emptiest counts as 0, so no zone may take a second pod.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[] | zone-b: node2[]");
        Cluster before = scene.cluster();
        telling.applies(WEB);
        scene.create(WEB);
        Cluster waiting = scene.await("two pods on nodes, one refused", cluster -> cluster.hasPlacedAndRefused(2, 1));
        scene.join("node3", "zone-c");
        Cluster after = scene.await("three pods on nodes", cluster -> cluster.hasPlaced(3));

        telling.draws(Moment.of("before", before), Moment.of("applied", waiting), Moment.of("node3 joined", after));
        telling.check(
                "one pod waits while there are two zones",
                waiting.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1)),
                waiting.podsByZone());
        telling.check(
                "it goes to zone-c once that is there",
                after.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1, "zone-c", 1)),
                after.podsByZone());
    }
}
