package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.Capacity;
import io.evenkeel.model.json.Trees;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Scales a Deployment in a simulation, before it is scaled in the cluster. */
final class SimulatedScale implements Story {
    private static final Manifest WEB = Manifest.deployment("web", 6, Constraints.ZONES.formatted("web"));
    private static final int REPLICAS = 15;
    private static final Command SIMULATE =
            Command.of("--from", "simulate", "--scale", "what-if/deployment/web=" + REPLICAS);

    @Override
    public String namespace() {
        return "what-if";
    }

    @Override
    public String title() {
        return "What if: asked first, then done";
    }

    @Override
    public String explanation() {
        return """
                Will 15 replicas find room? simulate plays it on what it has read of the
                cluster, with the scheduler itself. Then it is done, and compared.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[] | zone-b: node2[]");
        scene.join("node3", "zone-c", Capacity.of("600m", "16Gi", 110));
        telling.applies(WEB);
        scene.create(WEB);
        Cluster before = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));

        telling.say("ask", SIMULATE.typed());
        String text = scene.text(SIMULATE, telling.quoted());
        telling.prints(excerpt(text));
        JsonObject answer = scene.json(SIMULATE);
        long placed = Trees.number(answer, "placed").orElse(0L);
        long pending = Trees.number(answer, "pending").orElse(0L);
        telling.say("so", "It is scaled all the same:");
        scene.scale("web", REPLICAS);
        Cluster after = scene.await(
                "as many on nodes and refused as was said",
                cluster -> cluster.hasPlacedAndRefused(before.pods().size() + (int) placed, (int) pending));

        telling.draws(Moment.of("before", before), Moment.of("scaled", after));
        telling.check(
                placed + " more pods have a node and " + pending + " wait, as was said",
                after.pods().size() == REPLICAS,
                after.sentence());
        Map<String, Integer> said = podsByZone(answer);
        telling.check("and in the zones that were said", after.podsByZone().equals(said), after.podsByZone());
        telling.check(
                "they wait for the reason that was said",
                text.replaceAll("\\s+", " ").contains(reason(after)),
                reason(after));
    }

    private static Map<String, Integer> podsByZone(JsonObject answer) {
        Map<String, Integer> pods = new TreeMap<>();
        Trees.object(answer, "after", "zones")
                .orElseThrow()
                .asMap()
                .forEach((zone, use) ->
                        pods.put(zone, use.getAsJsonObject().get("pods").getAsInt()));
        return pods;
    }

    private static String reason(Cluster cluster) {
        return cluster.waiting().getFirst().status().scheduled().orElseThrow().message();
    }

    /** Without what the report says of use. */
    private static String excerpt(String report) {
        return Arrays.stream(report.split("\n\n", -1))
                .takeWhile(part -> !part.startsWith("Zone "))
                .collect(Collectors.joining("\n\n"));
    }
}
