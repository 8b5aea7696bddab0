package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.demo.Demo.Story;
import io.evenkeel.lab.demo.Scene.Command;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stories of what a user asks, and what comes of it. */
final class AnswerStories {

    private AnswerStories() {}

    /** The report's parts before the table that begins so. */
    private static String until(String table, String report) {
        return Arrays.stream(report.split("\n\n", -1))
                .takeWhile(part -> !part.startsWith(table))
                .collect(Collectors.joining("\n\n"));
    }

    /** Why a pod waits, in numbers, and what would help: one of the changes is made, and does. */
    static final class WaitingPod {
        private static final Manifest SECOND = Manifest.pod("web-2", Manifest.ZONES.formatted("web"));
        private static final Command WHY = Command.of("--kubeconfig", "why", "pod", "why/web-2");
        private static final Command WIDE = Command.of("--kubeconfig", "why", "pod", "why/web-2", "-o", "wide");
        private static final List<String> PARTS = List.of("What is counted", "What would help");

        static final Story STORY = new Story("why", "Why a pod waits, and what would help", """
                    Zone-b is empty, and its node cordoned. The pod's status says how many nodes
                    won't do; why tries what would help, and says how to do it.
                    """, WaitingPod::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[web-1] | zone-b: node2[]");
            scene.cordon("node2");
            Cluster before = scene.cluster();
            telling.applies(SECOND);
            scene.create(SECOND);
            Cluster waiting = scene.await("web-2 refused", cluster -> cluster.hasPlacedAndRefused(1, 1));

            telling.say("ask", WHY.typed());
            telling.prints(scene.text(WHY, telling.quoted()));
            telling.say("more", WIDE.typed());
            String answer = scene.text(WIDE, telling.quoted());
            telling.prints(excerpt(answer));
            JsonObject remedy = remedy(scene.json(WHY), "uncordon");
            telling.say(
                    "so",
                    "Each was tried before it was named. One of them is made now, as -o json has it: "
                            + Trees.text(remedy, "text") + ".");
            scene.changeNode(Trees.objects(remedy, "changes").getFirst());
            Cluster after = scene.await("web-2 on a node", cluster -> cluster.hasPlaced(2));

            telling.draws(
                    Moment.of("before", before),
                    Moment.of("applied", waiting),
                    Moment.since(before, "uncordoned", after));
            telling.check(
                    "why says which rule it is and what it counts",
                    answer.contains("zone-a: 1 + 1 − 0 = 2, more than maxSkew 1"),
                    answer);
            String node = Trees.text(remedy, "node");
            telling.check("web-2 goes to " + node + ", as was said", after.isOn("web-2", node), after.podsByNode());
        }

        private static String excerpt(String answer) {
            return Stream.of(answer.split("\n\n", -1))
                    .filter(part -> PARTS.stream().anyMatch(part::startsWith))
                    .collect(Collectors.joining("\n"));
        }

        private static JsonObject remedy(JsonObject answer, String kind) {
            return Trees.objects(answer, "remedies").stream()
                    .filter(remedy -> Trees.text(remedy, "kind").equals(kind))
                    .findFirst()
                    .orElseThrow(() -> new NotAsToldException("no remedy of kind " + kind + ": " + answer));
        }
    }

