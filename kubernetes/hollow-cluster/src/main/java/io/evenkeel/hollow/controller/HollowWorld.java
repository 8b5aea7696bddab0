package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.Kubelets.Heartbeats;
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
    private final ControlLoop loop;

    private HollowWorld(WorldOptions options) {
        cluster = HollowCluster.start(options.server());
        Registry registry = cluster.objects().registry();
        nodes = new HollowNodes(registry);
        nodes.add(options.nodes(), options.zones(), options.capacity());
        loop = started(registry, options);
    }

    private static ControlLoop started(Registry registry, WorldOptions options) {
        ControlLoop loop = new ControlLoop();
        EventRecorder events = new EventRecorder(registry, options.events());
        List<Controller> controllers = controllers(registry, loop, events);
        controllers.add(new NodeTaints(registry));
        controllers.add(new Kubelets(registry, loop.observed(), loop, events, options.pace()));
        if (options.defaultScheduler()) {
            controllers.add(new FirstFit(registry, events));
        }
        loop.start(registry.store(), controllers);
        if (options.heartbeat().isPositive()) {
            new Heartbeats(registry).start(loop, options.heartbeat());
        }
        return loop;
    }

    /** Those that make pods of workloads and volumes of claims, in the order in which they look at a round's changes: owners first. */
    private static List<Controller> controllers(Registry registry, ControlLoop loop, EventRecorder events) {
        PodFactory pods = new PodFactory(registry, events);
        Observed observed = loop.observed();
        return new ArrayList<>(List.of(
                new GarbageCollector(registry, observed),
                new ServiceAccounts(registry),
                new Deployments(registry, observed, events),
                new ReplicaSets(registry, observed, loop, pods, events),
                new StatefulSets(registry, observed, pods, events),
                new DisruptionBudgets(registry),
                new EphemeralClaims(registry, events),
                new PersistentVolumes(registry, events),
                new Provisioner(registry, loop, events)));
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
            Registry registry = cluster.objects().registry();
            loop.start(registry.store(), controllers(registry, loop, new EventRecorder(registry, false)));
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
