package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Renews a Lease for each node, as kubelets do to say that they live. */
public final class Heartbeats {

    private static final String NAMESPACE = "kube-node-lease";
    private static final int LEASE_SECONDS = 40;

    private final Registry registry;

    public Heartbeats(Registry registry) {
        this.registry = registry;
    }

    public void start(Schedule schedule, Duration interval) {
        schedule.in(Duration.ZERO, this::beat);
        schedule.every(interval, this::beat);
    }

    private void beat() {
        registry.store().list(ResourceTable.NODES.storage(), "").objects().forEach(this::renew);
    }

    private void renew(StoredObject node) {
        String name = node.key().name();
        // Go's MicroTime wants exactly six digits
        String now = registry.times()
                .clock()
                .instant()
                .truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace("Z", ".000000Z");
        if (registry.find(ResourceTable.LEASES, NAMESPACE, name).isEmpty()) {
            JsonObject lease = new JsonObject();
            JsonObject metadata = Trees.ensureObject(lease, "metadata");
            metadata.addProperty("name", name);
            metadata.add("ownerReferences", Owner.references(ResourceTable.NODES, node));
            JsonObject spec = Trees.ensureObject(lease, "spec");
            spec.addProperty("holderIdentity", name);
            spec.addProperty("leaseDurationSeconds", LEASE_SECONDS);
            spec.addProperty("renewTime", now);
            registry.create(ResourceTable.LEASES, NAMESPACE, lease, false);
            return;
        }
        registry.change(ResourceTable.LEASES, NAMESPACE, name, false, lease -> {
            Trees.ensureObject(lease, "spec").addProperty("renewTime", now);
            return lease;
        });
    }
}
