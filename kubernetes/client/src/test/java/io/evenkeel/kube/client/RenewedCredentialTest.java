package io.evenkeel.kube.client;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RenewedCredentialTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant EXPIRY = START.plusSeconds(60);

    private final AtomicInteger made = new AtomicInteger();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private volatile Instant now = START;
    private volatile boolean hangs;
    private volatile boolean fails;

    private final RenewedCredential renewed = new RenewedCredential(this::make, () -> now);

    private RenewedCredential.Expiring make() throws IOException {
        int number = made.incrementAndGet();
        if (hangs) {
            try {
                hanging.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
        if (fails) {
            throw new IOException("no more of them");
        }
        return RenewedCredential.Expiring.at(Optional.of(now.plusSeconds(60)), token(number));
    }

    private static Credential token(int number) {
        return Credential.bearer("token-" + number);
    }

    @AfterEach
    void release() {
        hanging.countDown();
    }

    @Test
    void whileTheLastIsGoodNobodyWaitsForTheNext() throws IOException {
        assertThat(renewed.current()).isEqualTo(token(1));
        hangs = true;
        now = EXPIRY.minusSeconds(5);

        assertThat(renewed.current()).isEqualTo(token(1));
        assertThat(renewed.current()).isEqualTo(token(1));
        await().until(() -> made.get() == 2);

        hanging.countDown();
        await().untilAsserted(() -> assertThat(renewed.current()).isEqualTo(token(2)));
    }

    @Test
    void whereThereIsNoneAllWaitForOne() throws Exception {
        hangs = true;
        CompletableFuture<Credential> first = asked();
        CompletableFuture<Credential> second = asked();
        await().until(() -> made.get() == 1);
        hanging.countDown();

        assertThat(first.get()).isEqualTo(token(1));
        assertThat(second.get()).isEqualTo(token(1));
    }

    @Test
    void whoDoesNotWaitHasTheLastWhileItIsGoodAndNoneAfterThat() throws IOException {
        assertThat(renewed.atHand()).isEmpty();
        assertThat(made).hasValue(0);
        assertThat(renewed.current()).isEqualTo(token(1));
        assertThat(renewed.atHand()).contains(token(1));
        hangs = true;
        now = EXPIRY.minusSeconds(5);
        assertThat(renewed.atHand()).contains(token(1));
        await("the next is made meanwhile").until(() -> made.get() == 2);

        now = EXPIRY;

        assertThat(renewed.atHand()).isEmpty();
    }

    @Test
    void whoWaitsCanBeInterrupted() throws Exception {
        hangs = true;
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                renewed.current();
            } catch (IOException interrupted) {
                end.complete(interrupted);
            }
        });
        await().until(() -> made.get() == 1);

        waiting.interrupt();

        assertThat(end.get()).isInstanceOf(InterruptedIOException.class);
    }

    @Test
    void aFailureIsSharedByThoseWhoWaited() {
        hangs = true;
        fails = true;
        CompletableFuture<Credential> first = asked();
        CompletableFuture<Credential> second = asked();
        await().until(() -> made.get() == 1);
        hanging.countDown();

        assertThatThrownBy(first::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(IOException.class)
                .hasRootCauseMessage("no more of them");
        assertThatThrownBy(second::get).hasRootCauseMessage("no more of them");
    }

    @Test
    void aFailureLeavesTheLastWhileThatIsGoodAndNoLonger() throws IOException {
        assertThat(renewed.current()).isEqualTo(token(1));
        fails = true;
        now = EXPIRY.minusSeconds(5);
        assertThat(renewed.current()).isEqualTo(token(1));
        await().until(() -> made.get() == 2);

        now = EXPIRY;

        assertThatThrownBy(renewed::current).isInstanceOf(IOException.class).hasMessage("no more of them");
    }

    @Test
    void whatEndsWhileAnotherIsVainlyMadeIsNotShown() throws IOException {
        try (LogLines log = new LogLines(RenewedCredential.class)) {
            assertThat(renewed.current()).isEqualTo(token(1));
            fails = true;
            hangs = true;
            now = EXPIRY.minusSeconds(5);
            assertThat(renewed.current()).isEqualTo(token(1));
            await().until(() -> made.get() == 2);

            now = EXPIRY;
            hanging.countDown();
            await().until(() -> !log.lines().isEmpty());

            assertThatThrownBy(renewed::current).isInstanceOf(IOException.class).hasMessage("no more of them");
        }
    }

    @Test
    void thatTheLastOneIsStillShownIsSaidOnce() throws IOException {
        try (LogLines log = new LogLines(RenewedCredential.class)) {
            assertThat(renewed.current()).isEqualTo(token(1));
            fails = true;
            for (int second = 5; second > 0; second -= 2) {
                now = EXPIRY.minusSeconds(second);
                int before = made.get();
                assertThat(renewed.current()).isEqualTo(token(1));
                await().until(() -> made.get() > before && log.lines().size() == before);
            }
            assertThat(log.lines()).hasSize(3);
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARN"))
                    .containsExactly("WARN Cannot renew credential, using the current one until it expires"
                            + " [why=\"no more of them\"]");
        }
    }

    @Test
    void whatTheServerRefusesIsNotShownAgain() throws IOException {
        Credential refused = renewed.current();

        assertThat(renewed.reject(refused)).isTrue();

        assertThat(renewed.current()).isEqualTo(token(2));
        assertThat(renewed.reject(refused)).isTrue();
        assertThat(renewed.current()).isEqualTo(token(2));
    }

    private CompletableFuture<Credential> asked() {
        CompletableFuture<Credential> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(renewed.current());
            } catch (IOException failed) {
                answer.completeExceptionally(failed);
            }
        });
        return answer;
    }
}
