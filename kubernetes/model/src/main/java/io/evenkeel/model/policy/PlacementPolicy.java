package io.evenkeel.model.policy;

import io.evenkeel.model.ObjectMeta;

/**
 * A PlacementPolicy of evenkeel.io: where the pods of its namespace may be that it selects. Those count of the namespaces that its
 * namespaceSelector selects, too.
 */
public record PlacementPolicy(ObjectMeta meta, PolicySpec spec, PolicyStatus status) implements PolicyObject {
    public static final String KIND = "PlacementPolicy";

    public PlacementPolicy(ObjectMeta meta, PolicySpec spec) {
        this(meta, spec, PolicyStatus.NONE);
    }

    @Override
    public PlacementPolicy with(PolicySpec another) {
        return new PlacementPolicy(meta, another, status);
    }

    @Override
    public String kindName() {
        return KIND;
    }
}
