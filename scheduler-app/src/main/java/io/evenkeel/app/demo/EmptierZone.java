package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.DemoObjects.pod;
import static io.evenkeel.app.demo.SpreadBuilder.overZones;

import io.evenkeel.model.Pod;

/** A hard constraint over zones leaves only the zone with fewer pods. */
final class EmptierZone implements Story {
    @Override
    public String title() {
        return "The fourth pod goes to the emptier zone";
    }

    @Override
    public String explanation() {
        return """
                Three pods stand in two zones, two and one. Zones may differ by one pod at
                most, so a fourth in zone-a is forbidden: that would make it three to one.
                """;
    }

    @Override
    public void play(Telling telling) {
        DemoCluster cluster = DemoCluster.drawn("zone-a: node1[web-1] node2[web-2] | zone-b: node3[web-3] node4[]");
        Pod fourth = pod("web-4").spread(overZones(1).ofApp("web")).build();
        telling.asks(fourth);

        Snapshot before = Snapshot.of("before", cluster);
        Answer answer = cluster.schedule(fourth);

        telling.draws(before, Snapshot.of("after", cluster));
        telling.decides(answer);
        telling.check("web-4 stands in zone-b", answer.isIn("zone-b"));
    }
}
