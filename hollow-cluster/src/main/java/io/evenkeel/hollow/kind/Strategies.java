package io.evenkeel.hollow.kind;

import io.evenkeel.hollow.resource.ResourceType;
import java.util.Map;

/** The strategy of each resource. */
public final class Strategies {

    private final Map<String, Strategy> byStorage;
    private final Strategy withStatus = new Strategy() {
        @Override
        protected boolean hasStatus() {
            return true;
        }
    };

    public Strategies(PodStrategy pods) {
        byStorage = Map.ofEntries(
                Map.entry("pods", pods),
                Map.entry("nodes", new NodeStrategy()),
                Map.entry("namespaces", new NamespaceStrategy()),
                Map.entry("poddisruptionbudgets", new DisruptionBudgetStrategy()),
                Map.entry("leases", new LeaseStrategy()),
                Map.entry("priorityclasses", new PriorityClassStrategy()),
                Map.entry("deployments", new WorkloadStrategy(true, WorkloadDefaults::deployment)),
                Map.entry("replicasets", new WorkloadStrategy(true)),
                Map.entry("statefulsets", new WorkloadStrategy(true, WorkloadDefaults::statefulSet)),
                Map.entry("replicationcontrollers", new WorkloadStrategy(true)),
                Map.entry("daemonsets", new WorkloadStrategy(false)),
                Map.entry("services", new ServiceStrategy()),
                Map.entry("serviceaccounts", new ReturningStrategy(false)),
                Map.entry("persistentvolumeclaims", new ReturningStrategy(true, StorageDefaults::claim)),
                Map.entry("persistentvolumes", new ReturningStrategy(true, StorageDefaults::volume)),
                Map.entry("storageclasses", new ReturningStrategy(false, StorageDefaults::storageClass)),
                Map.entry("csidrivers", new ReturningStrategy(false, StorageDefaults::csiDriver)),
                Map.entry("resourceclaims", new ReturningStrategy(true, DeviceDefaults::claim)),
                Map.entry("resourceclaimtemplates", new ReturningStrategy(false, DeviceDefaults::template)));
    }

    public Strategy of(ResourceType type) {
        return byStorage.getOrDefault(type.storage(), type.hasStatus() ? withStatus : Strategy.PLAIN);
    }
}
