package io.evenkeel.kube.api;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** Waits until a thread of this machine has ended. */
    default void join(Thread thread) throws InterruptedException {
        thread.join();
    }

    /** The same, but for so long at most. */
    default void join(Thread thread, Duration most) throws InterruptedException {
        thread.join(most);
    }

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

    /** Places that threads take, and wait for where there are none. */
    interface Slots {

        /** Takes a place, as soon as there is one. */
        void enter();

        void leave();

        /** From now on there is always a place. */
        void open();

        /** So many places, for the threads of one process. */
        static Slots of(int places) {
            Semaphore free = new Semaphore(places);
            return new Slots() {
                private static final int FOR_ALL = 1 << 30;

                @Override
                public void enter() {
                    free.acquireUninterruptibly();
                }

                @Override
                public void leave() {
                    free.release();
                }

                @Override
                public void open() {
                    free.release(FOR_ALL);
                }
            };
        }
    }

    /** How a thread waits, so that tests need not. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(long nanos) throws InterruptedException;

        /** Ends the wait under way, and all to come. */
        default void wake() {}

        /** One that can be woken. */
        static Sleeper light() {
            CountDownLatch woken = new CountDownLatch(1);
            return new Sleeper() {
                @Override
                public void sleep(long nanos) throws InterruptedException {
                    boolean _ = woken.await(nanos, TimeUnit.NANOSECONDS);
                }

                @Override
                public void wake() {
                    woken.countDown();
                }
            };
        }
    }

    /**
     * Gives up on a call that takes too long. The transport's own limit is too long for an election, and does not hold for
     * all that may come before a request, such as a program that is to hand out a token.
     */
    @FunctionalInterface
    interface TimeLimit {

        /** A call and the reading of its answer. */
        @FunctionalInterface
        interface Exchange {
            Answered run() throws IOException;
        }

        /**
         * The answer, if it comes in time.
         *
         * @throws IOException if the call fails or is not over in time; whether it was carried out is not known then
         */
        Answered within(long nanos, Exchange exchange) throws IOException;

        /** Lets each call run on a thread of its own, which gets its time however busy others are, and is interrupted when its time is over and left to itself. */
        static Answered onOwnThread(long nanos, Exchange exchange) throws IOException {
            FutureTask<Answered> call = new FutureTask<>(exchange::run);
            Thread.ofPlatform().daemon().name("lease-call").start(call);
            try {
                return call.get(nanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                call.cancel(true);
                throw new IOException("no answer within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms", late);
            } catch (InterruptedException asked) {
                call.cancel(true);
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for the answer");
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof IOException problem
                        ? problem
                        : new IOException(String.valueOf(failed.getCause()), failed.getCause());
            }
        }
    }

    /** Work that comes in turns, one after the other. What waits for work here is a thread of its own, or a simulation. */
    interface Loop {

        /**
         * Waits for something to do, and does it.
         *
         * @param longestWait nanoseconds; 0 for no waiting at all
         * @return false where the loop has ended and is not to be called again
         */
        boolean turn(long longestWait);

        /** Nanoseconds until there is something to do if nothing else happens. */
        long nanosUntilNext();
    }
}
