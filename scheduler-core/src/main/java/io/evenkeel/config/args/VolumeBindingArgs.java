package io.evenkeel.config.args;

/** How long to wait for a pod's volumes to be bound. */
public record VolumeBindingArgs(long bindTimeoutSeconds) implements PluginArgs {
    public static VolumeBindingArgs defaults() {
        return new VolumeBindingArgs(600);
    }
}
