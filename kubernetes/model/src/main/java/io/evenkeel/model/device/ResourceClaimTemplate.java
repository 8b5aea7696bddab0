package io.evenkeel.model.device;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;

/**
 * A ResourceClaimTemplate, of which a controller makes claims for pods.
 *
 * @param spec of the claims
 */
public record ResourceClaimTemplate(ObjectMeta meta, ResourceClaim.Spec spec) implements PluginObject {
    @Override
    public String kindName() {
        return "ResourceClaimTemplate";
    }
}
