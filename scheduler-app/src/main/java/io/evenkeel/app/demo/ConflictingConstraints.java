package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.DemoObjects.pod;
import static io.evenkeel.app.demo.SpreadBuilder.overNodes;
import static io.evenkeel.app.demo.SpreadBuilder.overZones;

import io.evenkeel.model.Pod;

/** Two hard constraints that no node satisfies at once. */
final class ConflictingConstraints implements Story {
    @Override
    public String title() {
        return "Two constraints that contradict each other";
    }

    @Override
    public String explanation() {
        return """
                Five pods on three nodes. By zones the next must go to zone-b; by nodes
                it must go to node2, which is in zone-a. So it goes nowhere, and waits.
                """;
    }

    @Override
    public void play(Telling telling) {
        DemoCluster cluster = DemoCluster.drawn("zone-a: node1[web-1 web-2] node2[web-3] | zone-b: node3[web-4 web-5]");
        Pod sixth = pod("web-6")
                .spread(overZones(1).ofApp("web"))
                .spread(overNodes(1).ofApp("web"))
                .build();
        telling.asks(sixth);

        Snapshot before = Snapshot.of("before", cluster);
        Answer answer = cluster.schedule(sixth);

        telling.draws(before, Snapshot.of("after", cluster));
        telling.decides(answer);
        telling.say("see", "The message does not say which constraint; the counts per domain do:");
        telling.drawsSkew(cluster, sixth);
        telling.say("so", "No node keeps both: zone-b has only node3, and node2 is in zone-a.");

        telling.check("web-6 waits", !answer.isPlaced());
        telling.check(
                "and the message is word for word the FitError of kube-scheduler",
                answer.message()
                        .equals("0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints."));
    }
}