    /** A GPU that a pod has is asked for by another: that one waits, says so, and has it when the first is gone. */
    static final class HeldDevice {
        private static final Manifest TEMPLATE = new Manifest("ResourceClaimTemplate gpu", """
                devices:
                  requests:
                  - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
                """, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: gpu}
                spec:
                  spec:
                    devices:
                      requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]
                """);
        private static final String CLAIM = "resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]\n";
        private static final Manifest SECOND = Manifest.pod("train-2", CLAIM);
        private static final Command WHY = Command.of("--kubeconfig", "why", "pod", "devices/train-2");

        static final Story STORY = new Story("devices", "A GPU that another pod has", """
                    train-1 has the only GPU. train-2 asks for one too, and waits. When
                    train-1 goes, its claim goes with it, and train-2 has the GPU.
                    """, HeldDevice::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[]");
            scene.create(TEMPLATE);
            scene.create(Manifest.pod("train-1", CLAIM));
            Cluster before = scene.await("train-1 on the node", cluster -> cluster.hasPlaced(1));
            telling.applies(TEMPLATE);
            telling.applies(SECOND);
            scene.create(SECOND);
            Cluster waiting = scene.await("train-2 refused", cluster -> cluster.hasPlacedAndRefused(1, 1));

            telling.say("ask", "kubectl get resourceclaims");
            List<String> claims = scene.user().list(ResourceTable.RESOURCE_CLAIMS, scene.namespace()).stream()
                    .map(HeldDevice::line)
                    .sorted()
                    .toList();
            telling.prints(String.join("\n", claims));
            telling.say("ask", WHY.typed());
            telling.prints(scene.text(WHY, telling.quoted()));
            telling.say("so", "kubectl delete pod train-1");
            scene.user().delete(ResourceTable.PODS, scene.namespace(), "train-1");
            Cluster after = scene.await("train-2 runs", cluster -> cluster.isOn("train-2", "node1"));

            telling.draws(
                    Moment.of("before", before), Moment.of("applied", waiting), Moment.since(before, "deleted", after));
            telling.check(
                    "the GPU is reserved for train-1, and no other device is there",
                    claims.size() == 2
                            && claims.getFirst().endsWith("node1/gpu-0, reserved for train-1")
                            && claims.getLast().endsWith("pending"),
                    claims);
            telling.check(
                    "train-2 says that it waits for a device",
                    waiting.sentence().contains("cannot allocate all claims"),
                    waiting.sentence());
            telling.check("it has the GPU when train-1 is gone", after.hasPlaced(1), after.sentence());
        }

        /** A claim, its device, and the pod that has it. */
        private static String line(JsonObject claim) {
            String device = Trees.objects(claim, "status", "allocation", "devices", "results").stream()
                    .map(result -> Trees.text(result, "pool") + "/" + Trees.text(result, "device"))
                    .collect(Collectors.joining(", "));
            String pod = Trees.objects(claim, "status", "reservedFor").stream()
                    .map(user -> Trees.text(user, "name"))
                    .collect(Collectors.joining(", "));
            return Trees.text(claim, "metadata", "name") + "  "
                    + (device.isEmpty() ? "pending" : device + ", reserved for " + pod);
        }
    }

    /** A zone comes back after an outage: what is crowded elsewhere is moved, and no more than that. */
    static final class HealedOutage {
        private static final Manifest WEB = Manifest.deployment("web", 6, Manifest.ZONES.formatted("web"));
        private static final Command PLAN = Command.of("--from", "rebalance", "plan");
        private static final Command APPLY =
                Command.of("--kubeconfig", "rebalance", "apply", "--rebalance-cool-down", "1s");

        static final Story STORY =
                new Story("rebalance", "An outage is over, and pods are put right", """
                    Six pods stand in two zones, as the third was away. It is back, and they stay
                    where they are: rebalance finds the fewest moves, and makes them gently.
                    """, HealedOutage::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] | zone-b: node2[]");
            telling.applies(WEB);
            scene.create(WEB);
            scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));
            scene.join("node3", "zone-c");
            Cluster before = scene.cluster();

            telling.say("ask", PLAN.typed());
            telling.prints(until("Spread ", scene.text(PLAN, telling.quoted())));
            int planned = Trees.objects(scene.json(PLAN), "moves").size();
            telling.say("so", APPLY.typed());
            scene.text(APPLY, telling.quoted());
            Cluster after = scene.await("six pods, even over zones", HealedOutage::isEven);

            telling.draws(Moment.of("before", before), Moment.since(before, "after", after));
            Set<String> gone = before.pods().stream().map(Pod::name).collect(Collectors.toSet());
            after.pods().stream().map(Pod::name).toList().forEach(gone::remove);
            telling.check("each zone has two pods", isEven(after), after.podsByZone());
            telling.check("only " + planned + " pods were moved", gone.size() == planned, gone);
        }

        private static boolean isEven(Cluster cluster) {
            return cluster.hasPlaced(6) && cluster.podsByZone().equals(Map.of("zone-a", 2, "zone-b", 2, "zone-c", 2));
        }
    }

    /** All nodes are drained, one after the other, in the order that a plan says. */
    static final class PlannedUpgrade {
        private static final Manifest WEB = Manifest.deployment("web", 4, Manifest.ZONES.formatted("web"));
        private static final Manifest BUDGET = new Manifest("PodDisruptionBudget web", """
                maxUnavailable: 1
                """, """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web}
                spec:
                  maxUnavailable: 1
                  selector: {matchLabels: {app: web}}
                """);
        private static final Command PLAN = Command.of("--from", "drain", "plan", "--all");

        static final Story STORY =
                new Story("upgrade", "An upgrade of all nodes, planned first", """
                    Each node has to be drained once. drain plan tries it with the scheduler
                    itself: in which order, where pods go, and that no rule is broken meanwhile.
                    """, PlannedUpgrade::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] node2[] | zone-b: node3[] node4[]");
            telling.applies(WEB);
            scene.create(WEB);
            telling.applies(BUDGET);
            scene.create(BUDGET);
            Cluster before = scene.await("four pods on nodes", cluster -> cluster.hasPlaced(4));

            telling.say("ask", PLAN.typed());
            telling.prints(scene.text(PLAN, telling.quoted()));
            List<String> order = Trees.objects(scene.json(PLAN), "steps").stream()
                    .map(step -> Trees.text(step, "drain"))
                    .toList();
            telling.say("so", "The nodes are drained in this order, and come back.");
            Map<String, Map<String, Integer>> uneven = new TreeMap<>();
            for (String node : order) {
                scene.drain(node);
                Cluster drained = scene.cluster();
                if (!drained.podsByZone().equals(before.podsByZone())) {
                    uneven.put(node, drained.podsByZone());
                }
                scene.uncordon(node);
            }

            telling.draws(Moment.of("before", before), Moment.since(before, "after", scene.cluster()));
            telling.check("each node was drained once", order.size() == 4, order);
            telling.check("each zone had two pods all the while", uneven.isEmpty(), uneven);
        }
    }

    /** Scales a Deployment in a simulation, before it is scaled in the cluster. */
    static final class SimulatedScale {
        private static final Manifest WEB = Manifest.deployment("web", 6, Manifest.ZONES.formatted("web"));
        private static final int REPLICAS = 15;
        private static final Command SIMULATE =
                Command.of("--from", "simulate", "--scale", "what-if/deployment/web=" + REPLICAS);

        static final Story STORY = new Story("what-if", "What if: asked first, then done", """
                    Will 15 replicas find room? simulate plays it on what it has read of the
                    cluster, with the scheduler itself. Then it is done, and compared.
                    """, SimulatedScale::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] | zone-b: node2[]");
            scene.join("node3", "zone-c", Capacity.of("600m", "16Gi", 110));
            telling.applies(WEB);
            scene.create(WEB);
            Cluster before = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));

            telling.say("ask", SIMULATE.typed());
            telling.prints(until("Zone ", scene.text(SIMULATE, telling.quoted())));
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
                    Trees.objects(answer, "pods").stream()
                            .anyMatch(pod -> Trees.text(pod, "message").equals(reason(after))),
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
            return cluster.waiting()
                    .getFirst()
                    .status()
                    .scheduled()
                    .orElseThrow()
                    .message();
        }
    }
}
