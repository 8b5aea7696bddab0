package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.SpreadBuilder.overZones;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** matchLabelKeys makes each revision of a Deployment count its own pods only. */
final class RollingUpdate implements Story {
    private static final String REVISION = "pod-template-hash";
    private static final String OLD_PODS = "zone-a: node1[old-1 old-2] node2[old-3 old-4] | zone-b: node3[] node4[]";

    @Override
    public String title() {
        return "A rolling update with matchLabelKeys";
    }

    @Override
    public String explanation() {
        return """
                The old revision stands in zone-a, since zone-b was away when it came. Four
                new pods come before the old ones go; they should be even among themselves.
                """;
    }

    @Override
    public void play(Telling telling) {
        SpreadBuilder byRevision = overZones(1).matchLabelKeys(REVISION);
        Map<String, Integer> with = rollOut(telling, newPods(byRevision));
        telling.say("why", "Each new pod counted only pods with its own pod-template-hash.");
        telling.blank();
        telling.say("then", "The same without matchLabelKeys:");
        Map<String, Integer> without = rollOut(telling, newPods(overZones(1)));
        telling.say("why", "New pods counted the old ones, and made up for them, until these were gone.");

        telling.check("with matchLabelKeys the zones end up even", with.equals(Map.of("zone-a", 2, "zone-b", 2)));
        telling.check("without it they end up as skewed as before", without.equals(Map.of("zone-a", 0, "zone-b", 4)));
    }

    private static Map<String, Integer> rollOut(Telling telling, List<Pod> newPods) {
        DemoCluster cluster = DemoCluster.drawn(OLD_PODS, name -> web(name, "v1"));
        telling.asks(newPods);

        Snapshot before = Snapshot.of("before", cluster);
        List<Answer> answers = cluster.schedule(newPods);
        Snapshot both = Snapshot.of("new pods placed", cluster);
        oldPods().forEach(cluster::remove);

        telling.draws(before, both, Snapshot.of("old pods gone", cluster));
        telling.decides(answers);
        return cluster.podsByZone();
    }

    private static List<Pod> newPods(SpreadBuilder spread) {
        return Stream.of("new-1", "new-2", "new-3", "new-4")
                .map(name -> web(name, "v2").spread(spread.ofApp("web")).build())
                .toList();
    }

    private static List<Pod> oldPods() {
        return Stream.of("old-1", "old-2", "old-3", "old-4")
                .map(name -> web(name, "v1").build())
                .toList();
    }

    private static PodBuilder web(String name, String revision) {
        return DemoObjects.pod(name).label(DemoObjects.APP, "web").label(REVISION, revision);
    }
}
