package io.evenkeel.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Long enough for a busy machine, which costs an idle one nothing. */
public final class Patience {
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT).pollDelay(Duration.ZERO).pollInterval(LOOK_EVERY);
    }

    public static ConditionFactory await(String what) {
        return await().alias(what);
    }
}
