package io.evenkeel.e2e.reference;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.Set;

/**
 * All of kube-scheduler's traces that Evenkeel does not leave yet, in one place, to be dropped piece by piece.
 *
 * <ul>
 *   <li>Volumes: a pod whose claim does not exist waits because it has a claim, not because that does not exist.
 *   <li>The event of a new leader is written through events.k8s.io, so that it has an action and an instance; the
 *       reference writes it through the older API, which fills deprecated fields instead.
 * </ul>
 *
 * The comparison fails as soon as Evenkeel leaves the first: what is taken away here is taken away from the reference only.
 */
final class NotYet {
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

    /** Whether a pod is to be compared at all. */
    static boolean isExpected(String pod) {
        return !NEEDS_VOLUMES.contains(pod);
    }

    /** What both ways of writing the event of a new leader have in common. */
    static JsonObject eventOfEitherApi(JsonObject event) {
        JsonObject common = event.deepCopy();
        if (Trees.text(event, "reason").equals("LeaderElection")) {
            OF_OLD_AND_NEW_EVENTS.forEach(common::remove);
        }
        return common;
    }
}
