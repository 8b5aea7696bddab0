package io.evenkeel.app.companion;

import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.app.option.Converters.WholeNumber;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags of moving pods so that every hard constraint holds, or another goal is reached: how often, and how fast. */
@Command(optionListHeading = "Rebalancing")
public final class RebalanceOptions {
    @Option(
            names = "--rebalance-every",
            paramLabel = "DURATION",
            converter = TimeSpan.Positive.class,
            description = "Time between plans (default: 5m)")
    private Duration every = RebalanceSettings.USUAL.every();

    @Option(
            names = "--rebalance-goal",
            paramLabel = "GOAL",
            converter = RebalanceGoal.Lasting.class,
            completionCandidates = RebalanceGoal.Lasting.class,
            description =
                    "What pods are moved for: constraints, spread, policies, empty-nodes or devices (default: constraints)")
    private RebalanceGoal goal = RebalanceSettings.USUAL.goal();

    @Mixin
    private Pace pace = new Pace();

    /** How fast pods are moved. */
    public static final class Pace {
        @Option(
                names = "--rebalance-moves-per-minute",
                paramLabel = "N",
                converter = WholeNumber.Positive.class,
                description = "Moves begun within a minute at most (default: 6)")
        private int movesAMinute = RebalanceSettings.USUAL.movesAMinute();

        @Option(
                names = "--rebalance-cool-down",
                paramLabel = "DURATION",
                converter = TimeSpan.FromZero.class,
                description = "Time for which an owner of pods is left alone after a move; longer after one that failed"
                        + " (default: 5m)")
        private Duration coolDown = RebalanceSettings.USUAL.coolDown();

        @Option(
                names = "--rebalance-eviction-requests",
                description = "Ask for evictions by EvictionRequests, where the API server has them (1.37, alpha)")
        private boolean evictionRequests;

        @Option(
                names = "--rebalance-surge",
                description =
                        "Give Deployments a pod more while one of theirs moves, so that its successor comes first; not"
                                + " those that others scale")
        private boolean surge;

        /** @param every the time between plans */
        public RebalanceSettings settings(Duration every, RebalanceGoal goal) {
            return new RebalanceSettings(every, movesAMinute, coolDown, evictionRequests, surge, goal);
        }
    }

    /**
     * How often it is planned and what for, and how fast pods are moved.
     *
     * @param every the time between plans
     * @param coolDown how long an owner is left alone after a move
     * @param evictionRequests whether EvictionRequests ask for evictions, where there is that kind
     * @param surge whether Deployments have a pod more while one of theirs moves
     */
    public record RebalanceSettings(
            Duration every,
            int movesAMinute,
            Duration coolDown,
            boolean evictionRequests,
            boolean surge,
            RebalanceGoal goal) {
        public static final RebalanceSettings USUAL =
                new RebalanceSettings(Duration.ofMinutes(5), 6, Duration.ofMinutes(5), false, false);

        /** For the hard constraints. */
        public RebalanceSettings(
                Duration every, int movesAMinute, Duration coolDown, boolean evictionRequests, boolean surge) {
            this(every, movesAMinute, coolDown, evictionRequests, surge, RebalanceGoal.CONSTRAINTS);
        }
    }

    public RebalanceSettings settings() {
        return pace.settings(every, goal);
    }
}
