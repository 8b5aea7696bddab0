package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.kind.policy.PolicySchema;
import io.evenkeel.hollow.status.FieldErrors;

/** PlacementPolicies of evenkeel.io, by the schema of their definition. */
final class PolicyStrategy extends ReconciledStrategy {
    private final boolean namespaced;

    PolicyStrategy(boolean namespaced) {
        this.namespaced = namespaced;
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        PolicySchema.check(tree, namespaced, errors);
    }

    /** As of any custom resource. */
    @Override
    public boolean allowsUnconditionalUpdate() {
        return false;
    }
}
