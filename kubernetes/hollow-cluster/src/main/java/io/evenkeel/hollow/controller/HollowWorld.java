package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowObjects;

/**
 * A cluster that lives: an API server, nodes on which bound pods run, and controllers that make pods of Deployments and
 * their relatives, and volumes of claims. Only the scheduler is missing.
 */
public final class HollowWorld implements AutoCloseable {

    private final HollowCluster cluster;
    private final HollowNodes nodes;
    private final ControlLoop loop;

    private HollowWorld(WorldOptions options) {
        cluster = HollowCluster.start(options.server());
        nodes = new HollowNodes(cluster.objects().registry());
        nodes.add(options.nodes(), options.zones(), options.capacity());
        loop = Controllers.start(
                cluster.objects().registry(),
                options.pace(),
                options.heartbeat(),
                options.defaultScheduler(),
                options.events());
    }

    /** Starts the server, the nodes and the controllers. */
    public static HollowWorld start(WorldOptions options) {
        return new HollowWorld(options);
    }

    /** The API server and its objects. */
    public HollowCluster cluster() {
        return cluster;
    }

    public HollowNodes nodes() {
        return nodes;
    }

    public HollowObjects objects() {
        return cluster.objects();
    }

    /**
     * Waits until nodes and controllers have nothing left to do, heartbeats aside. What others do meanwhile, such as a
     * scheduler, may give them more.
     */
    public void settle() throws InterruptedException {
        loop.settle();
    }

    @Override
    public void close() {
        loop.close();
        cluster.close();
    }

    /**
     * The controllers without the kubelets, for a cluster that runs its nodes otherwise: they make pods of StatefulSets and volumes
     * of claims, but no pod runs.
     */
    public static final class HollowControllers implements AutoCloseable {
        private final ControlLoop loop;

        private HollowControllers(HollowCluster cluster) {
            loop = Controllers.start(cluster.objects().registry());
        }

        /** Starts them for the cluster, until they are closed. */
        public static HollowControllers start(HollowCluster cluster) {
            return new HollowControllers(cluster);
        }

        @Override
        public void close() {
            loop.close();
        }
    }
}
