package io.evenkeel.e2e.reference;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.Set;

/**
 * All of kube-scheduler's traces that Evenkeel does not leave yet, in one place, to be dropped piece by piece: the event of a
 * new leader is written through events.k8s.io, so that it has an action and an instance; the reference writes it through the
 * older API, which fills deprecated fields instead.
 */
final class NotYet {
    private static final Set<String> OF_OLD_AND_NEW_EVENTS = Set.of(
            "action",
            "eventTime",
            "reportingInstance",
            "deprecatedSource",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "deprecatedCount");

    private NotYet() {}

    /** What both ways of writing the event of a new leader have in common. */
    static JsonObject eventOfEitherApi(JsonObject event) {
        JsonObject common = event.deepCopy();
        if (Trees.text(event, "reason").equals("LeaderElection")) {
            OF_OLD_AND_NEW_EVENTS.forEach(common::remove);
        }
        return common;
    }
}
