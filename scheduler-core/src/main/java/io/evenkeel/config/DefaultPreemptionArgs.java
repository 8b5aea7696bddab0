package io.evenkeel.config;

/**
 * How many candidates extenders are asked about, where there are as many: the greater of the two numbers. All nodes are looked
 * at in any case, of which the reference looks for so many candidates.
 */
public record DefaultPreemptionArgs(int minCandidateNodesPercentage, int minCandidateNodesAbsolute)
        implements PluginArgs {

    public static DefaultPreemptionArgs defaults() {
        return new DefaultPreemptionArgs(10, 100);
    }
}
