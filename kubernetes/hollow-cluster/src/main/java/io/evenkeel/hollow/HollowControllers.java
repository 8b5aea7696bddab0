package io.evenkeel.hollow;

import io.evenkeel.hollow.control.ControlLoop;
import io.evenkeel.hollow.control.Controller;
import io.evenkeel.hollow.control.EventRecorder;
import io.evenkeel.hollow.controller.Controllers;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.volume.VolumeControllers;
import java.util.ArrayList;
import java.util.List;

/**
 * The controllers without the kubelets, for a cluster that runs its nodes otherwise: they make pods of StatefulSets and volumes
 * of claims, but no pod runs.
 */
public final class HollowControllers implements AutoCloseable {
    private final ControlLoop loop = new ControlLoop();

    private HollowControllers(HollowCluster cluster) {
        Registry registry = cluster.registry();
        loop.start(registry.store(), all(registry, new Deletion(registry), loop, new EventRecorder(registry, false)));
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
