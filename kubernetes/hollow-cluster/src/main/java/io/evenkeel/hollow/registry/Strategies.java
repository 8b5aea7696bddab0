package io.evenkeel.hollow.registry;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Strategy.Trait;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.PodAdmission;
import io.evenkeel.model.workload.Templates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** The strategy of each resource. */
final class Strategies {
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

    private static final Strategy PLAIN = new Strategy();
    private static final Strategy WITH_STATUS = new Strategy(Trait.STATUS);

    private final Map<String, Strategy> byStorage;

    /** @param storageClasses finds a StorageClass by its name */
    Strategies(PodStrategy pods, Function<String, Optional<JsonObject>> storageClasses, DeviceStrategies devices) {
        byStorage = Map.ofEntries(
                Map.entry("pods", pods),
                Map.entry("nodes", new Strategy(Strategies::completeNode, Trait.STATUS)),
                Map.entry("namespaces", new NamespaceStrategy()),
                Map.entry("poddisruptionbudgets", disruptionBudgets()),
                Map.entry("leases", new Strategy(Trait.VERSIONED, Trait.CREATED_BY_UPDATE)),
                Map.entry("priorityclasses", priorityClasses()),
                Map.entry(ResourceTable.POD_GROUPS.storage(), groups(GroupRules::complete, GroupRules::check)),
                Map.entry(
                        ResourceTable.COSCHEDULING_POD_GROUPS.storage(),
                        groups(Strategy.NO_DEFAULTS, GroupRules::checkCoscheduling)),
                Map.entry(ResourceTable.PLACEMENT_POLICIES.storage(), policies(true)),
                Map.entry(ResourceTable.CLUSTER_PLACEMENT_POLICIES.storage(), policies(false)),
                Map.entry("deployments", new WorkloadStrategy(true, WorkloadDefaults::deployment)),
                Map.entry("replicasets", new WorkloadStrategy(true, Strategy.NO_DEFAULTS)),
                Map.entry("statefulsets", new WorkloadStrategy(true, WorkloadDefaults::statefulSet)),
                Map.entry("replicationcontrollers", new WorkloadStrategy(true, Strategy.NO_DEFAULTS)),
                Map.entry("daemonsets", new WorkloadStrategy(false, WorkloadDefaults::daemonSet)),
                Map.entry("jobs", new JobStrategy()),
                Map.entry("services", new ServiceStrategy()),
                Map.entry("serviceaccounts", new Strategy(Trait.RETURNED)),
                Map.entry(ResourceTable.RESOURCE_CLAIMS.storage(), devices.claims()),
                Map.entry(ResourceTable.RESOURCE_CLAIM_TEMPLATES.storage(), devices.templates()),
                Map.entry(ResourceTable.DEVICE_CLASSES.storage(), devices.classes()),
                Map.entry(ResourceTable.RESOURCE_SLICES.storage(), devices.slices()),
                Map.entry(ResourceTable.DEVICE_TAINT_RULES.storage(), devices.taintRules()),
                Map.entry("persistentvolumeclaims", claims(storageClasses)),
                Map.entry(
                        "persistentvolumes",
                        new RuledStrategy(
                                StorageDefaults::volume,
                                VolumeRules::check,
                                VolumeRules::checkUpdate,
                                Trait.STATUS,
                                Trait.RETURNED)),
                Map.entry(
                        "storageclasses",
                        new RuledStrategy(
                                StorageDefaults::storageClass,
                                StorageRules::checkClass,
                                StorageRules::checkClassUpdate,
                                Trait.RETURNED)),
                Map.entry(
                        "csidrivers",
                        new RuledStrategy(
                                StorageDefaults::csiDriver,
                                StorageRules::checkDriver,
                                StorageRules::checkDriverUpdate,
                                Trait.RETURNED)),
                Map.entry(
                        "csinodes",
                        new RuledStrategy(
                                Strategy.NO_DEFAULTS,
                                StorageRules::checkNode,
                                StorageRules::checkNodeUpdate,
                                Trait.RETURNED)),
                Map.entry(
                        "volumeattachments",
                        new RuledStrategy(
                                Strategy.NO_DEFAULTS,
                                StorageRules::checkAttachment,
                                StorageRules::checkAttachmentUpdate,
                                Trait.STATUS,
                                Trait.RETURNED)),
                Map.entry(
                        "csistoragecapacities",
                        new RuledStrategy(
                                Strategy.NO_DEFAULTS, StorageRules::checkCapacity, StorageRules::checkCapacityUpdate)));
    }

    Strategy of(ResourceType type) {
        return byStorage.getOrDefault(type.storage(), type.hasStatus() ? WITH_STATUS : PLAIN);
    }

    /** A disruption budget allows nothing until its controller has counted. */
    private static Strategy disruptionBudgets() {
        Consumer<JsonObject> nothing = tree -> {
            JsonObject status = Trees.ensureObject(tree, "status");
            List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")
                    .forEach(count -> Trees.fill(status, count, 0));
        };
        return new Strategy(nothing, Trait.STATUS, Trait.RECONCILED, Trait.GENERATION, Trait.VERSIONED);
    }

