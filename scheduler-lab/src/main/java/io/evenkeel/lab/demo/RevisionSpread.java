package io.evenkeel.lab.demo;

import io.evenkeel.model.Pod;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** matchLabelKeys makes each revision of a Deployment count its own pods only. */
final class RevisionSpread implements Story {
    private static final int REPLICAS = 4;
    private static final String NEW_IMAGE = "registry.k8s.io/pause:3.10.1";
    private static final Manifest WITH = Manifest.surgingDeployment(
            "with", REPLICAS, Constraints.ZONES.formatted("with") + "  matchLabelKeys: [pod-template-hash]\n");
    private static final Manifest WITHOUT =
            Manifest.surgingDeployment("without", REPLICAS, Constraints.ZONES.formatted("without"));

    @Override
    public String namespace() {
        return "rolling-update";
    }

    @Override
    public String title() {
        return "A rolling update with matchLabelKeys";
    }

    @Override
    public String explanation() {
        return """
                The old pods stand in zone-a, since zone-b was away when they came. All new
                pods come before the old ones go; they should be even among themselves.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[] node2[]");
        telling.applies(WITH);
        telling.say("", WITHOUT.what() + ": the same, but for the last line");
        scene.create(WITH);
        scene.create(WITHOUT);
        scene.await("both Deployments' pods on nodes", cluster -> cluster.hasPlaced(2 * REPLICAS));
        scene.join("node3", "zone-b");
        scene.join("node4", "zone-b");
        Cluster before = scene.cluster();
        telling.say("then", "both get a new image, " + NEW_IMAGE);
        Set<String> old = before.pods().stream().map(Pod::name).collect(Collectors.toSet());
        scene.setImage("with", NEW_IMAGE);
        scene.setImage("without", NEW_IMAGE);
        Cluster after = scene.await(
                "new pods only, all on nodes",
                cluster -> cluster.hasPlaced(2 * REPLICAS)
                        && cluster.pods().stream().noneMatch(pod -> old.contains(pod.name())));

        Map<String, Integer> with = after.ofApp("with").podsByZone();
        Map<String, Integer> without = after.ofApp("without").podsByZone();
        telling.draws(
                Moment.of("with, before", before.ofApp("with")),
                Moment.of("after", after.ofApp("with")),
                Moment.of("without, before", before.ofApp("without")),
                Moment.of("after", after.ofApp("without")));
        telling.say("why", "Without it, new pods counted the old ones too, and made up for them until these went.");
        telling.check("with matchLabelKeys the zones end up even", with.equals(Map.of("zone-a", 2, "zone-b", 2)), with);
        telling.check(
                "without it they end up as skewed as before",
                without.equals(Map.of("zone-a", 0, "zone-b", 4)),
                without);
    }
}
