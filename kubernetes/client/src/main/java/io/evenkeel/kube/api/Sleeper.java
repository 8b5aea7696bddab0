package io.evenkeel.kube.api;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How a thread waits, so that tests need not. */
@FunctionalInterface
public interface Sleeper {
    void sleep(long nanos) throws InterruptedException;

    /** Ends the wait under way, and all to come. */
    default void wake() {}

    /** One that can be woken. */
    static Sleeper light() {
        CountDownLatch woken = new CountDownLatch(1);
        return new Sleeper() {
            @Override
            public void sleep(long nanos) throws InterruptedException {
                boolean _ = woken.await(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void wake() {
                woken.countDown();
            }
        };
    }
}
