package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import java.util.List;

/** The controllers of volumes, in the order in which they look at a round's changes. */
public final class VolumeControllers {

    private VolumeControllers() {}

    public static List<Controller> all(Registry registry, Deletion deletion, Schedule schedule, EventRecorder events) {
        return List.of(
                new EphemeralClaims(registry, events),
                new PersistentVolumes(registry, deletion, events),
                new Provisioner(registry, schedule, events));
    }
}
