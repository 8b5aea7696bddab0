package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.draw.Cluster;
import io.evenkeel.lab.demo.draw.Moment;
import io.evenkeel.lab.demo.stage.Manifest;
import io.evenkeel.lab.demo.stage.Scene;
import io.evenkeel.lab.demo.stage.Telling;
import java.util.Map;

/** nodeTaintsPolicy decides whether nodes that the pod cannot use count. */
final class TaintedNodes implements Story {
    private static final Manifest IGNORE = Manifest.deployment("ignore", 3, Constraints.ZONES.formatted("ignore"));
    private static final Manifest HONOR =
            Manifest.deployment("honor", 3, Constraints.ZONES.formatted("honor") + "  nodeTaintsPolicy: Honor\n");

    @Override
    public String namespace() {
        return "tainted-nodes";
    }

    @Override
    public String title() {
        return "nodeTaintsPolicy: a node that the pod cannot use";
    }

    @Override
    public String explanation() {
        return """
                Zone-c has one node, tainted and empty. With Ignore, the default, it is
                the emptiest zone and blocks the others; with Honor it does not count.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[] | zone-b: node2[] | zone-c: node3[]");
        scene.taint("node3", "dedicated", "database");
        Cluster before = scene.cluster();
        telling.applies(HONOR);
        telling.say("", IGNORE.what() + ": the same, but for the last line");
        scene.create(HONOR);
        scene.create(IGNORE);
        Cluster after = scene.await("five pods on nodes, one refused", cluster -> cluster.hasPlacedAndRefused(5, 1));

        Cluster honored = after.ofApp("honor");
        Cluster ignored = after.ofApp("ignore");
        telling.draws(Moment.of("before", before), Moment.of("Ignore", ignored), Moment.of("Honor", honored));
        telling.check(
                "with Ignore the third pod waits",
                ignored.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1, "zone-c", 0)),
                ignored.podsByZone());
        telling.check(
                "with Honor it has a node, and not the tainted one",
                honored.hasPlaced(3) && honored.podsByNode().getOrDefault("node3", 0) == 0,
                honored.podsByNode());
    }
}
