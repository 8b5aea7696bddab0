package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.hollow.Authorizer.Attributes;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RequestLogTest {
    private static final LoggedRequest BINDING = new LoggedRequest(
            "HTTP/2.0",
            "POST",
            "/binding",
            201,
            "scheduler",
            new Attributes("create", "", "pods", "binding", "default", "web"));

    private final RequestLog log = new RequestLog(2);

    /** Others see by their watches what a request has done before it is answered. */
    @Test
    void whoReadsWhileSomethingIsDoneForARequestWaitsForItsEntry() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicReference<Thread> reader = new AtomicReference<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<Boolean> request = threads.submit(() -> log.enter(
                    () -> {
                        done.countDown();
                        return awaited(goesOn);
                    },
                    _ -> BINDING));
            done.await();
            Future<List<LoggedRequest>> read = threads.submit(() -> {
                reader.set(Thread.currentThread());
                return log.requests();
            });
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> reader.get() != null && reader.get().getState() == Thread.State.WAITING);
            goesOn.countDown();

            assertThat(read.get()).containsExactly(BINDING);
            assertThat(request.get()).isTrue();
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    @Test
    void theOldestAreForgotten() {
        for (int code : new int[] {500, 201, 409}) {
            log.enter(
                    () -> code, answer -> new LoggedRequest("HTTP/2.0", "GET", "/", answer, "u", BINDING.attributes()));
        }

        assertThat(log.requests()).extracting(LoggedRequest::code).containsExactly(201, 409);
        log.clear();
        assertThat(log.requests()).isEmpty();
    }
}
