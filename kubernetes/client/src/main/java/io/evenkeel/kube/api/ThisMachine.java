package io.evenkeel.kube.api;

import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import okhttp3.Interceptor;

/** The machine that this process is on. */
final class ThisMachine implements Machine {
    @Override
    public Clocks clocks() {
        return Clocks.SYSTEM;
    }

    @Override
    public RandomGenerator random() {
        return RandomGenerator.of("L64X128MixRandom");
    }

    @Override
    public UUID uuid() {
        return UUID.randomUUID();
    }

    @Override
    public Sleeper sleeper() {
        return Sleeper.light();
    }

    @Override
    public TimeLimit timeLimit() {
        return TimeLimit::onOwnThread;
    }

    @Override
    public List<Interceptor> interceptors() {
        return List.of();
    }

    @Override
    public Room room(int places) {
        return Room.of(places);
    }

    @Override
    public Thread thread(String name, Runnable work) {
        return Thread.ofVirtual().name(name).unstarted(work);
    }

    @Override
    public Thread thread(String name, Loop loop) {
        return thread(name, turns(loop));
    }

    @Override
    public Thread dedicated(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).unstarted(work);
    }

    @Override
    public Thread dedicated(String name, Loop loop) {
        return Thread.ofPlatform().name(name).unstarted(turns(loop));
    }

    private static Runnable turns(Loop loop) {
        return () -> {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = loop.turn(Long.MAX_VALUE);
            }
        };
    }
}
