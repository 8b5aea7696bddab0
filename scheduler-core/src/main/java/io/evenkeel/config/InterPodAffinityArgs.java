package io.evenkeel.config;

/**
 * Arguments of InterPodAffinity.
 *
 * @param hardPodAffinityWeight score of an existing pod's required affinity to the incoming pod
 * @param ignorePreferredTermsOfExistingPods unless the incoming pod has affinity of its own
 * @param exactNamespaceSelectors a namespaceSelector of the incoming pod's terms selects the namespaces whose labels match,
 *     instead of all namespaces where no labels at all would match; kube-scheduler has no such field
 */
public record InterPodAffinityArgs(
        int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods, boolean exactNamespaceSelectors)
        implements PluginArgs {

    public static InterPodAffinityArgs defaults() {
        return new InterPodAffinityArgs(1, false, false);
    }
}
