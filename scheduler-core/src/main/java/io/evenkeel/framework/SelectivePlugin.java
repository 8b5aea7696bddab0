package io.evenkeel.framework;

import io.evenkeel.api.Plugin;
import io.evenkeel.cluster.PodInfo;

/**
 * Says for which pods it reserves and prepares: a part that Reserve and PreBind plugins may have which do nothing for most. For the
 * others it is not asked between Reserve and Bind, and nothing is kept of their cycle.
 */
public interface SelectivePlugin extends Plugin {
    /** Whether it may have something to do for the pod once that has a node. */
    boolean isFor(PodInfo pod);

    /** Whether the plugin is one of these, and not for the pod. */
    static boolean passesOver(PodInfo pod, Plugin plugin) {
        return plugin instanceof SelectivePlugin selective && !selective.isFor(pod);
    }
}
