package io.evenkeel.app.demo;

import static io.evenkeel.app.demo.DemoObjects.node;
import static io.evenkeel.app.demo.DemoObjects.pod;

import io.evenkeel.model.Labels;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A Service is enough to have its pods spread. */
final class DefaultConstraints implements Story {
    private static final Service WEB =
            new Service(ObjectMeta.named("default", "web"), Labels.of(DemoObjects.APP, "web"));

    @Override
    public String title() {
        return "A Service's pods are spread by default";
    }

    @Override
    public String explanation() {
        return """
                Six pods have no constraint. By free resources the big node in zone-a is
                always the best; a Service that selects the pods is enough to spread them.
                """;
    }

    @Override
    public void play(Telling telling) {
        List<Pod> pods = IntStream.rangeClosed(1, 6)
                .mapToObj(number -> pod("web-" + number).build())
                .toList();
        telling.asks(pods);

        DemoCluster alone = cluster();
        Snapshot before = Snapshot.of("before", alone);
        List<Answer> withoutService = alone.schedule(pods);
        DemoCluster served = cluster();
        served.put(WEB);
        List<Answer> withService = served.schedule(pods);

        telling.draws(before, Snapshot.of("without a Service", alone), Snapshot.of("with a Service", served));
        telling.decides("without", withoutService.getLast());
        telling.decides("with", withService.getLast());
        telling.check(
                "without a Service they crowd in zone-a",
                alone.podsByZone().equals(Map.of("zone-a", 6, "zone-b", 0, "zone-c", 0)));
        telling.check(
                "with it, each zone has two",
                served.podsByZone().equals(Map.of("zone-a", 2, "zone-b", 2, "zone-c", 2)));
    }

    private static DemoCluster cluster() {
        DemoCluster cluster = DemoCluster.empty();
        cluster.put(node("node1", "zone-a")
                .allocatable("cpu", "64", "memory", "256Gi")
                .build());
        cluster.put(node("node2", "zone-b").build());
        cluster.put(node("node3", "zone-c").build());
        return cluster;
    }
}
