package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why a pod waits, in numbers, and what would help: one of the changes is made, and does. */
final class WaitingPod implements Story {
    private static final Manifest SECOND = Manifest.pod("web-2", Constraints.ZONES.formatted("web"));
    private static final Command WHY = Command.of("--kubeconfig", "why", "pod", "why/web-2");
    private static final List<String> PARTS = List.of("What is counted", "What would help");

    @Override
    public String namespace() {
        return "why";
    }

    @Override
    public String title() {
        return "Why a pod waits, and what would help";
    }

    @Override
    public String explanation() {
        return """
                Zone-b is empty, and its node tainted. The pod's status says how many nodes
                won't do; why says what is counted, and tries what would help.
                """;
    }

    @Override
    public void play(Scene scene, Telling telling) throws InterruptedException {
        scene.draw("zone-a: node1[web-1] | zone-b: node2[]");
        scene.taint("node2", "maintenance", "planned");
        Cluster before = scene.cluster();
        telling.applies(SECOND);
        scene.create(SECOND);
        Cluster waiting = scene.await("web-2 refused", cluster -> cluster.hasPlacedAndRefused(1, 1));

        telling.say("ask", WHY.typed());
        String answer = scene.text(WHY, telling.quoted());
        telling.prints(excerpt(answer));
        JsonObject remedy = remedy(scene.json(WHY), "taint");
        telling.say(
                "so",
                "Each was tried before it was named. One of them is made now, as -o json has it: "
                        + Trees.text(remedy, "text") + ".");
        scene.changeNode(Trees.objects(remedy, "changes").getFirst());
        Cluster after = scene.await("web-2 on a node", cluster -> cluster.hasPlaced(2));

        telling.draws(
                Moment.of("before", before), Moment.of("applied", waiting), Moment.since(before, "taint gone", after));
        telling.check(
                "why says which rule it is and what it counts",
                answer.contains("zone-a: 1 + 1 − 0 = 2, more than maxSkew 1"),
                answer);
        String node = Trees.text(remedy, "node");
        telling.check("web-2 goes to " + node + ", as was said", after.isOn("web-2", node), after.podsByNode());
    }

    /** The first sentence, and some of the parts. */
    private static String excerpt(String answer) {
        List<String> parts = List.of(answer.split("\n\n", -1));
        Stream<String> sentence = parts.getFirst().lines().takeWhile(line -> !line.startsWith("  ("));
        Stream<String> rest = parts.stream()
                .filter(part -> PARTS.stream().anyMatch(part::startsWith))
                .flatMap(String::lines);
        return Stream.concat(sentence, rest).collect(Collectors.joining("\n"));
    }

    private static JsonObject remedy(JsonObject answer, String kind) {
        return Trees.objects(answer, "remedies").stream()
                .filter(remedy -> Trees.text(remedy, "kind").equals(kind))
                .findFirst()
                .orElseThrow(() -> new NotAsToldException("no remedy of kind " + kind + ": " + answer));
    }
}
