package io.evenkeel.lab.demo;

import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.stream.IntStream;

/** A gang for which there is no place: none of it takes one, it says why, and goes on as soon as there is one. */
final class WaitingGang implements Story {
    private static final int NEEDED = 4;
    private static final String WHY =
            "4 are asked for: anti-affinity over nodes (kubernetes.io/hostname) and the room there"
                    + " contradict each other; 3 would do";
    private static final Manifest GROUP = Manifest.podGroup("train", "schedulingPolicy:\n  gang: {minCount: 4}\n");
    private static final List<Manifest> WORKERS = IntStream.rangeClosed(1, NEEDED)
            .mapToObj(number -> Manifest.pod("train-" + number, """
                    schedulerName: gangs
                    schedulingGroup: {podGroupName: train}
                    affinity:
                      podAntiAffinity:
                        requiredDuringSchedulingIgnoredDuringExecution: [{
                          topologyKey: kubernetes.io/hostname,
                          labelSelector: {matchLabels: {app: train}}}]
                    """))
            .toList();

    @Override
    public String namespace() {
        return "gang";
    }

    @Override
    public String title() {
        return "A gang that waits for a node";
    }

    @Override
    public String explanation() {
        return """
                Four workers that are of no use but together, each on a node of its own.
                There are three nodes, so none of them may take one and wait there.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[] | zone-b: node2[] | zone-c: node3[]");
        Cluster before = scene.cluster();
        telling.say("profile", "of the scheduler's configuration");
        telling.quote(DemoConfiguration.ofProfile("gangs"));
        telling.applies(GROUP);
        telling.applies(WORKERS.getFirst());
        telling.say("", "and train-2, train-3 and train-4");
        scene.create(GROUP);
        WORKERS.forEach(scene::create);
        Cluster waiting = scene.await("four workers refused", cluster -> cluster.hasPlacedAndRefused(0, NEEDED));

        String condition = waiting.sentence();
        telling.say("status", condition);
        String event = event(scene);
        telling.say("event", event);
        telling.say("so", "A fourth node joins:");
        scene.join("node4", "zone-a");
        Cluster after = scene.await("four workers on nodes", cluster -> cluster.hasPlaced(NEEDED));

        telling.draws(
                Moment.of("before", before),
                Moment.of("applied", waiting),
                Moment.since(before, "node4 joined", after));
        telling.check("no worker has a node before all have", waiting.waiting().size() == NEEDED, waiting.sentence());
        telling.check(
                "each worker says what its gang waits for",
                condition.endsWith("pod group gang/train waits: " + WHY),
                condition);
        telling.check("and so does an event of the PodGroup", event.endsWith(WHY), event);
        telling.check("with a fourth node all four go", after.hasPlaced(NEEDED), after.sentence());
    }

    private static String event(Scene scene) {
        return scene.user()
                .awaitEvent(
                        scene.namespace(),
                        event -> Trees.text(event, "involvedObject", "kind").equals("PodGroup"),
                        scene.stage().patience())
                .map(event -> Trees.text(event, "type") + " " + Trees.text(event, "reason") + " podgroup/"
                        + Trees.text(event, "involvedObject", "name") + ": " + Trees.text(event, "message"))
                .orElse("no event");
    }
}
