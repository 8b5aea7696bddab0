package io.evenkeel.e2e.cluster;

import io.evenkeel.hollow.HollowCluster;
import java.nio.file.Path;
import java.util.Optional;

/** A cluster with an API server, whatever stands behind it. */
public interface Cluster extends AutoCloseable {

    /** The kubeconfig of the suite, who may do anything. */
    Path kubeconfig();

    /** The kubeconfig of the schedulers under test: another user where that is easy, so that logs tell them apart. */
    default Path schedulerKubeconfig() {
        return kubeconfig();
    }

    /** What only a hollow cluster can do: faults, a log of requests, restarts. */
    default Optional<HollowCluster> hollow() {
        return Optional.empty();
    }

    @Override
    void close();
}
