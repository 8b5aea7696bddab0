package io.evenkeel.app.metrics;

import io.evenkeel.kube.client.ApiObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/** Metrics of requests to the API server, recorded by many threads. */
final class ApiMetrics implements ApiObserver, Instruments {
    private static final Bounds BOUNDS = Bounds.seconds(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60);

    private static final Bounds SIZES =
            Bounds.counts(64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216);

    private final Family<Count> requests = Family.counter(
            "rest_client_requests",
            "Number of HTTP requests, partitioned by status code, method, and host.",
            "code",
            "method",
            "host");
    private final Family<Histogram> requestDuration = Family.histogram(
            "rest_client_request_duration_seconds",
            "Request latency in seconds. Broken down by verb, and host.",
            BOUNDS,
            "verb",
            "host");
    private final Family<Histogram> limiterDuration = Family.histogram(
            "rest_client_rate_limiter_duration_seconds",
            "Client side rate limiter latency in seconds. Broken down by verb, and host.",
            BOUNDS,
            "verb",
            "host");

    private final Family<Histogram> requestSize = Family.histogram(
            "rest_client_request_size_bytes",
            "Request size in bytes. Broken down by verb and host.",
            SIZES,
            "verb",
            "host");
    private final Family<Histogram> responseSize = Family.histogram(
            "rest_client_response_size_bytes",
            "Response size in bytes. Broken down by verb and host.",
            SIZES,
            "verb",
            "host");

    @Override
    public void requested(String method, String host, String result, long nanos) {
        requests.with(result, method, host).addShared(1);
        requestDuration.with(method, host).recordShared(nanos);
    }

    @Override
    public void heldBack(String method, String host, long nanos) {
        limiterDuration.with(method, host).recordShared(nanos);
    }

    @Override
    public void sent(String method, String host, long bytes) {
        requestSize.with(method, host).recordShared(bytes);
    }

    @Override
    public void received(String method, String host, long bytes) {
        responseSize.with(method, host).recordShared(bytes);
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(requests, requestDuration, limiterDuration, requestSize, responseSize)
                .map(Family::snapshot);
    }
}
