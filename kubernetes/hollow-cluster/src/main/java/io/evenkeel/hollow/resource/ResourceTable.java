package io.evenkeel.hollow.resource;

import static io.evenkeel.hollow.resource.ResourceType.cluster;
import static io.evenkeel.hollow.resource.ResourceType.namespaced;

import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** All resources served. A line here makes one appear in paths, discovery, lists and watches. */
public final class ResourceTable {

    private static final String CORE = "";
    private static final String APPS = "apps";
    private static final String STORAGE = "storage.k8s.io";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String AUTHORIZATION = "authorization.k8s.io";
    public static final String RBAC = "rbac.authorization.k8s.io";

    public static final ResourceType NAMESPACES =
            of(Kinds.NAMESPACE).shortNames("ns").with("status", "finalize");
    public static final ResourceType NODES = of(Kinds.NODE).shortNames("no").with("status");
    public static final ResourceType PODS = of(Kinds.POD).shortNames("po").with("status", "binding", "eviction");
    public static final ResourceType BINDINGS =
            namespaced(CORE, "v1", "bindings", "Binding").answeredOnly();
    public static final ResourceType EVENTS =
            namespaced(CORE, "v1", "events", "Event").shortNames("ev");
    public static final ResourceType NEW_EVENTS =
            namespaced("events.k8s.io", "v1", "events", "Event").shortNames("ev");
    public static final ResourceType PRIORITY_CLASSES = of(Kinds.PRIORITY_CLASS).shortNames("pc");
    public static final ResourceType DISRUPTION_BUDGETS = namespaced(
                    "policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget")
            .shortNames("pdb")
            .with("status");
    public static final ResourceType LEASES = namespaced("coordination.k8s.io", "v1", "leases", "Lease");
    public static final ResourceType SERVICE_ACCOUNTS = namespaced(CORE, "v1", "serviceaccounts", "ServiceAccount")
            .shortNames("sa")
            .with("token");

    public static final ResourceType DEPLOYMENTS = namespaced(APPS, "v1", "deployments", "Deployment")
            .shortNames("deploy")
            .with("status", "scale");
    public static final ResourceType REPLICA_SETS =
            of(Kinds.REPLICA_SET).shortNames("rs").with("status", "scale");
    public static final ResourceType STATEFUL_SETS =
            of(Kinds.STATEFUL_SET).shortNames("sts").with("status", "scale");

    public static final ResourceType DAEMON_SETS =
            namespaced(APPS, "v1", "daemonsets", "DaemonSet").shortNames("ds").with("status");
    public static final ResourceType JOBS =
            namespaced("batch", "v1", "jobs", "Job").with("status");
    public static final ResourceType RESOURCE_QUOTAS = namespaced(CORE, "v1", "resourcequotas", "ResourceQuota")
            .shortNames("quota")
            .with("status");

    public static final ResourceType PERSISTENT_VOLUME_CLAIMS = namespaced(
                    CORE, "v1", "persistentvolumeclaims", "PersistentVolumeClaim")
            .shortNames("pvc")
            .with("status");
    public static final ResourceType PERSISTENT_VOLUMES = cluster(CORE, "v1", "persistentvolumes", "PersistentVolume")
            .shortNames("pv")
            .with("status");
    public static final ResourceType STORAGE_CLASSES =
            cluster(STORAGE, "v1", "storageclasses", "StorageClass").shortNames("sc");

    public static final ResourceType DEVICE_CLASSES = of(Kinds.DEVICE_CLASS);
    public static final ResourceType RESOURCE_SLICES = of(Kinds.RESOURCE_SLICE);
    public static final ResourceType DEVICE_TAINT_RULES =
            of(Kinds.DEVICE_TAINT_RULE).with("status");
    public static final ResourceType RESOURCE_CLAIMS = of(Kinds.RESOURCE_CLAIM).with("status");
    public static final ResourceType RESOURCE_CLAIM_TEMPLATES =
            namespaced("resource.k8s.io", "v1", "resourceclaimtemplates", "ResourceClaimTemplate");

    public static final ResourceType POD_GROUPS = of(Kinds.POD_GROUP).with("status");
    public static final ResourceType COSCHEDULING_POD_GROUPS = of(Kinds.COSCHEDULING_POD_GROUP)
            .shortNames("pg", "pgs")
            .with("status")
            .storedByItsGroup();

    public static final ResourceType PLACEMENT_POLICIES =
            of(Kinds.PLACEMENT_POLICY).shortNames("plp").with("status");
    public static final ResourceType CLUSTER_PLACEMENT_POLICIES =
            of(Kinds.CLUSTER_PLACEMENT_POLICY).shortNames("cplp").with("status");

