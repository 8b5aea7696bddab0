package io.evenkeel.hollow;

import io.evenkeel.hollow.controller.ControlLoop;
import io.evenkeel.hollow.controller.Controller;
import io.evenkeel.hollow.controller.Controllers;
import io.evenkeel.hollow.controller.EventRecorder;
import io.evenkeel.hollow.controller.FirstFit;
import io.evenkeel.hollow.controller.Heartbeats;
import io.evenkeel.hollow.controller.HollowNodes;
import io.evenkeel.hollow.controller.Kubelets;
import io.evenkeel.hollow.controller.NodeTaints;
import io.evenkeel.hollow.controller.VolumeControllers;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster that lives: an API server, nodes on which bound pods run, and controllers that make pods of Deployments and
 * their relatives, and volumes of claims. Only the scheduler is missing.
 */
public final class HollowWorld implements AutoCloseable {

    private final HollowCluster cluster;
    private final HollowNodes nodes;
    private final ControlLoop loop = new ControlLoop();

    private HollowWorld(WorldOptions options) {
        cluster = HollowCluster.start(options.server());
        Registry registry = cluster.registry();
        Deletion deletion = new Deletion(registry);
        nodes = new HollowNodes(registry, deletion);
        nodes.add(options.nodes(), options.zones(), options.capacity());
        EventRecorder events = new EventRecorder(registry, options.events());
        List<Controller> controllers = HollowControllers.all(registry, deletion, loop, events);
        controllers.add(new NodeTaints(registry));
        controllers.add(new Kubelets(registry, deletion, loop.observed(), loop, events, options.pace()));
        if (options.defaultScheduler()) {
            controllers.add(new FirstFit(registry, events));
        }
        loop.start(registry.store(), controllers);
        if (options.heartbeat().isPositive()) {
            new Heartbeats(registry).start(loop, options.heartbeat());
        }
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
        private final ControlLoop loop = new ControlLoop();

        private HollowControllers(HollowCluster cluster) {
            Registry registry = cluster.registry();
            loop.start(
                    registry.store(), all(registry, new Deletion(registry), loop, new EventRecorder(registry, false)));
        }

        /** Starts them for the cluster, until they are closed. */
        public static HollowControllers start(HollowCluster cluster) {
            return new HollowControllers(cluster);
        }

        static List<Controller> all(Registry registry, Deletion deletion, ControlLoop loop, EventRecorder events) {
            List<Controller> all = new ArrayList<>(Controllers.all(registry, deletion, loop, events));
            all.addAll(VolumeControllers.all(registry, deletion, loop, events));
            return all;
        }

        @Override
        public void close() {
            loop.close();
        }
    }
}