    /** A priority's value never changes, since pods have copied it. */
    private static Strategy priorityClasses() {
        Consumer<JsonObject> defaults = tree -> {
            Trees.fill(tree, "value", 0);
            Trees.fill(tree, "preemptionPolicy", "PreemptLowerPriority");
            if (!Trees.isTrue(tree, "globalDefault")) {
                tree.remove("globalDefault");
            }
        };
        return new RuledStrategy(defaults, (_, _) -> {}, (updated, current, errors) -> {
            if (!updated.get("value").equals(current.get("value"))) {
                errors.forbidden("value", "may not be changed in an update.");
            }
        });
    }

    private static Strategy groups(Consumer<JsonObject> defaults, Rules rules) {
        return new RuledStrategy(defaults, rules, (_, _, _) -> {}, Trait.STATUS, Trait.RECONCILED, Trait.GENERATION);
    }

    /** PlacementPolicies of evenkeel.io, by the schema of their definition. */
    private static Strategy policies(boolean namespaced) {
        return new RuledStrategy(
                Strategy.NO_DEFAULTS,
                (tree, errors) -> PolicySchema.check(tree, namespaced, errors),
                (_, _, _) -> {},
                Trait.STATUS,
                Trait.RECONCILED,
                Trait.GENERATION,
                Trait.VERSIONED);
    }

    private static Strategy claims(Function<String, Optional<JsonObject>> storageClasses) {
        return new RuledStrategy(
                StorageDefaults::claim, ClaimRules::check, ClaimRules::checkUpdate, Trait.STATUS, Trait.RETURNED) {
            @Override
            public void admitUpdate(JsonObject updated, JsonObject current) {
                ClaimRules.admitUpdate(updated, current, storageClasses);
            }
        };
    }

