package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;

/** Nodes keep the status they are created with: kubelets register themselves in one call. */
final class NodeStrategy extends Strategy {

    private static final List<String> NODE_INFO = List.of(
            "machineID",
            "systemUUID",
            "bootID",
            "kernelVersion",
            "osImage",
            "containerRuntimeVersion",
            "kubeletVersion",
            "kubeProxyVersion",
            "operatingSystem",
            "architecture");

    @Override
    public void complete(JsonObject tree) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        if (!Trees.isTrue(spec, "unschedulable")) {
            spec.remove("unschedulable");
        }
        JsonObject status = Trees.ensureObject(tree, "status");
        if (status.has("capacity") && !status.has("allocatable")) {
            status.add("allocatable", status.get("capacity").deepCopy());
        }
        Trees.fill(Trees.ensureObject(Trees.ensureObject(status, "daemonEndpoints"), "kubeletEndpoint"), "Port", 0);
        JsonObject info = Trees.ensureObject(status, "nodeInfo");
        NODE_INFO.forEach(name -> Trees.fill(info, name, ""));
        Trees.objects(status, "conditions").forEach(Conditions::completeNodeCondition);
    }

    @Override
    protected boolean hasStatus() {
        return true;
    }
}
