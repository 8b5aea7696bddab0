package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.json.Trees;

/**
 * That nobody is deleted but for somebody more important, and none without being told before. Whether it had to be this one
 * no log of the server tells: that is for what the plugin is tried by.
 */
public final class Disruptions {
    private final HollowObjects objects;
    private final long mostImportant;

    /** @param mostImportant the highest priority that pods have */
    public Disruptions(HollowObjects objects, long mostImportant) {
        this.objects = objects;
        this.mostImportant = mostImportant;
    }

    /** A replica sends this now. */
    public void sends(ApiCall call) {
        if (!call.method().equals("DELETE")) {
            return;
        }
        String[] path = call.path().split("/", -1);
        String uid = call.body()
                .map(body ->
                        Trees.text(JsonParser.parseString(body.content()).getAsJsonObject(), "preconditions", "uid"))
                .orElse("");
        boolean isPod = path[5].equals("pods");
        boolean isMade = call.path().contains("-extended-resources-");
        if ((!isPod && !isMade) || uid.isEmpty()) {
            throw new Violation("deleted is " + call.path() + " whatever it is");
        }
        objects.get(ResourceTable.PODS, path[4], path[6])
                .map(Trees::parse)
                .filter(pod -> Trees.text(pod, "metadata", "uid").equals(uid))
                .ifPresent(this::mayGo);
    }

    private void mayGo(JsonObject pod) {
        String name = Trees.text(pod, "metadata", "name");
        if (Trees.number(pod, "spec", "priority").orElse(0L) >= mostImportant) {
            throw new Violation(name + " goes for others, though none is more important");
        }
        boolean isTold = Trees.objects(pod, "status", "conditions").stream()
                .anyMatch(condition -> Trees.text(condition, "type").equals("DisruptionTarget")
                        && Trees.text(condition, "status").equals("True"));
        if (!isTold) {
            throw new Violation(name + " is deleted and was not told for whom");
        }
    }
}
