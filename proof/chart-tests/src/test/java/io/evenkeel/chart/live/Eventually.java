package io.evenkeel.chart.live;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Patience: long enough for a busy machine, and looking often, so that an idle one is quick. */
final class Eventually {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    private Eventually() {}

    static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(LOOK_EVERY);
    }
}
