package io.evenkeel.config;

/**
 * A plugin by name.
 *
 * @param weight of its scores; 0 where none is given, which counts as 1 wherever the plugin scores
 */
public record EnabledPlugin(String name, int weight) {
    public static EnabledPlugin of(String name) {
        return new EnabledPlugin(name, 0);
    }
}
