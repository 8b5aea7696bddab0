package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The heap is collected as a whole when the first lists are in, once. */
class FirstCollectionTest {
    private final AtomicBoolean known = new AtomicBoolean();
    private final AtomicInteger collections = new AtomicInteger();

    @Test
    void waitsForTheListsAndCollectsOnce() {
        try (ByHand chores = new ByHand()) {
            LiveService.collectOnce(chores, known::get, collections::incrementAndGet);
            chores.turn();
            chores.turn();
            assertThat(collections).hasValue(0);
            known.set(true);
            chores.turn();
            assertThat(collections).hasValue(1);
            assertThat(chores.due).isEmpty();
        }
    }

    /** Runs what is due when it is told to. */
    private static final class ByHand extends ScheduledThreadPoolExecutor {
        private final Queue<Runnable> due = new ArrayDeque<>();

        ByHand() {
            super(0);
        }

        @Override
        @SuppressWarnings("NullAway") // nobody looks at it
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            due.add(command);
            return null;
        }

        void turn() {
            due.remove().run();
        }
    }
}
