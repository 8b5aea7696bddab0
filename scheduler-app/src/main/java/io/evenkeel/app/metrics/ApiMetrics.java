package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/** Requests to the API server, told by many threads. */
public final class ApiMetrics implements Instruments {
    private final Family<Count> requests = Family.counter(
            "rest_client_requests",
            "Number of HTTP requests, partitioned by status code, method, and host.",
            "code",
            "method",
            "host");
    private final Family<Histogram> requestDuration = Family.histogram(
            "rest_client_request_duration_seconds",
            "Request latency in seconds. Broken down by verb, and host.",
            Bounds.seconds(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60),
            "verb",
            "host");

    /**
     * A request was answered, or not.
     *
     * @param result the status code, or {@code <error>}
     */
    public void requested(String method, String host, String result, long nanos) {
        requests.with(result, method, host).addShared(1);
        requestDuration.with(method, host).recordShared(nanos);
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(requests, requestDuration).map(Family::snapshot);
    }
}
