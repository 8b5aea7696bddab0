package io.evenkeel.model.policy;

import io.evenkeel.model.ObjectMeta;
import java.util.List;

/**
 * A PlacementPolicy of evenkeel.io: where the pods of its namespace may be that it selects. Those count of the namespaces that its
 * namespaceSelector selects, too.
 */
public record PlacementPolicy(ObjectMeta meta, PolicySpec spec, List<RelaxedDomain> relaxed) implements PolicyObject {
    public static final String KIND = "PlacementPolicy";

    public PlacementPolicy {
        relaxed = List.copyOf(relaxed);
    }

    public PlacementPolicy(ObjectMeta meta, PolicySpec spec) {
        this(meta, spec, List.of());
    }

    @Override
    public String kindName() {
        return KIND;
    }
}
