package io.evenkeel.app.live;

import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.testing.OtherMachine;

/** A machine where the threads of one name die of an error as soon as they look at the clock or lie down to sleep. */
final class RiggedMachine extends OtherMachine {
    static final String MESSAGE = "struck down";

    private final String victim;
    private final String unmakeable;

    private RiggedMachine(String victim, String unmakeable) {
        this.victim = victim;
        this.unmakeable = unmakeable;
    }

    static RiggedMachine killing(String victim) {
        return new RiggedMachine(victim, "");
    }

    /** One that has no memory for a thread of this name. */
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
    public Thread thread(String name, Runnable work) {
        requireMemoryFor(name);
        return super.thread(name, work);
    }

    @Override
    public Thread dedicated(String name, Runnable work) {
        requireMemoryFor(name);
        return super.dedicated(name, work);
    }

    private void requireMemoryFor(String thread) {
        if (thread.equals(unmakeable)) {
            throw new OutOfMemoryError(MESSAGE);
        }
    }
}
