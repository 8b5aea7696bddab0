package io.evenkeel.model;

import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A node of the cluster.
 *
 * @since 0.1
 */
public record Node(
        ObjectMeta meta,
        boolean unschedulable,
        List<Taint> taints,
        Map<String, Quantity> allocatable,
        List<ContainerImage> images,
        Set<String> declaredFeatures)
        implements KubernetesObject {
    /** The label by which each node is a domain of its own. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    @Override
    public String kindName() {
        return "Node";
    }

    public String name() {
        return meta.name();
    }

    public Labels labels() {
        return meta.labels();
    }

    /** Whether it is cordoned, or somebody is about to take it away, so that its pods have to go. */
    public boolean isLeaving() {
        return unschedulable || taints.stream().anyMatch(Taint::isOfLeavingNodes);
    }

    /** Whether the two differ in nothing that scheduling reads: a heartbeat changes no more than the version. */
    public boolean schedulesLike(Node other) {
        return meta.equalsButForVersion(other.meta)
                && unschedulable == other.unschedulable
                && taints.equals(other.taints)
                && allocatable.equals(other.allocatable)
                && images.equals(other.images)
                && declaredFeatures.equals(other.declaredFeatures);
    }
}