    /** Nodes keep the status they are created with: kubelets register themselves in one call. */
    private static void completeNode(JsonObject tree) {
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

    /** Namespaces carry their name as a label, and a finalizer while they live. */
    private static final class NamespaceStrategy extends Strategy {

        NamespaceStrategy() {
            super(Trait.STATUS, Trait.RETURNED);
        }

        @Override
        public void prepareForCreate(JsonObject tree) {
            Trees.ensureArray(Trees.ensureObject(tree, "spec"), "finalizers").add("kubernetes");
            tree.add("status", Trees.of("phase", "Active"));
        }

        @Override
        public void complete(JsonObject tree) {
            JsonObject metadata = tree.getAsJsonObject("metadata");
            Trees.ensureObject(metadata, "labels")
                    .addProperty("kubernetes.io/metadata.name", Trees.text(metadata, "name"));
        }
    }

    /** Services have an address that leads nowhere: who waits for a Service waits for its address. */
    private static final class ServiceStrategy extends Strategy {
        private static final int A_BYTE = 256;
        private static final List<String> ADDRESSES = List.of("clusterIP", "clusterIPs");

        private final AtomicInteger given = new AtomicInteger();

        ServiceStrategy() {
            super(Trait.STATUS);
        }

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

        static void daemonSet(JsonObject spec) {
            Trees.fill(spec, "revisionHistoryLimit", REVISIONS);
            JsonObject strategy = Trees.ensureObject(spec, "updateStrategy");
            Trees.fill(strategy, "type", "RollingUpdate");
            if (Trees.text(strategy, "type").equals("RollingUpdate")) {
                JsonObject rolling = Trees.ensureObject(strategy, "rollingUpdate");
                Trees.fill(rolling, "maxSurge", 0);
                Trees.fill(rolling, "maxUnavailable", 1);
            }
        }

        static void job(JsonObject spec) {
            if (!spec.has("completions") && !spec.has("parallelism")) {
                spec.addProperty("completions", 1);
            }
            Trees.fill(spec, "parallelism", 1);
            Trees.fill(spec, "backoffLimit", 6);
            Trees.fill(spec, "completionMode", "NonIndexed");
            Trees.fill(spec, "podReplacementPolicy", "TerminatingOrFailed");
            if (Trees.at(spec, "suspend").isEmpty()) {
                spec.addProperty("suspend", false);
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

    /** Jobs: their pods are told from those of all others by a label that the server gives them, and are to end. */
    private static final class JobStrategy extends WorkloadStrategy {
        JobStrategy() {
            super(false, WorkloadDefaults::job);
        }

        @Override
        public void prepareForCreate(JsonObject tree) {
            super.prepareForCreate(tree);
            JsonObject spec = Trees.ensureObject(tree, "spec");
            if (!Trees.isTrue(spec, "manualSelector")) {
                String uid = Trees.text(tree, "metadata", "uid");
                JsonObject metadata = Trees.ensureObject(Trees.ensureObject(spec, "template"), "metadata");
                JsonObject labels = Trees.ensureObject(metadata, "labels");
                Templates.jobLabels(Trees.text(tree, "metadata", "name"), uid).forEach(labels::addProperty);
                Trees.ensureObject(Trees.ensureObject(spec, "selector"), "matchLabels")
                        .addProperty("batch.kubernetes.io/controller-uid", uid);
            }
        }

        @Override
        public void validate(JsonObject tree, FieldErrors errors) {
            if (Trees.text(tree, "spec", "template", "spec", "restartPolicy").equals("Always")) {
                errors.required("spec.template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\"");
            }
            boolean isIndexed = Trees.text(tree, "spec", "completionMode").equals("Indexed");
            if (isIndexed && Trees.number(tree, "spec", "completions").isEmpty()) {
                errors.required("spec.completions", "when completion mode is Indexed");
            }
        }
    }

    /** Deployments and their relatives: a template of pods, and a status that controllers write. */
    private static class WorkloadStrategy extends Strategy {
        private final boolean scaled;
        private final Consumer<JsonObject> defaults;

        WorkloadStrategy(boolean scaled, Consumer<JsonObject> defaults) {
            super(Trait.STATUS, Trait.RECONCILED, Trait.GENERATION);
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

    @FunctionalInterface
    private interface Rules {
        void check(JsonObject tree, FieldErrors errors);
    }

    @FunctionalInterface
    private interface UpdateRules {
        void check(JsonObject updated, JsonObject current, FieldErrors errors);
    }

    private static class RuledStrategy extends Strategy {
        private final Rules rules;
        private final UpdateRules updateRules;

        RuledStrategy(Consumer<JsonObject> defaults, Rules rules, UpdateRules updateRules, Trait... traits) {
            super(defaults, traits);
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

    /** The rules of PodGroups: of scheduling.k8s.io, and of scheduling.x-k8s.io by the schema of their definition. */
    private static final class GroupRules {
        private static final String POLICY = "spec.schedulingPolicy";

        private GroupRules() {}

        /** The pods of a group are disrupted one by one unless it says otherwise. */
        static void complete(JsonObject tree) {
            Trees.object(tree, "spec")
                    .filter(spec -> Trees.at(spec, "disruptionMode").isEmpty())
                    .ifPresent(spec -> spec.add("disruptionMode", Trees.of("single", new JsonObject())));
        }

        /** The policy is basic or a gang, and a gang needs at least one pod. */
        static void check(JsonObject tree, FieldErrors errors) {
            boolean basic =
                    Trees.object(tree, "spec", "schedulingPolicy", "basic").isPresent();
            boolean gang =
                    Trees.object(tree, "spec", "schedulingPolicy", "gang").isPresent();
            if (basic == gang) {
                errors.invalid(POLICY, "", "must specify exactly one of: `basic`, `gang`");
            } else if (gang) {
                String minCount = "minCount";
                atLeastOne(
                        tree, POLICY + ".gang." + minCount, "", errors, "spec", "schedulingPolicy", "gang", minCount);
            }
        }

        static void checkCoscheduling(JsonObject tree, FieldErrors errors) {
            if (Trees.at(tree, "spec", "minMember").isPresent()) {
                atLeastOne(tree, "spec.minMember", "spec.minMember in body should", errors, "spec", "minMember");
            }
        }

        private static void atLeastOne(
                JsonObject tree, String field, String subject, FieldErrors errors, String... path) {
            long number = Trees.number(tree, path).orElse(0L);
            if (number < 1) {
                String what = subject.isEmpty() ? "must" : subject;
                errors.invalidLiteral(field, Long.toString(number), what + " be greater than or equal to 1");
            }
        }
    }

    private static final class StorageDefaults {
        private static final List<String> CSI_DRIVER_OFF =
                List.of("podInfoOnMount", "requiresRepublish", "seLinuxMount", "storageCapacity");

        private StorageDefaults() {}

        static void storageClass(JsonObject tree) {
            Trees.object(tree, "parameters").filter(JsonObject::isEmpty).ifPresent(_ -> tree.remove("parameters"));
            Trees.fill(tree, "reclaimPolicy", "Delete");
            Trees.fill(tree, "volumeBindingMode", "Immediate");
        }

        static void claim(JsonObject tree) {
            Trees.fill(Trees.ensureObject(tree, "spec"), "volumeMode", "Filesystem");
            Trees.fill(Trees.ensureObject(tree, "status"), "phase", "Pending");
        }

        static void volume(JsonObject tree) {
            JsonObject spec = Trees.ensureObject(tree, "spec");
            Trees.fill(spec, "persistentVolumeReclaimPolicy", "Retain");
            Trees.fill(spec, "volumeMode", "Filesystem");
            Trees.fill(Trees.ensureObject(tree, "status"), "phase", "Pending");
        }

        static void csiDriver(JsonObject tree) {
            JsonObject spec = Trees.ensureObject(tree, "spec");
            if (!spec.has("attachRequired")) {
                spec.addProperty("attachRequired", true);
            }
            Trees.fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
            CSI_DRIVER_OFF.stream().filter(name -> !spec.has(name)).forEach(name -> spec.addProperty(name, false));
            JsonArray modes = Trees.ensureArray(spec, "volumeLifecycleModes");
            if (modes.isEmpty()) {
                modes.add("Persistent");
            }
        }
    }
}
