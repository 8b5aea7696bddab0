package io.evenkeel.model.kind;

import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceClaimTemplate;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.kind.DeviceFields.ResourceClaimFields;
import io.evenkeel.model.kind.DeviceFields.SliceFields;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.LabelSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The kinds that are read, a row each. Immutable.
 *
 * @since 0.1
 */
public final class Kinds {
    private static final String CORE = "";
    private static final String APPS = "apps";
    private static final String SCHEDULING = "scheduling.k8s.io";
    private static final String EVENKEEL = "evenkeel.io";
    private static final String STORAGE = "storage.k8s.io";
    private static final String DEVICES = "resource.k8s.io";

    public static final Kind<Node> NODE = cluster("Node", CORE, "nodes", Node.class, NodeFields.NODE);
    public static final Kind<Namespace> NAMESPACE = cluster(
            "Namespace",
            CORE,
            "namespaces",
            Namespace.class,
            Message.ofObject(_ -> read -> new Namespace(read.get(Metadata.FIELD))));
    public static final Kind<PriorityClass> PRIORITY_CLASS = cluster(
            "PriorityClass", SCHEDULING, "priorityclasses", PriorityClass.class, PriorityClassFields.PRIORITY_CLASS);
    public static final Kind<PodDisruptionBudget> POD_DISRUPTION_BUDGET = namespaced(
            "PodDisruptionBudget",
            "policy",
            "poddisruptionbudgets",
            PodDisruptionBudget.class,
            DisruptionBudgetFields.BUDGET);
    public static final Kind<Service> SERVICE =
            namespaced("Service", CORE, "services", Service.class, WorkloadFields.SERVICE);
    public static final Kind<WorkloadOwner> REPLICATION_CONTROLLER = namespaced(
            "ReplicationController",
            CORE,
            "replicationcontrollers",
            WorkloadOwner.class,
            WorkloadFields.REPLICATION_CONTROLLER);
    public static final Kind<WorkloadOwner> REPLICA_SET =
            namespaced("ReplicaSet", APPS, "replicasets", WorkloadOwner.class, WorkloadFields.REPLICA_SET);
    public static final Kind<WorkloadOwner> STATEFUL_SET =
            namespaced("StatefulSet", APPS, "statefulsets", WorkloadOwner.class, WorkloadFields.STATEFUL_SET);
    public static final Kind<PersistentVolumeClaim> PERSISTENT_VOLUME_CLAIM = namespaced(
            "PersistentVolumeClaim", CORE, "persistentvolumeclaims", PersistentVolumeClaim.class, ClaimFields.CLAIM);
    public static final Kind<PersistentVolume> PERSISTENT_VOLUME = cluster(
            "PersistentVolume", CORE, "persistentvolumes", PersistentVolume.class, PersistentVolumeFields.VOLUME);
    public static final Kind<StorageClass> STORAGE_CLASS =
            cluster("StorageClass", STORAGE, "storageclasses", StorageClass.class, StorageFields.STORAGE_CLASS);
    public static final Kind<CsiNode> CSI_NODE =
            cluster("CSINode", STORAGE, "csinodes", CsiNode.class, StorageFields.CSI_NODE);
    public static final Kind<CsiDriver> CSI_DRIVER =
            cluster("CSIDriver", STORAGE, "csidrivers", CsiDriver.class, StorageFields.CSI_DRIVER);
    public static final Kind<CsiStorageCapacity> CSI_STORAGE_CAPACITY = namespaced(
            "CSIStorageCapacity",
            STORAGE,
            "csistoragecapacities",
            CsiStorageCapacity.class,
            StorageFields.CSI_STORAGE_CAPACITY);
    public static final Kind<VolumeAttachment> VOLUME_ATTACHMENT = cluster(
            "VolumeAttachment", STORAGE, "volumeattachments", VolumeAttachment.class, StorageFields.VOLUME_ATTACHMENT);
    /** Kubernetes serves it in v1 from 1.34 on, as what comes next; before, where its feature is on. */
    public static final Kind<DeviceClass> DEVICE_CLASS = cluster(
                    "DeviceClass", DEVICES, "deviceclasses", DeviceClass.class, DeviceFields.DEVICE_CLASS)
            .orAbsent("v1beta2", "v1beta1");

