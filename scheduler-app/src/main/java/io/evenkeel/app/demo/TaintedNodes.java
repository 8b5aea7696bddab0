package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.DemoObjects.node;
import static io.evenkeel.app.demo.DemoObjects.pod;
import static io.evenkeel.app.demo.SpreadBuilder.overZones;

import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.TopologySpreadConstraint.NodeInclusionPolicy;

/** nodeTaintsPolicy decides whether nodes that the pod cannot use count. */
final class TaintedNodes implements Story {
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
    public void play(Telling telling) {
        Pod thirdIgnoring = thirdPod(NodeInclusionPolicy.IGNORE);
        Pod thirdHonoring = thirdPod(NodeInclusionPolicy.HONOR);
        telling.asks(thirdIgnoring);
        telling.asks(thirdHonoring);

        Snapshot before = Snapshot.of("before", cluster());
        DemoCluster ignoring = cluster();
        Answer ignored = ignoring.schedule(thirdIgnoring);
        DemoCluster honoring = cluster();
        Answer honored = honoring.schedule(thirdHonoring);

        telling.draws(before, Snapshot.of("with Ignore", ignoring), Snapshot.of("with Honor", honoring));
        telling.decides("Ignore", ignored);
        telling.decides("Honor", honored);
        telling.check("with Ignore web-3 waits", !ignored.isPlaced());
        telling.check("with Honor web-3 is placed, and not on the tainted node", honored.isIn("zone-a"));
    }

    private static DemoCluster cluster() {
        DemoCluster cluster = DemoCluster.drawn("zone-a: node1[web-1] | zone-b: node2[web-2]");
        cluster.put(node("node3", "zone-c")
                .taint("dedicated", "database", TaintEffect.NO_SCHEDULE)
                .build());
        return cluster;
    }

    private static Pod thirdPod(NodeInclusionPolicy policy) {
        return pod("web-3")
                .spread(overZones(1).nodeTaintsPolicy(policy).ofApp("web"))
                .build();
    }
}
