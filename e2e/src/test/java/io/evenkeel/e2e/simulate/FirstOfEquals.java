package io.evenkeel.e2e.simulate;

import io.evenkeel.testing.OtherMachine;
import java.util.random.RandomGenerator;

/** This machine without chance: among equal nodes it is always the first, which is the first by name where they were listed so. */
final class FirstOfEquals extends OtherMachine {
    @Override
    public RandomGenerator random() {
        return () -> 0;
    }
}
