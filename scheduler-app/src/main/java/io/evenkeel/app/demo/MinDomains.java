package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.DemoObjects.node;
import static io.evenkeel.app.demo.DemoObjects.pod;
import static io.evenkeel.app.demo.SpreadBuilder.overZones;

import io.evenkeel.model.Pod;

/** minDomains holds pods back until there are enough zones. */
final class MinDomains implements Story {
    @Override
    public String title() {
        return "minDomains: wait for a third zone";
    }

    @Override
    public String explanation() {
        return """
                Two zones have a pod each, and minDomains asks for three zones. Until there
                are three, the emptiest counts as 0, so neither zone may take a second pod.
                """;
    }

    @Override
    public void play(Telling telling) {
        DemoCluster cluster = DemoCluster.drawn("zone-a: node1[web-1] | zone-b: node2[web-2]");
        Pod third = pod("web-3").spread(overZones(1).minDomains(3).ofApp("web")).build();
        telling.asks(third);

        Answer withTwoZones = cluster.schedule(third);
        Snapshot waiting = Snapshot.of("before", cluster);
        cluster.put(node("node3", "zone-c").build());
        Snapshot joined = Snapshot.of("node3 joins", cluster);
        Answer withThreeZones = cluster.schedule(third);

        telling.draws(waiting, joined, Snapshot.of("after", cluster));
        telling.decides("first", withTwoZones);
        telling.decides("again", withThreeZones);
        telling.check("web-3 waits while there are two zones", !withTwoZones.isPlaced());
        telling.check("web-3 stands in zone-c once it is there", withThreeZones.isIn("zone-c"));
    }
}
