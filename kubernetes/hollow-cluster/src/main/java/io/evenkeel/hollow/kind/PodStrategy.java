package io.evenkeel.hollow.kind;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.PodAdmission;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Pods: defaults and admission of a real server, a fresh status, and a spec that hardly ever changes. */
public final class PodStrategy extends Strategy {

    private static final List<String> FALSE_BY_DEFAULT = List.of("hostNetwork", "hostPID", "hostIPC");

    private final Priority priority;
    private final ServiceAccountToken token;
    private final boolean mountsToken;
    private final Supplier<String> now;

    public PodStrategy(
            Supplier<List<JsonObject>> priorityClasses,
            boolean mountsToken,
            IntFunction<String> randomLetters,
            Supplier<String> now) {
        this.priority = new Priority(priorityClasses);
        this.token = new ServiceAccountToken(randomLetters);
        this.mountsToken = mountsToken;
        this.now = now;
    }

    @Override
    public void prepareForCreate(JsonObject tree) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        PodAdmission.fill(spec);
        PodAdmission.tolerateFailures(spec);
        priority.assign(Trees.text(tree, "metadata", "name"), spec);
        if (!spec.has("enableServiceLinks")) {
            spec.addProperty("enableServiceLinks", true);
        }
        PodAdmission.mergeLabelKeys(tree);
        if (mountsToken) {
            token.mount(spec);
        }
        JsonObject status = new JsonObject();
        status.addProperty("phase", "Pending");
        status.addProperty("qosClass", QosClass.of(spec));
        tree.add("status", status);
        if (!Trees.objects(spec, "schedulingGates").isEmpty()) {
            Conditions.put(tree, gated());
        }
    }

    @Override
    public void complete(JsonObject tree) {
        JsonObject spec = tree.getAsJsonObject("spec");
        FALSE_BY_DEFAULT.stream().filter(name -> !Trees.isTrue(spec, name)).forEach(spec::remove);
        removeIfEmpty(spec, "nodeName");
        Trees.object(tree, "status").ifPresent(status -> {
            removeIfEmpty(status, "nominatedNodeName");
            Trees.objects(status, "conditions").forEach(Conditions::completePodCondition);
        });
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        PodRules.check(tree.getAsJsonObject("spec"), errors);
    }

    @Override
    public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        PodRules.checkUpdate(updated.getAsJsonObject("spec"), current.getAsJsonObject("spec"), errors);
    }

    @Override
    protected boolean hasStatus() {
        return true;
    }

    @Override
    public boolean tracksGeneration() {
        return true;
    }

    @Override
    public boolean returnsDeleted() {
        return true;
    }

    private JsonObject gated() {
        JsonObject condition = new JsonObject();
        condition.addProperty("type", "PodScheduled");
        condition.addProperty("status", "False");
        condition.add("lastProbeTime", JsonNull.INSTANCE);
        condition.addProperty("lastTransitionTime", now.get());
        condition.addProperty("reason", "SchedulingGated");
        condition.addProperty("message", "Scheduling is blocked due to non-empty scheduling gates");
        return condition;
    }

    private static void removeIfEmpty(JsonObject tree, String name) {
        if (Trees.text(tree, name).isEmpty()) {
            tree.remove(name);
        }
    }
}
