package io.evenkeel.hollow.kind;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Services have an address that leads nowhere: who waits for a Service waits for its address. */
final class ServiceStrategy extends Strategy {
    private static final int A_BYTE = 256;
    private static final List<String> ADDRESSES = List.of("clusterIP", "clusterIPs");

    private final AtomicInteger given = new AtomicInteger();

    @Override
    public void prepareForCreate(JsonObject tree) {
        tree.remove("status");
        JsonObject spec = Trees.ensureObject(tree, "spec");
        Trees.fill(spec, "type", "ClusterIP");
        boolean addressed = !Trees.text(spec, "type").equals("ExternalName")
                && Trees.text(spec, "clusterIP").isEmpty();
        if (addressed) {
            int number = given.incrementAndGet();
            spec.addProperty("clusterIP", "10.96.%d.%d".formatted(number / A_BYTE % A_BYTE, number % A_BYTE));
            JsonArray all = new JsonArray();
            all.add(spec.get("clusterIP"));
            spec.add("clusterIPs", all);
        }
    }

    @Override
    public void prepareForUpdate(JsonObject updated, JsonObject current) {
        super.prepareForUpdate(updated, current);
        JsonObject spec = Trees.ensureObject(updated, "spec");
        Trees.fill(spec, "type", "ClusterIP");
        if (Trees.text(spec, "clusterIP").isEmpty() && !Trees.text(spec, "type").equals("ExternalName")) {
            JsonObject before = Trees.object(current, "spec").orElseGet(JsonObject::new);
            ADDRESSES.stream().filter(before::has).forEach(member -> spec.add(member, before.get(member)));
        }
    }

    @Override
    protected boolean hasStatus() {
        return true;
    }
}
