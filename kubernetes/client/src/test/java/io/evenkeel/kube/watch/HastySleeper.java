package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.Machine.Sleeper;
import java.util.concurrent.locks.LockSupport;

/** Whoever wants to wait gets only a breath. */
final class HastySleeper implements Sleeper {
    private static final long BREATH = 1_000_000;

    @Override
    public void sleep(long nanos) throws InterruptedException {
        LockSupport.parkNanos(Math.min(nanos, BREATH));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