    public static final Kind<ResourceSlice> RESOURCE_SLICE = cluster(
                    "ResourceSlice", DEVICES, "resourceslices", ResourceSlice.class, SliceFields.SLICE)
            .orAbsent("v1beta2", "v1beta1");
    public static final Kind<ResourceClaim> RESOURCE_CLAIM = namespaced(
                    "ResourceClaim", DEVICES, "resourceclaims", ResourceClaim.class, ResourceClaimFields.CLAIM)
            .orAbsent("v1beta2", "v1beta1");
    /** Watched by no scheduler: its claims are made by a controller. */
    public static final Kind<ResourceClaimTemplate> RESOURCE_CLAIM_TEMPLATE = namespaced(
                    "ResourceClaimTemplate",
                    DEVICES,
                    "resourceclaimtemplates",
                    ResourceClaimTemplate.class,
                    ResourceClaimFields.TEMPLATE)
            .orAbsent("v1beta2", "v1beta1");
    /** In v1 from 1.37 on; before, where its feature is on. */
    public static final Kind<DeviceTaintRule> DEVICE_TAINT_RULE = cluster(
                    "DeviceTaintRule", DEVICES, "devicetaintrules", DeviceTaintRule.class, DeviceFields.TAINT_RULE)
            .orAbsent("v1beta2", "v1alpha3");
    /** Kubernetes serves it from 1.37 on, where the feature is on. */
    public static final Kind<PodGroup> POD_GROUP = new Kind<>(
                    PodGroup.KIND, SCHEDULING, "v1beta1", "podgroups", true, PodGroup.class, GroupFields.POD_GROUP)
            .orAbsent();
    /** A custom resource, where it is installed. */
    public static final Kind<CoschedulingPodGroup> COSCHEDULING_POD_GROUP = new Kind<>(
                    CoschedulingPodGroup.KIND,
                    "scheduling.x-k8s.io",
                    "v1alpha1",
                    "podgroups",
                    true,
                    CoschedulingPodGroup.class,
                    GroupFields.COSCHEDULING)
            .orAbsent();

    /** Custom resources of Evenkeel's own, where the chart has installed them. */
    public static final Kind<PlacementPolicy> PLACEMENT_POLICY = new Kind<>(
                    PlacementPolicy.KIND,
                    EVENKEEL,
                    "v1alpha1",
                    "placementpolicies",
                    true,
                    PlacementPolicy.class,
                    PolicyFields.POLICY)
            .orAbsent();

    public static final Kind<ClusterPlacementPolicy> CLUSTER_PLACEMENT_POLICY = new Kind<>(
                    ClusterPlacementPolicy.KIND,
                    EVENKEEL,
                    "v1alpha1",
                    "clusterplacementpolicies",
                    false,
                    ClusterPlacementPolicy.class,
                    PolicyFields.CLUSTER_POLICY)
            .orAbsent();

    public static final Kind<Pod> POD = namespaced("Pod", CORE, "pods", Pod.class, PodFields.POD);

    /** All that Evenkeel knows itself. Pods come last: there are the most of them, and the others are read for them. */
    public static final Kinds IN_TREE = new Kinds(List.of(
            NODE,
            NAMESPACE,
            PRIORITY_CLASS,
            POD_DISRUPTION_BUDGET,
            SERVICE,
            REPLICATION_CONTROLLER,
            REPLICA_SET,
            STATEFUL_SET,
            STORAGE_CLASS,
            CSI_NODE,
            CSI_DRIVER,
            CSI_STORAGE_CAPACITY,
            VOLUME_ATTACHMENT,
            PERSISTENT_VOLUME,
            PERSISTENT_VOLUME_CLAIM,
            DEVICE_CLASS,
            RESOURCE_SLICE,
            DEVICE_TAINT_RULE,
            RESOURCE_CLAIM_TEMPLATE,
            RESOURCE_CLAIM,
            POD_GROUP,
            COSCHEDULING_POD_GROUP,
            PLACEMENT_POLICY,
            CLUSTER_PLACEMENT_POLICY,
            POD));

    /** Pods, and where they go: watched whatever the plugins are. */
    public static final Set<Kind<?>> ALWAYS_WATCHED = Set.of(NODE, NAMESPACE, POD);

    private final List<Kind<?>> all;
    private final Map<String, List<Kind<?>>> byObjectKind = new LinkedHashMap<>();
    /** Kinds in the older versions in which their objects look otherwise, by name and apiVersion. */
    private final Map<String, Map<String, Kind<?>>> looksOtherwise = new HashMap<>();

    private Kinds(List<Kind<?>> all) {
        this.all = all;
        for (Kind<?> kind : all) {
            List<Kind<?>> namesakes = byObjectKind.computeIfAbsent(kind.objectKind(), _ -> new ArrayList<>());
            namesakes.stream().filter(kind::clashesWith).findFirst().ifPresent(other -> {
                throw new IllegalArgumentException("there are two kinds " + kind.name() + ", of " + other.apiVersion()
                        + " and of " + kind.apiVersion());
            });
            namesakes.add(kind.name().equals(kind.objectKind()) ? 0 : namesakes.size(), kind);
            for (Kind<?> version : kind.versions()) {
                if (version.table() != kind.table()) {
                    looksOtherwise
                            .computeIfAbsent(kind.name(), _ -> new HashMap<>())
                            .put(version.apiVersion(), version);
                }
            }
        }
    }

    private static <T extends KubernetesObject> Kind<T> cluster(
            String name, String group, String plural, Class<T> type, Message<T> table) {
        return new Kind<>(name, group, "v1", plural, false, type, table);
    }

    private static <T extends KubernetesObject> Kind<T> namespaced(
            String name, String group, String plural, Class<T> type, Message<T> table) {
        return new Kind<>(name, group, "v1", plural, true, type, table);
    }

    public List<Kind<?>> all() {
        return all;
    }

    /** As objects name them. */
    public Set<String> names() {
        return byObjectKind.keySet();
    }

