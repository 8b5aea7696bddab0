package io.evenkeel.model.policy;

import io.evenkeel.model.ObjectMeta;

/** A ClusterPlacementPolicy of evenkeel.io: the same for the pods of all namespaces that its namespaceSelector selects, counted together. */
public record ClusterPlacementPolicy(ObjectMeta meta, PolicySpec spec, PolicyStatus status) implements PolicyObject {
    public static final String KIND = "ClusterPlacementPolicy";

    public ClusterPlacementPolicy(ObjectMeta meta, PolicySpec spec) {
        this(meta, spec, PolicyStatus.NONE);
    }

    @Override
    public ClusterPlacementPolicy with(PolicySpec another) {
        return new ClusterPlacementPolicy(meta, another, status);
    }

    @Override
    public String kindName() {
        return KIND;
    }
}
