package io.evenkeel.tools.simulate;

/** A change of a cluster that is thought of. */
@FunctionalInterface
interface ClusterChange {
    /**
     * Makes it.
     *
     * @throws io.evenkeel.problem.UserProblem if the cluster has not what it names
     */
    void apply(ChangedCluster cluster);
}
