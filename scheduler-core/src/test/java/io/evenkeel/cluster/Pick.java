package io.evenkeel.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Random choices. */
public final class Pick {
    private final SplittableRandom random;

    public Pick(SplittableRandom random) {
        this.random = random;
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    public boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    @SafeVarargs
    public final <T> T of(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    public <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Up to a number of them. */
    public <T> List<T> some(int most, Supplier<T> make) {
        return exactly(random.nextInt(most + 1), make);
    }

    public <T> List<T> exactly(int count, Supplier<T> make) {
        List<T> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(make.get());
        }
        return made;
    }
}
