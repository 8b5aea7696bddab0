package io.evenkeel.model.policy;

import io.evenkeel.model.ObjectMeta;
import java.util.List;

/** A ClusterPlacementPolicy of evenkeel.io: the same for the pods of all namespaces that its namespaceSelector selects, counted together. */
public record ClusterPlacementPolicy(ObjectMeta meta, PolicySpec spec, List<RelaxedDomain> relaxed)
        implements PolicyObject {
    public static final String KIND = "ClusterPlacementPolicy";

    public ClusterPlacementPolicy {
        relaxed = List.copyOf(relaxed);
    }

    public ClusterPlacementPolicy(ObjectMeta meta, PolicySpec spec) {
        this(meta, spec, List.of());
    }

    @Override
    public String kindName() {
        return KIND;
    }
}
