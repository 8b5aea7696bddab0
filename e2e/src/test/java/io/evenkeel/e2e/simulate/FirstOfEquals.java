package io.evenkeel.e2e.simulate;

import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Loop;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Room;
import io.evenkeel.kube.api.Sleeper;
import io.evenkeel.kube.api.TimeLimit;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** This machine without chance: among equal nodes it is always the first, which is the first by name where they were listed so. */
final class FirstOfEquals implements Machine {
    @Override
    public Clocks clocks() {
        return SYSTEM.clocks();
    }

    @Override
    public RandomGenerator random() {
        return () -> 0;
    }

    @Override
    public UUID uuid() {
        return SYSTEM.uuid();
    }

    @Override
    public Sleeper sleeper() {
        return SYSTEM.sleeper();
    }

    @Override
    public TimeLimit timeLimit() {
        return SYSTEM.timeLimit();
    }

    @Override
    public Room room(int places) {
        return SYSTEM.room(places);
    }

    @Override
    public Thread thread(String name, Runnable work) {
        return SYSTEM.thread(name, work);
    }

    @Override
    public Thread thread(String name, Loop loop) {
        return SYSTEM.thread(name, loop);
    }

    @Override
    public Thread dedicated(String name, Runnable work) {
        return SYSTEM.dedicated(name, work);
    }

    @Override
    public Thread dedicated(String name, Loop loop) {
        return SYSTEM.dedicated(name, loop);
    }
}
