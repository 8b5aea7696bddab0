package io.evenkeel.app.live;

import io.evenkeel.app.http.HealthCheck;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The reasons to restart a scheduler if they last, and whether it is ready. None of the reasons comes from without: a
 * server that is away, slow or refuses makes writes wait too, but not where they may start.
 */
final class Liveness {
    private static final Duration TOO_LONG = Duration.ofSeconds(30);

    private Liveness() {}

    static List<HealthCheck> of(LiveScheduler scheduler) {
        return List.of(
                check("engine", scheduler.loop()::isAlive, "the engine has ended"),
                leaderElection(scheduler),
                patient("engineTurns", scheduler.loop()::sinceTurn, "the engine is at one turn"),
                patient("writes", scheduler.commands()::overdue, "a write that nothing holds back is not begun"));
    }

    /** By the names and in the words of kube-scheduler. */
    static List<HealthCheck> ready(LiveScheduler scheduler) {
        return List.of(
                leaderElection(scheduler),
                check("shutdown", () -> !scheduler.isStopping(), "process is shutting down"),
                check("sched-handler-sync", scheduler::isSynced, "handlers are not fully synchronized"));
    }

    private static HealthCheck leaderElection(LiveScheduler scheduler) {
        return check(
                "leaderElection",
                scheduler.leadership()::isHealthy,
                "lease expired but the elector has not stepped down");
    }

    private static HealthCheck check(String name, BooleanSupplier isWell, String trouble) {
        return new HealthCheck(name, () -> isWell.getAsBoolean() ? Optional.empty() : Optional.of(trouble));
    }

    private static HealthCheck patient(String name, Supplier<Duration> lasting, String trouble) {
        return new HealthCheck(
                name,
                () -> Optional.of(lasting.get())
                        .filter(time -> time.compareTo(TOO_LONG) > 0)
                        .map(time -> trouble + " for " + time.toSeconds() + " s"));
    }
}
