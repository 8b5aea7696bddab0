package io.evenkeel.app.simulate.cluster;

/** A change of a cluster that is thought of. */
@FunctionalInterface
public interface ClusterChange {
    /**
     * Makes it.
     *
     * @throws io.evenkeel.app.simulate.workload.UserProblem if the cluster has not what it names
     */
    void apply(ChangedCluster cluster);
}
