package io.evenkeel.config;

import java.util.List;

/**
 * Arguments of NodeResourcesFit.
 *
 * @param ignoredResources extended resources that filtering passes over
 * @param ignoredResourceGroups the same for all resources with this prefix before the slash
 */
public record NodeResourcesFitArgs(
        List<String> ignoredResources, List<String> ignoredResourceGroups, ScoringStrategy scoringStrategy)
        implements PluginArgs {

    public NodeResourcesFitArgs {
        ignoredResources = List.copyOf(ignoredResources);
        ignoredResourceGroups = List.copyOf(ignoredResourceGroups);
    }

    public static NodeResourcesFitArgs defaults() {
        return new NodeResourcesFitArgs(List.of(), List.of(), ScoringStrategy.defaults());
    }
}
