package io.evenkeel.config.args;

/** At least the greater of the two numbers of candidate nodes is tried, where there are so many. */
public record DefaultPreemptionArgs(int minCandidateNodesPercentage, int minCandidateNodesAbsolute)
        implements PluginArgs {

    public static DefaultPreemptionArgs defaults() {
        return new DefaultPreemptionArgs(10, 100);
    }
}
