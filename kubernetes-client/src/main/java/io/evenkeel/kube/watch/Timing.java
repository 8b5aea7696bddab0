package io.evenkeel.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** Time and chance, so that tests need neither wait nor be lucky. */
public interface Timing {
    Timing SYSTEM = new Timing() {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            Thread.sleep(duration);
        }

        @Override
        public double random() {
            return ThreadLocalRandom.current().nextDouble();
        }
    };

    Instant now();

    void sleep(Duration duration) throws InterruptedException;

    /** From 0, inclusive, to 1, exclusive. */
    double random();
}
