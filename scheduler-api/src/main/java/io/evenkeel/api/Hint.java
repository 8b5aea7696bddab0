package io.evenkeel.api;

/**
 * Says whether a change may help a pod that the plugin has turned away.
 *
 * <p>It must say yes wherever some node, or the pod as a whole, passes the plugin's filter after the change and did not
 * before; where {@link PluginContext#hasPodsToPreempt less important pods} may have to go for it, also where a node
 * would pass without those: a pod that nobody wakes sleeps for minutes. Each yes beyond that costs an attempt in vain.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Hint {
    Hint ALWAYS = (waiting, change) -> true;

    /**
     * Asked after the change has been applied to the cluster, which the plugin may read, and before the next one is; later
     * for pods that are {@link WakeUp#filedBy filed}, and where the change came while the pod was being placed.
     *
     * @param waiting as it is now; where the change is its own, that is the object after the change
     */
    boolean mayHelp(PendingPod waiting, ClusterChange change);
}
