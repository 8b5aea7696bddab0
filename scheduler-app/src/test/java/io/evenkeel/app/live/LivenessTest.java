package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.http.Routes.HealthCheck;
import io.evenkeel.app.live.LiveRoutes.Liveness;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.testing.OtherMachine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LivenessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private long now;
    private final LiveScheduler live = LiveScheduler.assemble(
            SchedulerConfiguration.defaults(),
            new ScriptedTransport(_ -> Answers.of(500, "")),
            LiveOptions.usual("test"),
            LiveObservers.NONE,
            new StillMachine());

    /** Nothing goes on here, and the time is what the test says. */
    private final class StillMachine extends OtherMachine {
        @Override
        public Clocks clocks() {
            return new Clocks(() -> now, SYSTEM.clocks().time(), SYSTEM.clocks().random());
        }

        @Override
        public Thread thread(String name, Runnable work) {
            return super.thread(name, () -> {});
        }

        @Override
        public Thread thread(String name, Loop loop) {
            return thread(name, () -> {});
        }

        @Override
        public Thread dedicated(String name, Runnable work) {
            return thread(name, work);
        }

        @Override
        public Thread dedicated(String name, Loop loop) {
            return thread(name, () -> {});
        }
    }

    @AfterEach
    void close() {
        live.close();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private List<String> troubles() {
        return troubles(Liveness.of(live));
    }

    private static List<String> troubles(List<HealthCheck> checks) {
        return checks.stream()
                .flatMap(check -> check.trouble().get().map(why -> check.name() + ": " + why).stream())
                .toList();
    }

    @Test
    void theChecksHaveNames() {
        assertThat(Liveness.of(live))
                .extracting(HealthCheck::name)
                .containsExactly("engine", "leaderElection", "engineTurns", "writes");
    }

    /** By the names and in the words of kube-scheduler, which probes and tests of clusters ask for. */
    @Test
    void aSchedulerIsReadyOnceItKnowsTheClusterAndUntilItIsAskedToStop() {
        assertThat(Liveness.ready(live))
                .extracting(HealthCheck::name)
                .containsExactly("leaderElection", "shutdown", "sched-handler-sync");
        assertThat(troubles(Liveness.ready(live)))
                .containsExactly("sched-handler-sync: handlers are not fully synchronized");

        live.close();
        assertThat(troubles(Liveness.ready(live))).startsWith("shutdown: process is shutting down");
    }

    @Test
    void whatHasNotBegunIsNotLate() {
        pass(Duration.ofDays(1));
        assertThat(troubles()).isEmpty();
    }

    @Test
    void anEngineThatDoesNotComeToTheEndOfATurnIsNotAlive() {
        pass(Duration.ofDays(1));
        live.begin();
        pass(PATIENCE);
        assertThat(troubles()).isEmpty();

        pass(Duration.ofSeconds(1));
        assertThat(troubles()).containsExactly("engineTurns: the engine is at one turn for 31 s");

        live.loop().turn(0);
        assertThat(troubles()).isEmpty();
    }

    @Test
    void anEngineThatRestsIsAskedForATurnAndNotAliveIfItTakesNone() {
        live.begin();
        live.loop().turn(0);
        live.loop().turn(0);
        assertThat(live.loop().nanosUntilNext()).isEqualTo(Long.MAX_VALUE);
        pass(Duration.ofDays(1));
        assertThat(troubles()).isEmpty();
        assertThat(live.loop().nanosUntilNext()).isZero();

        pass(PATIENCE.plusSeconds(1));
        assertThat(troubles()).containsExactly("engineTurns: the engine is at one turn for 31 s");

        live.loop().turn(0);
        assertThat(troubles()).isEmpty();
    }

    @Test
    void oneThatHasEndedIsNotLateAsWell() {
        live.begin();
        live.loop().stop();
        live.loop().turn(0);
        pass(Duration.ofDays(1));
        assertThat(troubles()).containsExactly("engine: the engine has ended");
    }

    @Test
    void aWriteThatNobodyBeginsThoughItMayIsTheDispatchersEnd() {
        live.commands().submit(new Command.Lookup(PodBuilder.pod("p").build()));
        pass(PATIENCE);
        assertThat(troubles()).isEmpty();

        pass(Duration.ofSeconds(1));
        assertThat(troubles()).containsExactly("writes: a write that nothing holds back is not begun for 31 s");

        live.commands().close();
        assertThat(troubles()).isEmpty();
    }
}
