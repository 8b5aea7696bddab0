package io.evenkeel.kube.dispatch;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;

/**
 * Limits of what is asked of the server.
 *
 * @param parallelism how many calls may be underway at once
 * @param qps calls a second on average, and the same again for events; negative for no limit
 * @param burst how many calls may be made at once after a pause
 * @param keptEvents how many events may wait
 */
public record DispatcherSettings(int parallelism, float qps, int burst, int keptEvents) {
    /** A burst of pods is placed faster than its events may be written; each takes half a kilobyte meanwhile. */
    private static final int KEPT_EVENTS = 10_000;

    public DispatcherSettings {
        if (parallelism < 1 || keptEvents < 1) {
            throw new IllegalArgumentException(
                    "parallelism " + parallelism + " and kept events " + keptEvents + " must be positive");
        }
    }

    public static DispatcherSettings of(SchedulerConfiguration configuration) {
        ClientConnection connection = configuration.clientConnection();
        return new DispatcherSettings(configuration.parallelism(), connection.qps(), connection.burst(), KEPT_EVENTS);
    }
}
