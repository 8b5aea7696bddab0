package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What replicas have tried to say of pods: of which by an event, which nobody reads again; who was the last to say of one
 * which node it may name; and how often one said something else of why it waits, which is not more often than it tried it: what was
 * said before is not written again after something newer.
 */
public final class Reports {
    private final Set<String> told = new HashSet<>();
    private final Map<String, String> nominators = new HashMap<>();
    private final Map<Object, Map<String, Said>> said = new HashMap<>();

    /**
     * What one process has said of a pod, how often it has said something else, and how often it had tried the pod, all in all and
     * since it last came to wait: one that was bound, as it seemed, and is found on no node begins to be counted anew.
     */
    private static final class Said {
        private String last = "";
        private int times;
        private int attempts;
        private int sinceItWaits;
    }

    private Said said(Object process, String uid) {
        return said.computeIfAbsent(process, _ -> new HashMap<>()).computeIfAbsent(uid, _ -> new Said());
    }

    /** The process has tried the pod of this UID so often by now, since it last came to wait. */
    public void tried(Object process, String uid, int attempts) {
        Said of = said(process, uid);
        of.attempts += attempts < of.sinceItWaits ? attempts : attempts - of.sinceItWaits;
        of.sinceItWaits = attempts;
    }

    private void saysWhy(Object process, ApiCall call) {
        if (!call.method().equals("PATCH") || !call.path().endsWith("/status")) {
            return;
        }
        JsonObject patch = Trees.parse(call.body().orElseThrow().content());
        for (JsonObject condition : Trees.objects(patch, "status", "conditions")) {
            if (Trees.text(condition, "type").equals("PodScheduled")) {
                Said of = said(process, Trees.text(patch, "metadata", "uid"));
                String now = Trees.text(condition, "reason") + " " + Trees.text(condition, "message");
                if (!now.equals(of.last)) {
                    of.last = now;
                    of.times++;
                }
                if (of.times > of.attempts) {
                    throw new Violation(call.path() + " says \"" + now + "\" after something newer: it is the "
                            + of.times + "th that it says, after " + of.attempts + " attempts");
                }
            }
        }
    }

    /** A request goes out now. */
    public void sends(String replica, Object process, ApiCall call) {
        saysWhy(process, call);
        sendsOneOfSeveral(replica, call);
    }

    /** The same, of a process with several engines: each may say something of a pod, after its own attempts. */
    public void sendsOneOfSeveral(String replica, ApiCall call) {
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
