package io.evenkeel.config.args;

/** The fewest candidate nodes that preemption tries, where there are as many: the greater of the two numbers. */
public record DefaultPreemptionArgs(int minCandidateNodesPercentage, int minCandidateNodesAbsolute)
        implements PluginArgs {

    public static DefaultPreemptionArgs defaults() {
        return new DefaultPreemptionArgs(10, 100);
    }
}
