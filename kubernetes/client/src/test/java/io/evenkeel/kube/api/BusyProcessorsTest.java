package io.evenkeel.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Virtual threads share a few of the system's, and here some never let go of them, as a flood of requests does. */
@Isolated
class BusyProcessorsTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);

    private final List<Thread> busy = new ArrayList<>();
    private final CountDownLatch underway =
            new CountDownLatch(Runtime.getRuntime().availableProcessors());
    private volatile boolean over;

    @BeforeEach
    void takeAll() throws InterruptedException {
        for (long i = underway.getCount(); i > 0; i--) {
            busy.add(Thread.startVirtualThread(() -> {
                underway.countDown();
                while (!over) {
                    Thread.onSpinWait();
                }
            }));
        }
        underway.await();
    }

    @AfterEach
    void letGo() throws InterruptedException {
        over = true;
        for (Thread thread : busy) {
            thread.join();
        }
    }

    @Test
    void whatKeepsALeaseGetsItsTime() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Machine.SYSTEM.dedicated("leader-election", ran::countDown).start();

        assertThat(ran.await(LONG, TimeUnit.NANOSECONDS)).isTrue();
    }

    @Test
    void aCallWithALimitIsMade() throws IOException {
        ApiTransport server = new ScriptedTransport(_ -> Answers.of(200, ""));
        ApiCall renewal = ApiCall.get("/lease");

        assertThat(Machine.SYSTEM
                        .timeLimit()
                        .within(LONG, () -> Answered.write(server, renewal))
                        .code())
                .isEqualTo(200);
    }
}
