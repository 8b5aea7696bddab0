package io.evenkeel.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A node of the cluster. */
public record Node(
        ObjectMeta meta,
        boolean unschedulable,
        List<Taint> taints,
        Map<String, Quantity> allocatable,
        List<ContainerImage> images,
        Set<String> declaredFeatures)
        implements KubernetesObject {

    public String name() {
        return meta.name();
    }

    public Labels labels() {
        return meta.labels();
    }
}
