package io.evenkeel.config.args;

/** The time limit for binding a pod's volumes. */
public record VolumeBindingArgs(long bindTimeoutSeconds) implements PluginArgs {
    public static VolumeBindingArgs defaults() {
        return new VolumeBindingArgs(600);
    }
}
