package io.evenkeel.e2e.reference;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All of kube-scheduler's traces that Evenkeel does not leave yet, in one place, to be dropped piece by piece.
 *
 * <ul>
 *   <li>Preemption: the end of a message that tells what came of it ("no new claims to deallocate" is what
 *       DynamicResources says at that point), the nominated node, and all that befalls the victim.
 *   <li>Volumes: a pod whose claim does not exist waits because it has a claim, not because that does not exist.
 *   <li>The event of a new leader is written through events.k8s.io, so that it has an action and an instance; the
 *       reference writes it through the older API, which fills deprecated fields instead.
 * </ul>
 *
 * The comparison fails as soon as Evenkeel leaves one of the first two: what is taken away here is taken away from the
 * reference only.
 */
final class NotYet {
    private static final Pattern ABOUT_PREEMPTION =
            Pattern.compile(" no new claims to deallocate, preemption: 0/\\d+ nodes are available: .*\\.$");
    private static final String VICTIM = "low-2";
    private static final Set<String> NEEDS_VOLUMES = Set.of("no-claim");
    private static final Set<String> OF_OLD_AND_NEW_EVENTS = Set.of(
            "action",
            "eventTime",
            "reportingInstance",
            "deprecatedSource",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "deprecatedCount");

    private NotYet() {}

    /** Whether a pod or event is to be compared at all. */
    static boolean isExpected(String pod, String reason) {
        return !NEEDS_VOLUMES.contains(pod) && !reason.equals("Preempted");
    }

    /** A pod of the reference, as it would be without what there is not yet. */
    static JsonObject pod(JsonObject reference) {
        JsonObject pod = reference.deepCopy();
        JsonObject status = Trees.ensureObject(pod, "status");
        status.remove("nominatedNodeName");
        JsonArray conditions = new JsonArray();
        Trees.objects(status, "conditions").stream()
                .filter(condition -> !Trees.text(condition, "type").equals("DisruptionTarget"))
                .forEach(condition -> {
                    shorten(condition, "message");
                    conditions.add(condition);
                });
        status.add("conditions", conditions);
        if (Trees.text(pod, "name").equals(VICTIM)) {
            pod.addProperty("generation", 1);
            pod.add("deletionTimestamp", JsonNull.INSTANCE);
        }
        return pod;
    }

    /** An event of the reference, as it would be without what there is not yet. */
    static JsonObject event(JsonObject reference) {
        JsonObject event = reference.deepCopy();
        shorten(event, "note");
        return event;
    }

    /** What both ways of writing the event of a new leader have in common. */
    static JsonObject eventOfEitherApi(JsonObject event) {
        JsonObject common = event.deepCopy();
        if (Trees.text(event, "reason").equals("LeaderElection")) {
            OF_OLD_AND_NEW_EVENTS.forEach(common::remove);
        }
        return common;
    }

    private static void shorten(JsonObject object, String field) {
        if (object.has(field)) {
            object.addProperty(
                    field, ABOUT_PREEMPTION.matcher(Trees.text(object, field)).replaceFirst(""));
        }
    }
}
