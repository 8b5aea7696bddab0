package io.evenkeel.config;

import java.time.Duration;

/**
 * Arguments of DynamicResources.
 *
 * @param filterTimeout for the search for devices on one node; 0 for no limit
 * @param bindingTimeout for devices to become ready
 */
public record DynamicResourcesArgs(Duration filterTimeout, Duration bindingTimeout) implements PluginArgs {
    public static DynamicResourcesArgs defaults() {
        return new DynamicResourcesArgs(Duration.ofSeconds(10), Duration.ofSeconds(600));
    }
}
