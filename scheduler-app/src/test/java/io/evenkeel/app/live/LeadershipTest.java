package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveScheduler.Leadership;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.DryRun;
import io.evenkeel.kube.election.LeaseStore;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    private static final Duration AGES = Duration.ofMinutes(5);
    /** Looks at the lease all the time. */
    private static final LeaderElection ATTENTIVE = election(AGES, Duration.ofMillis(50));
    /** The same, and gives up early. */
    private static final LeaderElection HASTY = election(Duration.ofSeconds(1), Duration.ofMillis(50));
    /** Looks at the lease once. */
    private static final LeaderElection SLUGGISH = election(AGES.multipliedBy(2), AGES);

    private static final String OTHERS = """
        {"metadata":{"uid":"u","resourceVersion":"0"},"spec":{"holderIdentity":"other","leaseDurationSeconds":900,
         "acquireTime":"2026-11-21T02:26:02.892070Z","renewTime":"2026-11-21T02:26:02.892070Z","leaseTransitions":1}}\
        """;

    private final LeaseStore leases = new LeaseStore();
    private final ScriptedTransport server = new ScriptedTransport(leases::answer);
    private final AtomicInteger wins = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private final Leadership leadership = new Leadership(Machine.SYSTEM);

    private static LeaderElection election(Duration renewDeadline, Duration retryPeriod) {
        return new LeaderElection(
                true, renewDeadline.multipliedBy(2), renewDeadline, retryPeriod, "leases", "evenkeel", "kube-system");
    }

    @AfterEach
    void leave() {
        leadership.abandon();
    }

    @Test
    void whoHasNotBegunNeitherLeadsNorWrites() {
        assertThat(leadership.isLeading()).isFalse();
        assertThat(leadership.mayWrite()).isFalse();
        assertThat(leadership.isHealthy()).isTrue();
    }

    @Test
    void withoutAnElectionOneLeadsAtOnceUntilOneResigns() throws InterruptedException {
        leadership.assume();
        assertThat(leadership.isLeading()).isTrue();
        assertThat(leadership.mayWrite()).isTrue();

        leadership.resign(AGES);
        assertThat(leadership.mayWrite()).isFalse();
    }

    @Test
    void whoDoesNotGetTheLeaseMayNotWrite() {
        leases.put(OTHERS);
        campaign(SLUGGISH);

        await().until(() -> !server.calls().isEmpty());
        assertThat(leadership.isLeading()).isFalse();
        assertThat(leadership.mayWrite()).isFalse();
        assertThat(leadership.isHealthy()).isTrue();
    }

    @Test
    void whoResignsGivesTheLeaseBackAtOnceHoweverLongUntilTheNextRenewal() throws InterruptedException {
        campaign(SLUGGISH);
        await().until(leadership::mayWrite);
        assertThat(leases.holder()).isEqualTo("test_1");
        await().until(() -> wins.get() == 1);

        leadership.resign(Duration.ofSeconds(30));

        assertThat(leases.holder()).isEmpty();
        assertThat(leadership.isLeading()).isFalse();
        assertThat(leadership.mayWrite()).isFalse();
        assertThat(losses).hasValue(0);
    }

    @Test
    void whoResignsWhileTheLeaseIsBeingWonNeitherLeadsNorLosesItAndGivesItBack() throws InterruptedException {
        server.nowAnswers(call -> {
            if (call.method().equals("POST")) {
                resignAtOnce();
            }
            return leases.answer(call);
        });
        campaign(SLUGGISH);
        await().until(() ->
                server.calls().stream().anyMatch(call -> call.method().equals("PUT")));
        leadership.resign(Duration.ofSeconds(30));

        assertThat(leases.holder()).isEmpty();
        assertThat(leadership.isLeading()).isFalse();
        assertThat(losses).hasValue(0);
    }

    private void resignAtOnce() {
        try {
            leadership.resign(Duration.ZERO);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void whoAbandonsLeavesTheLeaseToRunOut() {
        campaign(ATTENTIVE);
        await().until(leadership::mayWrite);
        String holder = leases.holder();

        leadership.abandon();

        assertThat(leadership.isLeading()).isFalse();
        assertThat(leadership.mayWrite()).isFalse();
        int before = server.calls().size();
        await().during(Duration.ofMillis(200)).until(() -> server.calls().size() <= before + 1);
        assertThat(leases.holder()).isEqualTo(holder);
        assertThat(losses).hasValue(0);
    }

    @Test
    void whoLosesTheLeaseMayNotWriteAndIsToldOnce() {
        campaign(ATTENTIVE);
        await().until(leadership::mayWrite);

        leases.put(OTHERS);

        await().until(() -> losses.get() == 1);
        assertThat(leadership.isLeading()).isFalse();
        assertThat(leadership.mayWrite()).isFalse();
    }

    @Test
    void whoCannotRenewIsToldOfTheLossWhenTheDeadlineIsOver() {
        server.nowAnswers(call -> {
            if (leadership.isLeading()) {
                throw new IOException("no route");
            }
            return leases.answer(call);
        });

        campaign(HASTY);

        await().until(() -> losses.get() == 1);
        assertThat(leadership.mayWrite()).isFalse();
    }

    @Test
    void whoLeadsIsLoggedByName() {
        try (LogLines log = new LogLines(Leadership.class)) {
            leases.put(OTHERS);
            campaign(ATTENTIVE);

            await().until(() -> log.lines().size() > 1);
            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().getFirst())
                    .startsWith("INFO Attempting to acquire leader lease [lease=\"kube-system/evenkeel\","
                            + " identity=\"test_1\"");
            assertThat(log.lines().getLast()).isEqualTo("INFO New leader elected [identity=\"other\"]");
        }
    }

    private void campaign(LeaderElection settings) {
        leadership.campaign(
                settings,
                "test_1",
                server,
                new DryRun(_ -> {}),
                "evenkeel",
                wins::incrementAndGet,
                losses::incrementAndGet);
    }
}
