package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.controller.Kubelets.Heartbeats;
import io.evenkeel.hollow.controller.WorldOptions.Pace;
import io.evenkeel.hollow.registry.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts the controllers of a cluster. */
final class Controllers {

    private Controllers() {}

    /** The ones that make pods of workloads and volumes of claims; no pod runs. */
    static ControlLoop start(Registry registry) {
        ControlLoop loop = new ControlLoop();
        loop.start(registry.store(), all(registry, loop, new EventRecorder(registry, false)));
        return loop;
    }

    /**
     * All of them, with the kubelets.
     *
     * @param heartbeat how often nodes renew their Leases; zero for never
     * @param defaultScheduler whether a stand-in places the pods of {@code default-scheduler}
     * @param written whether Events are written
     */
    static ControlLoop start(
            Registry registry, Pace pace, Duration heartbeat, boolean defaultScheduler, boolean written) {
        ControlLoop loop = new ControlLoop();
        EventRecorder events = new EventRecorder(registry, written);
        List<Controller> controllers = all(registry, loop, events);
        controllers.add(new NodeTaints(registry));
        controllers.add(new Kubelets(registry, loop.observed(), loop, events, pace));
        if (defaultScheduler) {
            controllers.add(new FirstFit(registry, events));
        }
        loop.start(registry.store(), controllers);
        if (heartbeat.isPositive()) {
            new Heartbeats(registry).start(loop, heartbeat);
        }
        return loop;
    }

    /** In the order in which they look at a round's changes: owners first. */
    private static List<Controller> all(Registry registry, ControlLoop loop, EventRecorder events) {
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
}
