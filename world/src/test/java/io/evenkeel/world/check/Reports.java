package io.evenkeel.world.check;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.kube.api.ApiCall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What replicas have tried to say of pods: of which by an event, which nobody reads again, and who was the last to say of one
 * which node it may name.
 */
public final class Reports {
    private final Set<String> told = new HashSet<>();
    private final Map<String, String> nominators = new HashMap<>();

    /** A request goes out now. */
    public void sends(String replica, ApiCall call) {
        if (nominates(call)) {
            nominators.put(call.path(), replica);
        }
        if (call.path().endsWith("/events")) {
            call.body()
                    .map(body -> JsonParser.parseString(body.content()).getAsJsonObject())
                    .ifPresent(event -> told.add(Trees.text(event, "regarding", "uid")));
        }
    }

    private static boolean nominates(ApiCall call) {
        return call.body()
                .filter(body -> body.content().contains("\"nominatedNodeName\""))
                .isPresent();
    }

    /**
     * Whether another replica was the last to say which node the pod may name. Who leads since need not have known of that when
     * it last tried the pod, and leaves what comes later for others' word until it tries again.
     */
    public boolean isNominatedByAnother(String replica, String namespace, String pod) {
        String path = "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/status";
        return !nominators.getOrDefault(path, replica).equals(replica);
    }

    boolean haveToldOf(String uid) {
        return told.contains(uid);
    }
}
