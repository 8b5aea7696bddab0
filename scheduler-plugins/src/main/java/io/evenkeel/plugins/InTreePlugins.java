package io.evenkeel.plugins;

import io.evenkeel.framework.PluginFactory;
import io.evenkeel.framework.PluginRegistry;
import io.evenkeel.plugins.interpodaffinity.InterPodAffinity;
import io.evenkeel.plugins.podtopologyspread.PodTopologySpread;
import java.util.List;

/** The plugins that come with Evenkeel. */
public final class InTreePlugins {
    private static final List<PluginFactory> ALL = List.of(PodTopologySpread.FACTORY, InterPodAffinity.FACTORY);

    private InTreePlugins() {}

    /** These plugins and those that other jars on the class path announce. */
    public static PluginRegistry registry() {
        return PluginRegistry.withPluginsFromOutside(ALL);
    }
}
