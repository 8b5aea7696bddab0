package io.evenkeel.config;

/**
 * A plugin by name.
 *
 * @param weight of its scores; 0 where none is given, which counts as the plugin's default weight wherever it scores
 */
public record EnabledPlugin(String name, int weight) {
    public static EnabledPlugin of(String name) {
        return new EnabledPlugin(name, 0);
    }

    /** Returns the plugin with this weight where it has none. */
    EnabledPlugin orWeighing(int defaultWeight) {
        return weight == 0 ? new EnabledPlugin(name, defaultWeight) : this;
    }
}