    /**
     * The kind, where it is one that is read: in an older version where its objects look otherwise in that. An empty apiVersion may
     * mean any group, and of several the one that is named without its group.
     *
     * @param objectKind as objects name it
     */
    public Optional<Kind<?>> find(String objectKind, String apiVersion) {
        for (Kind<?> kind : byObjectKind.getOrDefault(objectKind, List.of())) {
            if (kind.isOfGroup(apiVersion)) {
                return Optional.of(
                        kind.older().isEmpty()
                                ? kind
                                : looksOtherwise
                                        .getOrDefault(kind.name(), Map.of())
                                        .getOrDefault(apiVersion, kind));
            }
        }
        return Optional.empty();
    }

    /** Whether only the apiVersion tells which of the kinds is meant that objects call so. */
    public boolean areSeveral(String objectKind) {
        return byObjectKind.getOrDefault(objectKind, List.of()).size() > 1;
    }

    public static Kinds of(Collection<? extends Kind<?>> kinds) {
        return new Kinds(List.copyOf(kinds));
    }

    /**
     * These and more, which plugins bring.
     *
     * @throws IllegalArgumentException if two different ones have the same name, or are the same to a server
     */
    public Kinds with(Collection<? extends Kind<?>> more) {
        Set<Kind<?>> union = new LinkedHashSet<>(more);
        all.forEach(union::remove);
        union.addAll(all);
        return new Kinds(List.copyOf(union));
    }

    /** PodDisruptionBudgets: whom they protect, and what their controller says of them. */
    private static final class DisruptionBudgetFields {
        private record Status(int disruptionsAllowed, Set<String> disruptedPods) {
            static final Status NONE = new Status(0, Set.of());
        }

        private record Spec(
                LabelSelector selector, Optional<IntOrPercent> minAvailable, Optional<IntOrPercent> maxUnavailable) {
            static final Spec NONE = new Spec(LabelSelector.NOTHING, Optional.empty(), Optional.empty());
        }

        private static final Message<Spec> SPEC = Message.of(fields -> {
            var minAvailable = fields.optionalIntOrPercent("minAvailable", 1).from(Spec::minAvailable);
            var selector = fields.message("selector", 2, SelectorFields.SELECTOR, LabelSelector.NOTHING)
                    .from(Spec::selector);
            var maxUnavailable =
                    fields.optionalIntOrPercent("maxUnavailable", 3).from(Spec::maxUnavailable);
            return read -> new Spec(read.get(selector), read.get(minAvailable), read.get(maxUnavailable));
        });

        private static final Message<Status> STATUS = Message.of(fields -> {
            var disruptedPods = fields.timedNames("disruptedPods", 2).from(Status::disruptedPods);
            var disruptionsAllowed = fields.int32("disruptionsAllowed", 3, 0).from(Status::disruptionsAllowed);
            return read -> new Status(read.get(disruptionsAllowed), read.get(disruptedPods));
        });

        static final Message<PodDisruptionBudget> BUDGET = Message.ofObject(fields -> {
            var spec = fields.message("spec", 2, SPEC, Spec.NONE)
                    .from((PodDisruptionBudget budget) ->
                            new Spec(budget.selector(), budget.minAvailable(), budget.maxUnavailable()));
            var status = fields.message("status", 3, STATUS, Status.NONE)
                    .from((PodDisruptionBudget budget) ->
                            new Status(budget.disruptionsAllowed(), budget.disruptedPods()));
            return read -> new PodDisruptionBudget(
                    read.get(Metadata.FIELD),
                    read.get(spec).selector(),
                    read.get(spec).minAvailable(),
                    read.get(spec).maxUnavailable(),
                    read.get(status).disruptionsAllowed(),
                    read.get(status).disruptedPods());
        });

        private DisruptionBudgetFields() {}
    }

    private static final class PodFields {
        private static final PodSpec NO_SPEC = PodSpecFields.SPEC.make(PodSpecFields.SPEC.newValues());

        static final Message<Pod> POD = Message.ofObject(fields -> {
            var spec = fields.message("spec", 2, PodSpecFields.SPEC, NO_SPEC).from(Pod::spec);
            var status = fields.message("status", 3, PodStatusFields.STATUS, PodStatus.PENDING)
                    .from(Pod::status);
            return read -> new Pod(read.get(Metadata.FIELD), read.get(spec), read.get(status));
        });

        private PodFields() {}
    }

    /** PriorityClasses, which have no spec: all fields stand at the top. */
    private static final class PriorityClassFields {
        static final Message<PriorityClass> PRIORITY_CLASS = Message.ofObject(fields -> {
            var value = fields.int32("value", 2, 0).from(PriorityClass::value);
            var globalDefault = fields.bool("globalDefault", 3, false).from(PriorityClass::globalDefault);
            var preempts = fields.constant("preemptionPolicy", 5, PodSpecFields.PREEMPTION, true)
                    .from(PriorityClass::preempts);
            return read -> new PriorityClass(
                    read.get(Metadata.FIELD), read.get(value), read.get(globalDefault), read.get(preempts));
        });

        private PriorityClassFields() {}
    }
}
