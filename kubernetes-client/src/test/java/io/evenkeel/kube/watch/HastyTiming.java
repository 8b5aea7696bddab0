package io.evenkeel.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Time as it is, but a watch that wants to wait gets only a breath. */
final class HastyTiming implements Timing {
    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        LockSupport.parkNanos(Math.min(duration.toNanos(), 1_000_000));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public double random() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
