package io.evenkeel.lab.demo;

import io.evenkeel.hollow.controller.Capacity;
import java.util.Map;

/** Constraints for pods that have none come from the profile that schedules them. */
final class ProfileDefaults implements Story {
    private static final Manifest CROWD = Manifest.deployment("crowd", 6, "schedulerName: no-defaults\n");
    private static final Manifest EVEN = Manifest.deployment("even", 6, "schedulerName: even-zones\n");

    @Override
    public String namespace() {
        return "default-constraints";
    }

    @Override
    public String title() {
        return "Default constraints by configuration";
    }

    @Override
    public String explanation() {
        return """
                Pods without a constraint crowd on the big node, which has most room. The
                profile even-zones, in the same scheduler, gives its pods a constraint.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-b: node2[] | zone-c: node3[]");
        scene.join("node1", "zone-a", Capacity.of("64", "256Gi", 110));
        Cluster before = scene.cluster();
        telling.say("profile", "of the scheduler's configuration");
        telling.quote(DemoConfiguration.ofProfile("even-zones"));
        telling.say("apply", "Service even, selector app: even; default constraints count whom it selects");
        telling.applies(CROWD);
        telling.applies(EVEN);
        scene.createService("even");
        scene.create(CROWD);
        scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));
        scene.create(EVEN);
        Cluster after = scene.await("twelve pods on nodes", cluster -> cluster.hasPlaced(12));

        Cluster crowd = after.ofApp("crowd");
        Cluster even = after.ofApp("even");
        telling.draws(Moment.of("before", before), Moment.of("no-defaults", crowd), Moment.of("even-zones", even));
        telling.check(
                "without default constraints all stand on the big node",
                crowd.podsByZone().equals(Map.of("zone-a", 6, "zone-b", 0, "zone-c", 0)),
                crowd.podsByZone());
        telling.check(
                "with them, each zone has two",
                even.podsByZone().equals(Map.of("zone-a", 2, "zone-b", 2, "zone-c", 2)),
                even.podsByZone());
    }
}
