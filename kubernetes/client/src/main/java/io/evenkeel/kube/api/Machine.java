package io.evenkeel.kube.api;

import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import okhttp3.Interceptor;

/**
 * The machine that a process runs on: its time, chance and threads, and the ways in which these wait. Handed in from the
 * top, so that a simulation may stand in for it and decide what happens when.
 */
public interface Machine {
    Machine SYSTEM = new ThisMachine();

    /** Time, and chance that threads may share. */
    Clocks clocks();

    /** Chance for one thread, and fast. */
    RandomGenerator random();

    /** An identity that no other process on any machine has. */
    UUID uuid();

    /** The sleep of one thread. */
    Sleeper sleeper();

    /** The limit of how long calls may take. */
    TimeLimit timeLimit();

    /** Interceptors of calls to extenders; none outside of tests. */
    List<Interceptor> interceptors();

    /** Room for so many threads at a time. */
    Slots room(int places);

    /** Makes a thread, yet to be started, that mostly waits for an answer. */
    Thread thread(String name, Runnable work);

    /** A thread of the same sort that takes the loop's turns until it has ended. */
    Thread thread(String name, Loop loop);

    /** A thread that gets its time however busy all others are, as what keeps a lease must. */
    Thread dedicated(String name, Runnable work);

    /** A thread that takes a loop's turns and keeps a processor busy. */
    Thread dedicated(String name, Loop loop);

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
        public Slots room(int places) {
            return Slots.of(places);
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
}
