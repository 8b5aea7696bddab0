package io.evenkeel.tools.dump;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.Node;
import io.evenkeel.model.workload.Templates;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names that Kubernetes and its own projects give, which tell nothing of a user. A dump without names keeps these
 * and replaces all others.
 */
final class WellKnown {
    /** Labels, taints, annotations, resources and provisioners, whole. */
    private static final Set<String> KEYS = Set.of(
            "metadata.name",
            Templates.HASH,
            "pod-template-generation",
            Templates.REVISION,
            "job-name",
            "controller-uid",
            "kubernetes.io/os",
            "kubernetes.io/arch",
            Node.HOSTNAME,
            "kubernetes.io/metadata.name",
            "beta.kubernetes.io/os",
            "beta.kubernetes.io/arch",
            "beta.kubernetes.io/instance-type",
            "topology.kubernetes.io/zone",
            "topology.kubernetes.io/region",
            "failure-domain.beta.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region",
            "node.kubernetes.io/instance-type",
            "node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable",
            "node.kubernetes.io/unschedulable",
            "node.kubernetes.io/memory-pressure",
            "node.kubernetes.io/disk-pressure",
            "node.kubernetes.io/pid-pressure",
            "node.kubernetes.io/network-unavailable",
            "node.kubernetes.io/out-of-service",
            "node.kubernetes.io/exclude-from-external-load-balancers",
            "node.cloudprovider.kubernetes.io/uninitialized",
            "node.cloudprovider.kubernetes.io/shutdown",
            "node-role.kubernetes.io/control-plane",
            "node-role.kubernetes.io/master",
            "node-role.kubernetes.io/worker",
            "app.kubernetes.io/name",
            "app.kubernetes.io/instance",
            "app.kubernetes.io/version",
            "app.kubernetes.io/component",
            "app.kubernetes.io/part-of",
            "app.kubernetes.io/managed-by",
            "apps.kubernetes.io/pod-index",
            "statefulset.kubernetes.io/pod-name",
            "batch.kubernetes.io/job-name",
            "batch.kubernetes.io/controller-uid",
            "batch.kubernetes.io/job-completion-index",
            "pv.kubernetes.io/bind-completed",
            "pv.kubernetes.io/bound-by-controller",
            "volume.kubernetes.io/selected-node",
            "volume.kubernetes.io/storage-provisioner",
            "volume.beta.kubernetes.io/storage-class",
            "volume.beta.kubernetes.io/storage-provisioner",
            "storageclass.kubernetes.io/is-default-class",
            "storage.alpha.kubernetes.io/migrated-plugins",
            "resource.kubernetes.io/extended-resource-claim",
            "resource.kubernetes.io/pod-claim-name",
            "resource.kubernetes.io/pcieRoot",
            "scheduling.x-k8s.io/pod-group",
            "evenkeel.io/group-placement",
            "evenkeel.io/pod-deletion-cost",
            "controller.kubernetes.io/pod-deletion-cost",
            "topology.ebs.csi.aws.com/zone",
            "topology.gke.io/zone",
            "topology.disk.csi.azure.com/zone",
            "topology.cinder.csi.openstack.org/zone",
            "cloud.google.com/gke-nodepool",
            "cloud.google.com/gke-accelerator",
            "cloud.google.com/gke-spot",
            "eks.amazonaws.com/nodegroup",
            "eks.amazonaws.com/capacityType",
            "kubernetes.azure.com/agentpool",
            "kubernetes.azure.com/scalesetpriority",
            "karpenter.sh/nodepool",
            "karpenter.sh/capacity-type",
            "nvidia.com/gpu",
            "amd.com/gpu",
            "gpu.intel.com/i915",
            "gpu.intel.com/xe",
            "google.com/tpu",
            "aws.amazon.com/neuron",
            "vpc.amazonaws.com/pod-eni",
            "devices.kubevirt.io/kvm");

    /** Resources without a domain, and those that begin so. */
    private static final Set<String> RESOURCES =
            Set.of("cpu", "memory", "pods", "ephemeral-storage", "storage", "count");

    /** By these a resource is told from others, whatever follows. */
    private static final List<String> RESOURCE_PREFIXES = List.of("hugepages-", "attachable-volumes-", "requests.");

    /** Domains of keys that are read by the domain alone; the part after the slash is replaced. */
    private static final Set<String> DOMAINS = Set.of(
            "kubernetes.io/",
            "node.kubernetes.io/",
            "node-role.kubernetes.io/",
            "topology.kubernetes.io/",
            "evenkeel.io/");

    /** Marks the name of a resource as Kubernetes' own, as scheduling sees it. */
    private static final String NATIVE = "kubernetes.io/";

