package io.evenkeel.model.kind;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeAttachment;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The kinds that are read, a row each. Immutable. */
public final class Kinds {
    private static final String CORE = "";
    private static final String APPS = "apps";
    private static final String STORAGE = "storage.k8s.io";

    public static final Kind<Node> NODE = cluster("Node", CORE, "nodes", Node.class, NodeFields.NODE);
    public static final Kind<Namespace> NAMESPACE = cluster(
            "Namespace",
            CORE,
            "namespaces",
            Namespace.class,
            Message.ofObject(_ -> read -> new Namespace(read.get(Metadata.FIELD))));
    public static final Kind<PriorityClass> PRIORITY_CLASS = cluster(
            "PriorityClass",
            "scheduling.k8s.io",
            "priorityclasses",
            PriorityClass.class,
            PriorityClassFields.PRIORITY_CLASS);
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
            POD));

    /** What is scheduled, and where: watched whatever the plugins are. */
    public static final Set<Kind<?>> ALWAYS_WATCHED = Set.of(NODE, NAMESPACE, POD);

    private final List<Kind<?>> all;
    private final Map<String, Kind<?>> byName = new LinkedHashMap<>();

    private Kinds(List<Kind<?>> all) {
        this.all = all;
        for (Kind<?> kind : all) {
            Kind<?> other = byName.put(kind.name(), kind);
            if (other != null) {
                throw new IllegalArgumentException("there are two kinds " + kind.name() + ", of " + other.apiVersion()
                        + " and of " + kind.apiVersion());
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

    public Set<String> names() {
        return byName.keySet();
    }

    /** The kind, where it is one that is read; an empty apiVersion may mean any group. */
    public Optional<Kind<?>> find(String name, String apiVersion) {
        Kind<?> kind = byName.get(name);
        return kind != null && kind.isOfGroup(apiVersion) ? Optional.of(kind) : Optional.empty();
    }

    /** Only these. */
    public static Kinds of(Collection<? extends Kind<?>> kinds) {
        return new Kinds(List.copyOf(kinds));
    }

    /**
     * These and more, which plugins bring.
     *
     * @throws IllegalArgumentException if two different ones have the same name
     */
    public Kinds with(Collection<? extends Kind<?>> more) {
        Set<Kind<?>> union = new LinkedHashSet<>(more);
        all.forEach(union::remove);
        union.addAll(all);
        return new Kinds(List.copyOf(union));
    }
}
