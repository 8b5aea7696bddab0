package io.evenkeel.plugins.live;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** When those stumble whom the scheduler calls, and what they had done by then. */
final class Stumbles {
    /** The UIDs of pods that a plugin has reserved something for. */
    final Set<String> reserved = new HashSet<>();
    /** Those of pods that had to wait for a permit. */
    final Set<String> delayed = new HashSet<>();

    private final SplittableRandom random;
    private boolean deciding;
    private boolean over;
    int count;

    Stumbles(SplittableRandom random) {
        this.random = random;
    }

    /** A pod is being decided, or is no more. */
    void whileDeciding(boolean isBeing) {
        deciding = isBeing;
    }

    /** Nobody stumbles from now on. */
    void end() {
        over = true;
    }

    boolean draws(int oneIn) {
        return !over && random.nextInt(oneIn) == 0;
    }

    void perhaps() {
        if (deciding && draws(30)) {
            count++;
            Stumbles.<RuntimeException>raise(
                    switch (random.nextInt(5)) {
                        case 0 -> new NoClassDefFoundError("com/example/Gone");
                        case 1 -> new StackOverflowError();
                        case 2 -> new AssertionError("never");
                        case 3 -> new IOException("checked");
                        default -> new IllegalStateException("no luck");
                    });
        }
    }

    /** Also a checked exception, as code in other languages throws it. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void raise(Throwable fault) throws T {
        throw (T) fault;
    }
}
