package io.evenkeel.config;

/**
 * Arguments of InterPodAffinity.
 *
 * @param hardPodAffinityWeight what an existing pod's required affinity to the incoming pod is worth in scoring
 * @param ignorePreferredTermsOfExistingPods unless the incoming pod has affinity of its own
 */
public record InterPodAffinityArgs(int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods)
        implements PluginArgs {

    public static InterPodAffinityArgs defaults() {
        return new InterPodAffinityArgs(1, false);
    }
}