    private static final List<ResourceType> LISTED = List.of(
            NAMESPACES,
            NODES,
            PODS,
            BINDINGS,
            of(Kinds.SERVICE).shortNames("svc").with("status"),
            of(Kinds.REPLICATION_CONTROLLER).shortNames("rc").with("status", "scale"),
            SERVICE_ACCOUNTS,
            PERSISTENT_VOLUME_CLAIMS,
            PERSISTENT_VOLUMES,
            namespaced(CORE, "v1", "configmaps", "ConfigMap").shortNames("cm"),
            namespaced(CORE, "v1", "secrets", "Secret"),
            namespaced(CORE, "v1", "endpoints", "Endpoints").shortNames("ep"),
            EVENTS,
            NEW_EVENTS,
            DEPLOYMENTS,
            REPLICA_SETS,
            STATEFUL_SETS,
            DAEMON_SETS,
            JOBS,
            namespaced("batch", "v1", "cronjobs", "CronJob").shortNames("cj").with("status"),
            RESOURCE_QUOTAS,
            PRIORITY_CLASSES,
            POD_GROUPS,
            COSCHEDULING_POD_GROUPS,
            PLACEMENT_POLICIES,
            CLUSTER_PLACEMENT_POLICIES,
            DISRUPTION_BUDGETS,
            LEASES,
            STORAGE_CLASSES,
            cluster(STORAGE, "v1", "csinodes", "CSINode"),
            cluster(STORAGE, "v1", "csidrivers", "CSIDriver"),
            namespaced(STORAGE, "v1", "csistoragecapacities", "CSIStorageCapacity"),
            cluster(STORAGE, "v1", "volumeattachments", "VolumeAttachment").with("status"),
            DEVICE_CLASSES,
            RESOURCE_SLICES,
            DEVICE_TAINT_RULES,
            RESOURCE_CLAIMS,
            RESOURCE_CLAIM_TEMPLATES,
            cluster(RBAC, "v1", "clusterroles", "ClusterRole"),
            cluster(RBAC, "v1", "clusterrolebindings", "ClusterRoleBinding"),
            namespaced(RBAC, "v1", "roles", "Role"),
            namespaced(RBAC, "v1", "rolebindings", "RoleBinding"),
            namespaced("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy")
                    .shortNames("netpol"),
            cluster(AUTHENTICATION, "v1", "tokenreviews", "TokenReview").answeredOnly(),
            cluster(AUTHENTICATION, "v1", "selfsubjectreviews", "SelfSubjectReview")
                    .answeredOnly(),
            cluster(AUTHORIZATION, "v1", "subjectaccessreviews", "SubjectAccessReview")
                    .answeredOnly(),
            namespaced(AUTHORIZATION, "v1", "localsubjectaccessreviews", "LocalSubjectAccessReview")
                    .answeredOnly(),
            cluster(AUTHORIZATION, "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview")
                    .answeredOnly(),
            cluster(AUTHORIZATION, "v1", "selfsubjectrulesreviews", "SelfSubjectRulesReview")
                    .answeredOnly());

    /** The listed, and whatever else a scheduler watches: a new kind is served as it stands in its row. */
    public static final List<ResourceType> ALL = withWatched(LISTED);

    private ResourceTable() {}

    private static List<ResourceType> withWatched(List<ResourceType> listed) {
        List<ResourceType> all = new ArrayList<>(listed);
        for (Kind<?> kind : Kinds.IN_TREE.all()) {
            if (listed.stream()
                    .noneMatch(type -> type.kind().equals(kind.objectKind())
                            && type.apiVersion().equals(kind.apiVersion()))) {
                all.add(of(kind));
            }
        }
        return List.copyOf(all);
    }

    private static ResourceType of(Kind<?> kind) {
        return kind.namespaced()
                ? namespaced(kind.group(), kind.version(), kind.plural(), kind.objectKind())
                : cluster(kind.group(), kind.version(), kind.plural(), kind.objectKind());
    }

    public static Optional<ResourceType> find(String group, String version, String resource) {
        return ALL.stream()
                .filter(type -> type.resource().equals(resource)
                        && type.group().equals(group)
                        && type.version().equals(version))
                .findFirst();
    }

    /** The type of an object by what it says it is. */
    public static Optional<ResourceType> ofKind(String apiVersion, String kind) {
        return ALL.stream()
                .filter(type -> type.kind().equals(kind) && type.apiVersion().equals(apiVersion))
                .findFirst();
    }

    public static List<ResourceType> of(String group, String version) {
        return ALL.stream()
                .filter(type -> type.group().equals(group) && type.version().equals(version))
                .toList();
    }

    /** The versions of a group, the preferred one first. */
    public static SortedSet<String> versions(String group) {
        return ALL.stream()
                .filter(type -> type.group().equals(group))
                .map(ResourceType::version)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The named groups: all but core. */
    public static Set<String> groups() {
        return ALL.stream()
                .map(ResourceType::group)
                .filter(group -> !group.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
