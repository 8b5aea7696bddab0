package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The strategy of each resource. */
public final class Strategies {

    private final Map<String, Strategy> byStorage;
    private final Strategy withStatus = new Strategy() {
        @Override
        protected boolean hasStatus() {
            return true;
        }
    };

    /** @param storageClasses finds a StorageClass by its name */
    public Strategies(PodStrategy pods, Function<String, Optional<JsonObject>> storageClasses) {
        byStorage = new HashMap<>(StorageStrategies.all(storageClasses));
        byStorage.putAll(Map.ofEntries(
                Map.entry("pods", pods),
                Map.entry("nodes", new NodeStrategy()),
                Map.entry("namespaces", new NamespaceStrategy()),
                Map.entry("poddisruptionbudgets", new DisruptionBudgetStrategy()),
                Map.entry("leases", new LeaseStrategy()),
                Map.entry("priorityclasses", new PriorityClassStrategy()),
                Map.entry(ResourceTable.POD_GROUPS.storage(), new GroupStrategy.Own()),
                Map.entry(ResourceTable.COSCHEDULING_POD_GROUPS.storage(), new GroupStrategy.Coscheduling()),
                Map.entry(ResourceTable.PLACEMENT_POLICIES.storage(), new PolicyStrategy(true)),
                Map.entry(ResourceTable.CLUSTER_PLACEMENT_POLICIES.storage(), new PolicyStrategy(false)),
                Map.entry("deployments", new WorkloadStrategy(true, WorkloadDefaults::deployment)),
                Map.entry("replicasets", new WorkloadStrategy(true)),
                Map.entry("statefulsets", new WorkloadStrategy(true, WorkloadDefaults::statefulSet)),
                Map.entry("replicationcontrollers", new WorkloadStrategy(true)),
                Map.entry("daemonsets", new WorkloadStrategy(false)),
                Map.entry("services", new ServiceStrategy()),
                Map.entry("serviceaccounts", new ReturningStrategy(false)),
                Map.entry("resourceclaims", new ReturningStrategy(true, DeviceDefaults::claim)),
                Map.entry("resourceclaimtemplates", new ReturningStrategy(false, DeviceDefaults::template))));
    }

    public Strategy of(ResourceType type) {
        return byStorage.getOrDefault(type.storage(), type.hasStatus() ? withStatus : Strategy.PLAIN);
    }
}
