package io.evenkeel.lab.demo;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.json.Trees;

/** Two hard constraints that no node satisfies at once: how to see it, and what helps. */
final class ConflictingConstraints implements Story {
    private static final String MESSAGE =
            "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints."
                    + " no new claims to deallocate, preemption: 0/3 nodes are available:"
                    + " 3 No preemption victims found for incoming pod.";
    private static final Manifest SIXTH = Manifest.pod("web-6", Constraints.ZONES_AND_NODES.formatted("web"));

    @Override
    public String namespace() {
        return "conflict";
    }

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
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[web-1 web-2] node2[web-3] | zone-b: node3[web-4 web-5]");
        Cluster before = scene.cluster();
        telling.applies(SIXTH);
        scene.create(SIXTH);
        Cluster waiting = scene.await("web-6 refused", cluster -> cluster.hasPlacedAndRefused(5, 1));

        Pod sixth = waiting.waiting().getFirst();
        String condition = condition(sixth);
        telling.say("status", condition);
        String event = event(scene);
        telling.say("event", event);
        telling.say("why", "Neither says which constraint; the counts per domain do:");
        telling.drawsSkew(waiting, sixth);
        telling.say("so", "No node keeps both. A second node in zone-b would, and now it joins:");
        scene.join("node4", "zone-b");
        Cluster after = scene.await("web-6 on a node", cluster -> cluster.hasPlaced(6));

        telling.draws(
                Moment.of("before", before),
                Moment.of("applied", waiting),
                Moment.since(before, "node4 joined", after));
        telling.check(
                "the pod's condition says why it waits, in kube-scheduler's words",
                condition.endsWith(MESSAGE),
                condition);
        telling.check("and so does the event", event.contains("FailedScheduling") && event.contains(MESSAGE), event);
        telling.check("web-6 goes to node4 once that is there", after.isOn("web-6", "node4"), after.podsByNode());
    }

    private static String condition(Pod pod) {
        PodCondition condition = pod.status().scheduled().orElseThrow();
        return condition.type() + " " + condition.status() + " " + condition.reason() + ": " + condition.message();
    }

    private static String event(Scene scene) {
        return scene.user()
                .awaitEvent(
                        scene.namespace(),
                        event -> Trees.text(event, "reason").equals("FailedScheduling"),
                        scene.stage().patience())
                .map(event -> Trees.text(event, "type") + " FailedScheduling " + "pod/"
                        + Trees.text(event, "involvedObject", "name") + ": " + Trees.text(event, "message"))
                .orElse("no event");
    }
}
