package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.DemoObjects.pod;
import static io.evenkeel.app.demo.SpreadBuilder.overNodes;
import static io.evenkeel.app.demo.SpreadBuilder.overZones;

import io.evenkeel.model.Pod;

/** Two hard constraints, both of which must hold. */
final class ZonesAndNodes implements Story {
    @Override
    public String title() {
        return "Even over zones and even over nodes";
    }

    @Override
    public String explanation() {
        return """
                The same cluster, and a second constraint: nodes too may differ by one pod at
                most. Each constraint rules out nodes by itself; what both leave is node4.
                """;
    }

    @Override
    public void play(Telling telling) {
        DemoCluster cluster = DemoCluster.drawn("zone-a: node1[web-1] node2[web-2] | zone-b: node3[web-3] node4[]");
        Pod fourth = pod("web-4")
                .spread(overZones(1).ofApp("web"))
                .spread(overNodes(1).ofApp("web"))
                .build();
        telling.asks(fourth);

        Snapshot before = Snapshot.of("before", cluster);
        Answer answer = cluster.schedule(fourth);

        telling.draws(before, Snapshot.of("after", cluster));
        telling.decides(answer);
        telling.check("web-4 stands on node4", answer.isOn("node4"));
    }
}
