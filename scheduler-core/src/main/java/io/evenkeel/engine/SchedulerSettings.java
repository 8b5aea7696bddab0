package io.evenkeel.engine;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.queue.QueueSettings.HintLimits;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings that the scheduler needs beside its configuration.
 *
 * @param awaitedKinds nothing is scheduled before these kinds have been listed whole; empty for all that are watched
 * @param mostBindings no more pods are decided while so many are being bound: what is decided too early is decided on
 *     old news. Pods that wait for a permit or for PreBind are not among them
 * @param longestUnschedulable after which a pod is tried again although nothing has changed for it
 * @param confirmWithin how long the watch may take to show a pod that was bound, before the server is asked
 * @param lookAgainAfter how long to wait before the server is asked again
 * @param clusterLimits how much is kept of what only saves work
 * @param hintLimits how many hints are asked in a turn
 */
public record SchedulerSettings(
        Set<String> awaitedKinds,
        int mostBindings,
        Duration longestUnschedulable,
        Duration confirmWithin,
        Duration lookAgainAfter,
        ClusterLimits clusterLimits,
        HintLimits hintLimits) {
    private static final int FEWEST_BINDINGS = 64;

    public SchedulerSettings {
        awaitedKinds = Set.copyOf(awaitedKinds);
    }

    /**
     * The usual ones, for so many requests.
     *
     * @param qps how many requests a second may be sent; two seconds' worth of bindings may be on their way
     */
    public static SchedulerSettings of(double qps) {
        return of(Set.of(), qps);
    }

    /** The same, and only these kinds are awaited. */
    public static SchedulerSettings of(Set<String> awaitedKinds, double qps) {
        int most = EngineLimits.USUAL.mostBindings();
        return new SchedulerSettings(
                awaitedKinds,
                qps <= 0 ? most : (int) Math.clamp(2 * qps, FEWEST_BINDINGS, most),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                EngineLimits.USUAL.cluster(),
                EngineLimits.USUAL.hints());
    }

    /** The same, and where it names no kinds to await, these. */
    public SchedulerSettings awaiting(Collection<? extends Kind<?>> watched) {
        return awaitedKinds.isEmpty()
                ? new SchedulerSettings(
                        watched.stream().map(Kind::name).collect(Collectors.toSet()),
                        mostBindings,
                        longestUnschedulable,
                        confirmWithin,
                        lookAgainAfter,
                        clusterLimits,
                        hintLimits)
                : this;
    }

    public SchedulerSettings withLongestUnschedulable(Duration longest) {
        return new SchedulerSettings(
                awaitedKinds, mostBindings, longest, confirmWithin, lookAgainAfter, clusterLimits, hintLimits);
    }

    /** The same, and no more than the limits allow. */
    public SchedulerSettings within(EngineLimits limits) {
        return new SchedulerSettings(
                awaitedKinds,
                Math.min(mostBindings, limits.mostBindings()),
                longestUnschedulable,
                confirmWithin,
                lookAgainAfter,
                limits.cluster(),
                limits.hints());
    }

    /**
     * How much the engine has underway, keeps and asks in a turn at most.
     *
     * @param mostBindings how many pods may be on their way at once, however fast the server takes requests
     */
    public record EngineLimits(int mostBindings, ClusterLimits cluster, HintLimits hints) {
        public static final EngineLimits USUAL = new EngineLimits(1024, ClusterLimits.USUAL, HintLimits.USUAL);
        public static final EngineLimits LEAST = new EngineLimits(1, ClusterLimits.LEAST, HintLimits.LEAST);

        public EngineLimits {
            if (mostBindings < 1) {
                throw new IllegalArgumentException("mostBindings: " + mostBindings + " is less than 1");
            }
        }
    }
}
