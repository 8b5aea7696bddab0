package io.evenkeel.plugins.noderesources;

import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import java.util.Set;

/**
 * The extended resources that the filter passes over, by name or by what stands before the slash. Other resources
 * cannot be ignored, even if they are listed.
 */
record IgnoredResources(Set<String> names, Set<String> groups) {

    static IgnoredResources of(NodeResourcesFitArgs args) {
        return new IgnoredResources(Set.copyOf(args.ignoredResources()), Set.copyOf(args.ignoredResourceGroups()));
    }

    boolean contains(String resource) {
        return ResourceNames.isExtended(resource)
                && (names.contains(resource) || groups.contains(resource.substring(0, resource.indexOf('/'))));
    }
}
