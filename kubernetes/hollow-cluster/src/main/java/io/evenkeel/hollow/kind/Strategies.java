package io.evenkeel.hollow.kind;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.PodAdmission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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

    /** Defaults of requests for devices. A scheduler refuses a claim without them. */
    private static final class DeviceDefaults {
        private static final String EXACT_COUNT = "ExactCount";

        private DeviceDefaults() {}

        static void claim(JsonObject tree) {
            spec(Trees.ensureObject(tree, "spec"));
            Trees.ensureObject(tree, "status");
        }

        static void template(JsonObject tree) {
            spec(Trees.ensureObject(Trees.ensureObject(tree, "spec"), "spec"));
        }

        private static void spec(JsonObject spec) {
            for (JsonObject request : Trees.objects(spec, "devices", "requests")) {
                Trees.object(request, "exactly").ifPresent(DeviceDefaults::request);
                Trees.objects(request, "firstAvailable").forEach(DeviceDefaults::request);
            }
        }

        private static void request(JsonObject request) {
            Trees.fill(request, "allocationMode", EXACT_COUNT);
            if (Trees.text(request, "allocationMode").equals(EXACT_COUNT)) {
                Trees.fill(request, "count", 1);
            }
            Trees.objects(request, "tolerations").forEach(toleration -> Trees.fill(toleration, "operator", "Equal"));
        }
    }

    /** A disruption budget allows nothing until its controller has counted. */
    private static final class DisruptionBudgetStrategy extends ReconciledStrategy {

        @Override
        public void complete(JsonObject tree) {
            JsonObject status = Trees.ensureObject(tree, "status");
            Trees.fill(status, "disruptionsAllowed", 0);
            Trees.fill(status, "currentHealthy", 0);
            Trees.fill(status, "desiredHealthy", 0);
            Trees.fill(status, "expectedPods", 0);
        }

        @Override
        public boolean allowsUnconditionalUpdate() {
            return false;
        }
    }

    /** Leases are only ever replaced by who has seen their latest version. */
    private static final class LeaseStrategy extends Strategy {

        @Override
        public boolean allowsUnconditionalUpdate() {
            return false;
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }
    }

    /** Namespaces carry their name as a label, and a finalizer while they live. */
    private static final class NamespaceStrategy extends Strategy {

        @Override
        public void prepareForCreate(JsonObject tree) {
            Trees.ensureArray(Trees.ensureObject(tree, "spec"), "finalizers").add("kubernetes");
            JsonObject status = new JsonObject();
            status.addProperty("phase", "Active");
            tree.add("status", status);
        }

        @Override
        public void complete(JsonObject tree) {
            JsonObject metadata = tree.getAsJsonObject("metadata");
            Trees.ensureObject(metadata, "labels")
                    .addProperty("kubernetes.io/metadata.name", Trees.text(metadata, "name"));
        }

        @Override
        protected boolean hasStatus() {
            return true;
        }

        @Override
        public boolean returnsDeleted() {
            return true;
        }
    }

    /** Nodes keep the status they are created with: kubelets register themselves in one call. */
    private static final class NodeStrategy extends Strategy {

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

    /** PlacementPolicies of evenkeel.io, by the schema of their definition. */
    private static final class PolicyStrategy extends ReconciledStrategy {
        private final boolean namespaced;

        PolicyStrategy(boolean namespaced) {
            this.namespaced = namespaced;
        }

        @Override
        public void validate(JsonObject tree, FieldErrors errors) {
            PolicySchema.check(tree, namespaced, errors);
        }

        /** As of any custom resource. */
        @Override
        public boolean allowsUnconditionalUpdate() {
            return false;
        }
    }

    /** A priority's value never changes, since pods have copied it. */
    private static final class PriorityClassStrategy extends Strategy {

        @Override
        public void complete(JsonObject tree) {
            Trees.fill(tree, "value", 0);
            Trees.fill(tree, "preemptionPolicy", "PreemptLowerPriority");
            if (!Trees.isTrue(tree, "globalDefault")) {
                tree.remove("globalDefault");
            }
        }

        @Override
        public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
            if (!updated.get("value").equals(current.get("value"))) {
                errors.forbidden("value", "may not be changed in an update.");
            }
        }
    }

    /** Services have an address that leads nowhere: who waits for a Service waits for its address. */
    private static final class ServiceStrategy extends Strategy {
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
            if (Trees.text(spec, "clusterIP").isEmpty()
                    && !Trees.text(spec, "type").equals("ExternalName")) {
                JsonObject before = Trees.object(current, "spec").orElseGet(JsonObject::new);
                ADDRESSES.stream().filter(before::has).forEach(member -> spec.add(member, before.get(member)));
            }
        }

        @Override
        protected boolean hasStatus() {
            return true;
        }
    }

    /** The strategy of each kind of storage. */
    private static final class StorageStrategies {

        private StorageStrategies() {}

        /** @param storageClasses finds a StorageClass by its name */
        static Map<String, Strategy> all(Function<String, Optional<JsonObject>> storageClasses) {
            return Map.of(
                    "persistentvolumeclaims",
                    claims(new Expansion(storageClasses)),
                    "persistentvolumes",
                    new StorageStrategy(true, StorageDefaults::volume, VolumeRules::check, VolumeRules::checkUpdate),
                    "storageclasses",
                    new StorageStrategy(
                            false,
                            StorageDefaults::storageClass,
                            StorageClassRules::check,
                            StorageClassRules::checkUpdate),
                    "csidrivers",
                    new StorageStrategy(
                            false, StorageDefaults::csiDriver, CsiDriverRules::check, CsiDriverRules::checkUpdate),
                    "csinodes",
                    new StorageStrategy(false, _ -> {}, CsiNodeRules::check, CsiNodeRules::checkUpdate),
                    "volumeattachments",
                    new StorageStrategy(true, _ -> {}, AttachmentRules::check, AttachmentRules::checkUpdate),
                    "csistoragecapacities",
                    new StorageStrategy(false, _ -> {}, CapacityRules::check, CapacityRules::checkUpdate) {
                        @Override
                        public boolean returnsDeleted() {
                            return false;
                        }
                    });
        }

        private static Strategy claims(Expansion expansion) {
            return new StorageStrategy(true, StorageDefaults::claim, ClaimRules::check, ClaimRules::checkUpdate) {
                @Override
                public void admitUpdate(JsonObject updated, JsonObject current) {
                    expansion.check(updated, current);
                }
            };
        }
    }

    /** How workloads change their pods when they do not say. */
    private static final class WorkloadDefaults {

        private static final int REVISIONS = 10;
        private static final String STEP = "25%";

        private WorkloadDefaults() {}

        static void deployment(JsonObject spec) {
            Trees.fill(spec, "revisionHistoryLimit", REVISIONS);
            Trees.fill(spec, "progressDeadlineSeconds", 600);
            JsonObject strategy = Trees.ensureObject(spec, "strategy");
            Trees.fill(strategy, "type", "RollingUpdate");
            if (Trees.text(strategy, "type").equals("RollingUpdate")) {
                JsonObject rolling = Trees.ensureObject(strategy, "rollingUpdate");
                Trees.fill(rolling, "maxSurge", STEP);
                Trees.fill(rolling, "maxUnavailable", STEP);
            }
        }

        static void statefulSet(JsonObject spec) {
            Trees.fill(spec, "revisionHistoryLimit", REVISIONS);
            Trees.fill(spec, "podManagementPolicy", "OrderedReady");
            JsonObject strategy = Trees.ensureObject(spec, "updateStrategy");
            Trees.fill(strategy, "type", "RollingUpdate");
            if (Trees.text(strategy, "type").equals("RollingUpdate")) {
                Trees.fill(Trees.ensureObject(strategy, "rollingUpdate"), "partition", 0);
            }
        }
    }

    /** Deployments and their relatives: a template of pods, and a status that controllers write. */
    private static final class WorkloadStrategy extends ReconciledStrategy {

        private final boolean scaled;
        private final Consumer<JsonObject> defaults;

        WorkloadStrategy(boolean scaled) {
            this(scaled, _ -> {});
        }

        WorkloadStrategy(boolean scaled, Consumer<JsonObject> defaults) {
            this.scaled = scaled;
            this.defaults = defaults;
        }

        @Override
        public void complete(JsonObject tree) {
            JsonObject spec = Trees.ensureObject(tree, "spec");
            if (scaled) {
                Trees.fill(spec, "replicas", 1);
                Trees.fill(Trees.ensureObject(tree, "status"), "replicas", 0);
            }
            Trees.ensureObject(tree, "status");
            defaults.accept(spec);
            Trees.object(spec, "template").ifPresent(template -> {
                Trees.ensureObject(template, "metadata");
                PodAdmission.fill(Trees.ensureObject(template, "spec"));
            });
        }

        @Override
        public void validate(JsonObject tree, FieldErrors errors) {
            List<JsonObject> templates = Trees.objects(tree, "spec", "volumeClaimTemplates");
            for (int i = 0; i < templates.size(); i++) {
                ClaimRules.check(
                        "spec.volumeClaimTemplates[" + i + "].spec",
                        Trees.ensureObject(templates.get(i), "spec"),
                        errors);
            }
        }
    }

    /** Kinds of storage, by their defaults and their rules. */
    private static class StorageStrategy extends ReturningStrategy {

        /** The rules of objects. */
        @FunctionalInterface
        interface Rules {
            void check(JsonObject tree, FieldErrors errors);
        }

        /** The rules of changes. */
        @FunctionalInterface
        interface UpdateRules {
            void check(JsonObject updated, JsonObject current, FieldErrors errors);
        }

        private final Rules rules;
        private final UpdateRules updateRules;

        StorageStrategy(boolean status, Consumer<JsonObject> defaults, Rules rules, UpdateRules updateRules) {
            super(status, defaults);
            this.rules = rules;
            this.updateRules = updateRules;
        }

        @Override
        public void validate(JsonObject tree, FieldErrors errors) {
            rules.check(tree, errors);
        }

        @Override
        public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
            updateRules.check(updated, current, errors);
        }
    }
}
