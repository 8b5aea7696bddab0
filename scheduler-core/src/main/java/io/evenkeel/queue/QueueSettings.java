package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How long pods wait before they are tried again, which of them have to wait for each other, and how many are looked at
 * in a turn.
 *
 * @param initialBackoff after the first failure, doubled with each further one
 * @param maxBackoff where the doubling ends; zero lets pods be tried again at once
 * @param longestUnschedulable after which an unschedulable pod is tried again although nothing has changed for it
 * @param popsFromBackoff whether pods may be taken out of backoff early, and their backoffs end by whole seconds
 * @param needsExtenders pods that can be tried only one at a time; does not change in a pod's life
 * @param hints how many are asked in a turn
 * @param neighbours whether pods fit beside the pods that are nominated to nodes
 * @param obstacles what is in pods' way on a node
 */
public record QueueSettings(
        Duration initialBackoff,
        Duration maxBackoff,
        Duration longestUnschedulable,
        boolean popsFromBackoff,
        Predicate<Pod> needsExtenders,
        HintLimits hints,
        Neighbours neighbours,
        Obstacles obstacles) {
    /** Ten years: as good as never, and nanoseconds of a clock can be added to it. */
    private static final Duration FOREVER = Duration.ofDays(3650);

    /**
     * How many hints are asked in one turn about pods that wait for something. The least limits are right as well: what
     * happens in a large cluster when thousands wait for the same happens in a small one with the second pod then.
     *
     * @param aTurn of all namespaces' pods together
     * @param aNamespace of one namespace's pods in a turn
     * @param changes how many may still ask one namespace's pods; the eldest is asked to its end where there are more
     */
    public record HintLimits(int aTurn, int aNamespace, int changes) {
        public static final HintLimits USUAL = new HintLimits(512, 128, 1024);
        public static final HintLimits LEAST = new HintLimits(1, 1, 1);

        public HintLimits {
            if (aTurn < 1 || aNamespace < 1 || changes < 1) {
                throw new IllegalArgumentException("hints a turn %d, a namespace %d, changes %d: less than 1"
                        .formatted(aTurn, aNamespace, changes));
            }
        }
    }

    /** The engine's answer to whether pods fit side by side. */
    @FunctionalInterface
    public interface Neighbours {
        Neighbours UNKNOWN = (_, _, _) -> true;

        /**
         * Whether the pod fits on the node beside the pods that are nominated to it and ahead of it.
         *
         * @param exactly whether that may take long; else the answer is no where it would
         */
        boolean fit(PodInfo pod, String node, boolean exactly);
    }

    /** The engine's answer to what is in pods' way. */
    @FunctionalInterface
    public interface Obstacles {
        Obstacles UNKNOWN = (_, _) -> Optional.empty();

        /**
         * A plugin that turns the pod away from the node, whichever pods go from there for it, and all others of its shape,
         * namespace, labels, priority and preemption policy; empty where there is none, or none can tell.
         */
        Optional<String> on(PodInfo pod, String node);
    }

    public QueueSettings {
        initialBackoff = atMostForever(initialBackoff);
        maxBackoff = atMostForever(maxBackoff);
        longestUnschedulable = atMostForever(longestUnschedulable);
    }

    /** The usual, with pods taken out of backoff early, and without extenders. */
    public QueueSettings(Duration initialBackoff, Duration maxBackoff, Duration longestUnschedulable) {
        this(initialBackoff, maxBackoff, longestUnschedulable, true);
    }

    /** Without extenders, and with the usual hints. */
    public QueueSettings(
            Duration initialBackoff, Duration maxBackoff, Duration longestUnschedulable, boolean popsFromBackoff) {
        this(
                initialBackoff,
                maxBackoff,
                longestUnschedulable,
                popsFromBackoff,
                _ -> false,
                HintLimits.USUAL,
                Neighbours.UNKNOWN,
                Obstacles.UNKNOWN);
    }

    public static QueueSettings of(
            SchedulerConfiguration configuration,
            Duration longestUnschedulable,
            HintLimits hints,
            Neighbours neighbours,
            Obstacles obstacles) {
        return new QueueSettings(
                Duration.ofSeconds(configuration.podInitialBackoffSeconds()),
                Duration.ofSeconds(configuration.podMaxBackoffSeconds()),
                longestUnschedulable,
                configuration.featureGates().isOn(Feature.SCHEDULER_POP_FROM_BACKOFF_Q),
                configuration::needsExtenders,
                hints,
                neighbours,
                obstacles);
    }

    /** {@code initial · 2^(failures − 1)}, at most the maximum. */
    long backoffNanos(int failures) {
        long max = maxBackoff.toNanos();
        long initial = initialBackoff.toNanos();
        int doublings = failures - 1;
        boolean overflows = doublings >= Long.numberOfLeadingZeros(Math.max(1, initial)) - 1;
        return overflows ? max : Math.min(max, initial << doublings);
    }

    private static Duration atMostForever(Duration duration) {
        return duration.compareTo(FOREVER) > 0 ? FOREVER : duration;
    }
}
