package io.evenkeel.queue;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.feature.Feature;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The times that pods wait before they are tried again, and which of them have to wait for each other.
 *
 * @param initialBackoff after the first failure, doubled with each further one
 * @param maxBackoff where the doubling ends; zero lets pods be tried again at once
 * @param longestUnschedulable after which an unschedulable pod is tried again although nothing has changed for it
 * @param popsFromBackoff whether pods may be taken out of backoff early, and their backoffs end by whole seconds
 * @param needsExtenders of which pods no more than one at a time can be tried; does not change in a pod's life
 */
public record QueueSettings(
        Duration initialBackoff,
        Duration maxBackoff,
        Duration longestUnschedulable,
        boolean popsFromBackoff,
        Predicate<Pod> needsExtenders) {
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

    /** Ten years: as good as never, and nanoseconds of a clock can be added to it. */
    private static final Duration FOREVER = Duration.ofDays(3650);

    public QueueSettings {
        initialBackoff = atMostForever(initialBackoff);
        maxBackoff = atMostForever(maxBackoff);
        longestUnschedulable = atMostForever(longestUnschedulable);
    }

    /** The usual, with pods taken out of backoff early, and without extenders. */
    public QueueSettings(Duration initialBackoff, Duration maxBackoff, Duration longestUnschedulable) {
        this(initialBackoff, maxBackoff, longestUnschedulable, true);
    }

    /** Without extenders. */
    public QueueSettings(
            Duration initialBackoff, Duration maxBackoff, Duration longestUnschedulable, boolean popsFromBackoff) {
        this(initialBackoff, maxBackoff, longestUnschedulable, popsFromBackoff, _ -> false);
    }

    public static QueueSettings of(SchedulerConfiguration configuration) {
        return new QueueSettings(
                Duration.ofSeconds(configuration.podInitialBackoffSeconds()),
                Duration.ofSeconds(configuration.podMaxBackoffSeconds()),
                FIVE_MINUTES,
                configuration.featureGates().isOn(Feature.SCHEDULER_POP_FROM_BACKOFF_Q),
                configuration::needsExtenders);
    }

    public QueueSettings withLongestUnschedulable(Duration longest) {
        return new QueueSettings(initialBackoff, maxBackoff, longest, popsFromBackoff, needsExtenders);
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
