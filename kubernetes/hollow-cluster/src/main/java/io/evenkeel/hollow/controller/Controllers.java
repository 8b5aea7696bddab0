package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import java.util.List;

/** The controllers, in the order in which they look at a round's changes: owners first. */
public final class Controllers {

    private Controllers() {}

    public static List<Controller> all(Registry registry, Deletion deletion, ControlLoop loop, EventRecorder events) {
        PodFactory pods = new PodFactory(registry, events);
        return List.of(
                new GarbageCollector(registry, deletion, loop.observed()),
                new ServiceAccounts(registry),
                new Deployments(registry, deletion, loop.observed(), events),
                new ReplicaSets(registry, deletion, loop.observed(), loop, pods, events),
                new StatefulSets(registry, deletion, loop.observed(), pods, events),
                new DisruptionBudgets(registry));
    }
}
