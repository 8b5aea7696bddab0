package io.evenkeel.api;

import java.util.Map;

/**
 * The parts that a plugin is made from.
 *
 * @since 0.1
 */
public interface PluginContext {

    /** The cluster; empty until the scheduler has begun. */
    Cluster cluster();

    /** The {@code args} of the plugin's {@code pluginConfig} entry by field: strings, numbers, booleans, lists and maps. */
    Map<String, Object> args();

    /** The pods of all profiles that wait for permits. */
    WaitingPods waitingPods();

    /** Whether some pod in place may have to go for this one, by their priorities. */
    boolean hasPodsToPreempt(PendingPod waiting);

    /** Whether a feature gate of kube-scheduler is on; false where there is none of this name. */
    boolean isFeatureOn(String gate);
}
