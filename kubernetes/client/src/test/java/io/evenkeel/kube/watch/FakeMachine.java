package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.testing.OtherMachine;

/** This machine, but for its clocks and for how threads sleep on it. */
final class FakeMachine extends OtherMachine {
    private final Clocks clocks;
    private final Sleeper sleeper;

    FakeMachine(Clocks clocks, Sleeper sleeper) {
        this.clocks = clocks;
        this.sleeper = sleeper;
    }

    @Override
    public Clocks clocks() {
        return clocks;
    }

    @Override
    public Sleeper sleeper() {
        return sleeper;
    }
}
