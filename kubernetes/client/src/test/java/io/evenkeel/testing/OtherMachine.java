package io.evenkeel.testing;

import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.api.Machine.Slots;
import io.evenkeel.kube.api.Machine.TimeLimit;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import okhttp3.Interceptor;

/** This machine, in all that a test does not have otherwise. */
public abstract class OtherMachine implements Machine {
    @Override
    public Clocks clocks() {
        return SYSTEM.clocks();
    }

    @Override
    public Sleeper sleeper() {
        return SYSTEM.sleeper();
    }

    @Override
    public RandomGenerator random() {
        return SYSTEM.random();
    }

    @Override
    public UUID uuid() {
        return SYSTEM.uuid();
    }

    @Override
    public TimeLimit timeLimit() {
        return SYSTEM.timeLimit();
    }

    @Override
    public List<Interceptor> interceptors() {
        return SYSTEM.interceptors();
    }

    @Override
    public Slots room(int places) {
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
