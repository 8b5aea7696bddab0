package io.evenkeel.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Long enough for a busy machine, which costs an idle one nothing. */
public final class Patience {
    public static final Duration LIMIT = Duration.ofMinutes(10);

    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    /** What has to be done within a limit, part of which is an idle machine's time too. */
    public interface Trial {
        void within(Duration limit) throws Exception;
    }

    private Patience() {}

    /** Gives a trial ever more time until it comes out right, as a busy machine needs more. The last failure counts. */
    public static void withEverMoreTime(Duration first, Trial trial) throws Exception {
        for (Duration limit = first; ; limit = limit.multipliedBy(4)) {
            try {
                trial.within(limit);
                return;
            } catch (AssertionError | Exception failure) {
                if (limit.compareTo(LIMIT) > 0) {
                    throw failure;
                }
            }
        }
    }

    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT).pollDelay(Duration.ZERO).pollInterval(LOOK_EVERY);
    }

    public static ConditionFactory await(String what) {
        return await().alias(what);
    }
}
