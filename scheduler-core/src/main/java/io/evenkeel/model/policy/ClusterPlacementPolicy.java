package io.evenkeel.model.policy;

import io.evenkeel.model.ObjectMeta;

/** A ClusterPlacementPolicy of evenkeel.io: the same for the pods of all namespaces that its namespaceSelector selects, counted together. */
public record ClusterPlacementPolicy(ObjectMeta meta, PolicySpec spec) implements PolicyObject {
    public static final String KIND = "ClusterPlacementPolicy";

    @Override
    public String kindName() {
        return KIND;
    }
}
