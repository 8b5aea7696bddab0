package io.evenkeel.e2e.reference;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Evenkeel leaves the same conditions, events and Lease behind as kube-scheduler, to the letter, but for two things: an
 * event's instance is the name in the Lease, UUID and all, where the reference's is the host's alone; and the event of a new
 * leader is written through events.k8s.io, where the reference takes the older API, which fills other fields.
 */
class ReferenceTest {
    private static final Set<String> OF_OLD_AND_NEW_EVENTS = Set.of(
            "action",
            "eventTime",
            "reportingInstance",
            "deprecatedSource",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "deprecatedCount");

    @Test
    void conditionsEventsAndTheLeaseAreThoseOfKubeScheduler() {
        try (ReferenceScene scene = new ReferenceScene()) {
            play(scene);
            Traces reference = Traces.ofKubeScheduler();
            eventually("the traces are equal").untilAsserted(() -> {
                Traces ours = scene.traces();
                assertThat(pods(ours.pods())).containsExactlyInAnyOrderElementsOf(pods(reference.pods()));
                assertThat(events(ours.events())).containsExactlyInAnyOrderElementsOf(events(reference.events()));
                assertThat(Anonymous.text(ours.lease())).isEqualTo(Anonymous.text(reference.lease()));
            });
        }
    }

    /** Nodes come when the first pod has been told that there are none; then pods, in the order of the traces. */
    private static void play(ReferenceScene scene) {
        scene.awaitLeader();
        scene.pod("no-nodes", "100m", "");
        scene.awaitEvent("no-nodes", "FailedScheduling");
        scene.node("t1", "4", "");
        scene.awaitNode("no-nodes", "t1");
        scene.node("t2", "4", "topology.kubernetes.io/zone: a");
        scene.pod("ok", "100m", on("t2"));
        scene.pod("too-big", "100", "");
        scene.pod("gated", "100m", "schedulingGates: [{name: example.com/gate}],");
        scene.priorityClass("low", 10);
        scene.priorityClass("high", 1000);
        // of two that may go alike, kube-scheduler had chosen low-2
        scene.pod("low-1", "3", "priorityClassName: low, " + on("t1"));
        scene.pod("low-2", "3", on("t2"));
        scene.awaitNode("low-1", "t1");
        scene.awaitNode("low-2", "t2");
        scene.pod("high-1", "2", "priorityClassName: high,");
        scene.awaitEvent("low-2", "Preempted");
        // t1 is in no zone, and the room that is left on t2 is kept for high-1
        scene.pod("spread-stuck", "500m", """
            topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone,
             whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: spread-stuck}}}],
            """);
        scene.awaitEvent("spread-stuck", "FailedScheduling");
        scene.pod("no-claim", "100m", "volumes: [{name: v, persistentVolumeClaim: {claimName: nope}}],");
        scene.awaitEvent("no-claim", "FailedScheduling");
    }

    private static String on(String node) {
        return "nodeSelector: {kubernetes.io/hostname: %s},".formatted(node);
    }

    private static Set<String> pods(Collection<JsonObject> pods) {
        return pods.stream().map(Anonymous::text).collect(Collectors.toSet());
    }

    /** How often the same was said depends on how quickly; what was said does not. */
    private static Set<String> events(Collection<JsonObject> events) {
        return events.stream()
                .map(ReferenceTest::eventOfEither)
                .map(Anonymous::text)
                .map(event -> event.replace("evenkeel-vm_(uid)", "evenkeel-vm"))
                .collect(Collectors.toSet());
    }

    /** What both ways of writing the event of a new leader have in common. */
    private static JsonObject eventOfEither(JsonObject event) {
        JsonObject common = event.deepCopy();
        if (Trees.text(event, "reason").equals("LeaderElection")) {
            OF_OLD_AND_NEW_EVENTS.forEach(common::remove);
        }
        return common;
    }
}
