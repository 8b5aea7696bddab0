package io.evenkeel.kube.election;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.election.LeaderElector.LeaderCallbacks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that takes a request and never answers, which is worse than none. */
class HangingServerTest {
    private static final LeaderElection HASTY = new LeaderElection(
            true,
            Duration.ofSeconds(3),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            "leases",
            "evenkeel",
            "kube-system");

    private final CountDownLatch testIsOver = new CountDownLatch(1);
    private final LeaseStore store = new LeaseStore();
    private final ScriptedTransport transport = new ScriptedTransport(store::answer);
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final LeaderElector elector = new LeaderElector(
            HASTY,
            "host",
            transport,
            new LeaderCallbacks() {
                @Override
                public void onStartedLeading() {
                    told.add("started");
                }

                @Override
                public void onStoppedLeading() {
                    told.add("stopped");
                }

                @Override
                public void onNewLeader(String identity) {}
            },
            (_, _) -> {},
            "evenkeel",
            Machine.SYSTEM);
    private final Thread thread = Thread.ofVirtual().unstarted(elector::run);

    @AfterEach
    void end() {
        testIsOver.countDown();
        elector.abandon();
    }

    private IOException hang() {
        try {
            testIsOver.await();
        } catch (InterruptedException asked) {
            return new InterruptedIOException("interrupted");
        }
        return new IOException("never answered");
    }

    @Test
    void theLeaderNoticesByTheRenewDeadline() {
        transport.nowAnswers(call -> {
            if (elector.isLeading()) {
                throw hang();
            }
            return store.answer(call);
        });

        thread.start();

        await().until(() -> told.contains("stopped") && !elector.isLeading());
        assertThat(told).containsExactly("started", "stopped");
    }

    @Test
    void whoWaitsAsksAgain() {
        transport.nowAnswers(_ -> {
            throw hang();
        });
        thread.start();
        await().until(() -> transport.calls().size() > 2);

        transport.nowAnswers(store::answer);

        await().until(() -> told.contains("started"));
    }

    @Test
    void aBrokenClientIsAskedAgainToo() {
        transport.nowAnswers(_ -> {
            throw new IllegalStateException("no token");
        });
        thread.start();
        await().until(() -> transport.calls().size() > 2);

        transport.nowAnswers(store::answer);

        await().until(() -> told.contains("started"));
    }

    /** Given ever more time until it has begun, as a call that is given up before never does. */
    @Test
    void aCallIsGivenUpAndItsThreadInterrupted() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);

        for (long millis = 20; begun.getCount() > 0; millis *= 2) {
            long limit = TimeUnit.MILLISECONDS.toNanos(millis);
            assertThatThrownBy(() -> TimeLimit.onOwnThread(limit, () -> {
                        begun.countDown();
                        try {
                            throw hang();
                        } finally {
                            interrupted.countDown();
                        }
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no answer within " + millis + " ms");
        }

        await().until(() -> interrupted.getCount() == 0);
    }

    @Test
    void whatTheCallFailsWithIsPassedOn() {
        IOException refused = new IOException("refused");

        assertThatThrownBy(() -> TimeLimit.onOwnThread(TimeUnit.MINUTES.toNanos(1), () -> {
                    throw refused;
                }))
                .isSameAs(refused);
        assertThat(told).isEmpty();
    }
}
