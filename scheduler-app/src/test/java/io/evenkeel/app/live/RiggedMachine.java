package io.evenkeel.app.live;

import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Loop;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Room;
import io.evenkeel.kube.api.Sleeper;
import io.evenkeel.kube.api.TimeLimit;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * This machine, but the thread of one name dies of an error as soon as it looks at the clock or lies down to sleep.
 *
 * @param unmakeable the name of threads that there is no memory for
 */
record RiggedMachine(String victim, String unmakeable) implements Machine {
    static final String MESSAGE = "struck down";

    static RiggedMachine killing(String victim) {
        return new RiggedMachine(victim, "");
    }

    static RiggedMachine without(String thread) {
        return new RiggedMachine("", thread);
    }

    private void strike() {
        if (Thread.currentThread().getName().equals(victim)) {
            throw new StackOverflowError(MESSAGE);
        }
    }

    @Override
    public Clocks clocks() {
        Clocks real = SYSTEM.clocks();
        return new Clocks(
                () -> {
                    strike();
                    return real.nanos().getAsLong();
                },
                real.time(),
                real.random());
    }

    @Override
    public Sleeper sleeper() {
        Sleeper real = SYSTEM.sleeper();
        return new Sleeper() {
            @Override
            public void sleep(long nanos) throws InterruptedException {
                strike();
                real.sleep(nanos);
            }

            @Override
            public void wake() {
                real.wake();
            }
        };
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
    public Room room(int places) {
        return SYSTEM.room(places);
    }

    @Override
    public Thread thread(String name, Runnable work) {
        if (name.equals(unmakeable)) {
            throw new OutOfMemoryError(MESSAGE);
        }
        return SYSTEM.thread(name, work);
    }

    @Override
    public Thread thread(String name, Loop loop) {
        return SYSTEM.thread(name, loop);
    }

    @Override
    public Thread dedicated(String name, Loop loop) {
        return SYSTEM.dedicated(name, loop);
    }
}