    /** Drivers and provisioners to which volumes of Kubernetes' former own kinds are translated. */
    private static final Set<String> DRIVERS = Set.of(
            "ebs.csi.aws.com",
            "pd.csi.storage.gke.io",
            "disk.csi.azure.com",
            "file.csi.azure.com",
            "cinder.csi.openstack.org",
            "csi.vsphere.vmware.com",
            "pxd.portworx.com",
            "kubernetes.io/aws-ebs",
            "kubernetes.io/gce-pd",
            "kubernetes.io/azure-disk",
            "kubernetes.io/azure-file",
            "kubernetes.io/cinder",
            "kubernetes.io/vsphere-volume",
            "kubernetes.io/portworx-volume",
            "kubernetes.io/no-provisioner");

    /** The label by which each namespace has its name. */
    static final String NAME_OF_NAMESPACE = "kubernetes.io/metadata.name";

    /** The namespaces that each API server makes. */
    private static final Set<String> NAMESPACES = Set.of("default", "kube-system", "kube-public", "kube-node-lease");

    private static final Set<String> PRIORITY_CLASSES = Set.of("system-cluster-critical", "system-node-critical");

    private static final Set<String> SYSTEMS = Set.of("linux", "windows");
    private static final Set<String> PROCESSORS = Set.of("amd64", "arm64", "arm", "ppc64le", "s390x", "riscv64");
    private static final Set<String> TRUTHS = Set.of("true", "false");

    /** The words that the values of some keys are of; as values of others they are a user's. */
    private static final Map<String, Set<String>> VALUES = Map.of(
            "kubernetes.io/os",
            SYSTEMS,
            "beta.kubernetes.io/os",
            SYSTEMS,
            "kubernetes.io/arch",
            PROCESSORS,
            "beta.kubernetes.io/arch",
            PROCESSORS,
            "storageclass.kubernetes.io/is-default-class",
            TRUTHS,
            Annotations.GROUP_PLACEMENT,
            Set.of("gang", "end-state", "look-ahead"));

    /** Amounts that are annotations. */
    private static final Set<String> AMOUNTS = Set.of(Annotations.DELETION_COST, Annotations.OWN_DELETION_COST);

    private static final Set<String> GROUPS = Set.of(
            "",
            "apps",
            "batch",
            "policy",
            "storage.k8s.io",
            "scheduling.k8s.io",
            "scheduling.x-k8s.io",
            "resource.k8s.io");

    private WellKnown() {}

    static boolean isKey(String key) {
        return KEYS.contains(key)
                || RESOURCES.contains(key)
                || DRIVERS.contains(key)
                || RESOURCE_PREFIXES.stream().anyMatch(prefix -> key.startsWith(prefix) && isPlain(key, prefix));
    }

    /** A size, as in hugepages-2Mi, or a driver that is known. */
    private static boolean isPlain(String key, String prefix) {
        return key.substring(prefix.length()).matches("[0-9]{1,4}[KMGT]i|aws-ebs|gce-pd|azure-disk|cinder|csi");
    }

    /** The part of a text that stays. */
    record Part(int begin, int end) {
        private static final Part NONE = new Part(0, 0);
    }

    /** Returns the part that stays of a key that is not known as a whole. */
    static Part partOf(String key) {
        int domain = key.indexOf('/') + 1;
        int named = key.indexOf(NATIVE);
        if (DOMAINS.contains(key.substring(0, domain))) {
            return new Part(0, domain);
        }
        if (named >= 0) {
            return new Part(named, named + NATIVE.length());
        }
        return RESOURCE_PREFIXES.stream()
                .filter(key::startsWith)
                .findFirst()
                .map(prefix -> new Part(0, prefix.length()))
                .orElse(Part.NONE);
    }

    static boolean isNamespace(String name) {
        return NAMESPACES.contains(name);
    }

    static boolean isPriorityClass(String name) {
        return PRIORITY_CLASSES.contains(name);
    }

    /** Whether the value of a key is one of its words, an amount, or nothing. */
    static boolean isValue(String key, String value) {
        return value.isEmpty()
                || VALUES.getOrDefault(key, Set.of()).contains(value)
                || (AMOUNTS.contains(key) && value.matches("0|-?[1-9][0-9]{0,9}"));
    }

    static boolean isDriver(String name) {
        return DRIVERS.contains(name);
    }

    static boolean isOfKubernetes(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return GROUPS.contains(slash < 0 ? "" : apiVersion.substring(0, slash))
                && apiVersion.substring(slash + 1).matches("v[0-9]{1,2}((alpha|beta)[0-9]{1,2})?");
    }
}
