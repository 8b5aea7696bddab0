package io.evenkeel.tools.why;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Hands the engine's events on to the copy that follows it, where there is one. The engine's thread only leaves
 * references here, and never waits.
 */
public final class NewsFeed {
    /** Limits how far a copy falls behind; making another is faster beyond that. */
    private static final int MOST_NEWS = 100_000;

    private volatile Optional<Subscription> follower = Optional.empty();

    /** On the engine's thread: an event is taken in. */
    public void saw(SchedulerEvent event) {
        Optional<Subscription> following = follower;
        if (following.isPresent()) {
            following.get().saw(event);
            if (following.get().isBroken()) {
                end();
            }
        }
    }

    /** On the engine's thread: all that comes from now on is for a copy of what there is now. */
    public Subscription begin() {
        Subscription subscription = new Subscription();
        follower = Optional.of(subscription);
        return subscription;
    }

    public void end() {
        follower = Optional.empty();
    }

    /** News for one copy. */
    public static final class Subscription {
        private final Queue<ClusterEvent> news = new ConcurrentLinkedQueue<>();
        private final AtomicInteger kept = new AtomicInteger();
        private volatile boolean broken;

        private void saw(SchedulerEvent event) {
            switch (event) {
                case ClusterEvent change -> {
                    news.add(change);
                    if (kept.incrementAndGet() > MOST_NEWS) {
                        giveUp();
                    }
                }
                // the engine finds out by itself what a new listing has left out
                case Relist.Ended _ -> giveUp();
                default -> {}
            }
        }

        private void giveUp() {
            broken = true;
            news.clear();
        }

        /** Whether something has not been handed on, so that no copy can follow any more. */
        public boolean isBroken() {
            return broken;
        }

        public void take(Consumer<ClusterEvent> follower) {
            for (ClusterEvent next = news.poll(); next != null; next = news.poll()) {
                kept.decrementAndGet();
                follower.accept(next);
            }
        }
    }
}
