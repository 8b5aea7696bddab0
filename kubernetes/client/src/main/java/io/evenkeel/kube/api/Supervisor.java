package io.evenkeel.kube.api;

import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.api.Machine.Slots;
import io.evenkeel.kube.api.Machine.TimeLimit;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import okhttp3.Interceptor;

/** Is told of threads that have ended by a fault that no code expects, by these threads. */
@FunctionalInterface
public interface Supervisor {
    void died(String thread, Throwable why);

    /** Wraps the work: an end by an unexpected fault is told here only. */
    default Runnable watching(String thread, Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable unexpected) {
                died(thread, unexpected);
            }
        };
    }

    /**
     * A machine that sees the end of each thread. Only the supervisor is told of what is thrown through a thread:
     * the thread would have ended without a word but on standard error, and all that waits for its work have waited for ever.
     */
    record SupervisedMachine(Machine machine, Supervisor supervisor) implements Machine {
        @Override
        public Clocks clocks() {
            return machine.clocks();
        }

        @Override
        public RandomGenerator random() {
            return machine.random();
        }

        @Override
        public UUID uuid() {
            return machine.uuid();
        }

        @Override
        public Sleeper sleeper() {
            return machine.sleeper();
        }

        @Override
        public TimeLimit timeLimit() {
            return machine.timeLimit();
        }

        @Override
        public List<Interceptor> interceptors() {
            return machine.interceptors();
        }

        @Override
        public Slots room(int places) {
            return machine.room(places);
        }

        @Override
        public Thread thread(String name, Runnable work) {
            return machine.thread(name, supervisor.watching(name, work));
        }

        @Override
        public Thread thread(String name, Loop loop) {
            return machine.thread(name, supervised(name, loop));
        }

        @Override
        public Thread dedicated(String name, Runnable work) {
            return machine.dedicated(name, supervisor.watching(name, work));
        }

        @Override
        public Thread dedicated(String name, Loop loop) {
            return machine.dedicated(name, supervised(name, loop));
        }

        @Override
        public void join(Thread thread) throws InterruptedException {
            machine.join(thread);
        }

        @Override
        public void join(Thread thread, Duration most) throws InterruptedException {
            machine.join(thread, most);
        }

        private Loop supervised(String name, Loop loop) {
            return new Loop() {
                @Override
                public boolean turn(long longestWait) {
                    try {
                        return loop.turn(longestWait);
                    } catch (Throwable unexpected) {
                        supervisor.died(name, unexpected);
                        return false;
                    }
                }

                @Override
                public long nanosUntilNext() {
                    return loop.nanosUntilNext();
                }
            };
        }
    }
}
