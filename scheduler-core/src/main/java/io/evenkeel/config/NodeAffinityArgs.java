package io.evenkeel.config;

import io.evenkeel.model.constraint.NodeAffinity;
import java.util.Optional;

/**
 * Arguments of NodeAffinity.
 *
 * @param addedAffinity holds for all pods of the profile, besides their own
 */
public record NodeAffinityArgs(Optional<NodeAffinity> addedAffinity) implements PluginArgs {
    public static NodeAffinityArgs defaults() {
        return new NodeAffinityArgs(Optional.empty());
    }
}
