package io.evenkeel.app.metrics;

import io.evenkeel.app.http.Routes.HealthCheck.HealthObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Results of health checks, as all Kubernetes components show them on {@code /metrics/slis} for objectives of availability,
 * and the start of the process, as the JVM's metrics, which have it too, are not there.
 */
final class HealthMetrics implements HealthObserver, Instruments {
    private final Map<Check, Boolean> last = new ConcurrentHashMap<>();
    private final Family<Count> results = Family.counter(
            "kubernetes_healthchecks", "This metric records the results of all healthcheck.", "name", "type", "status");

    private record Check(String name, String type) {}

    @Override
    public void checked(String check, String path, boolean healthy) {
        String type = path.substring(1);
        last.put(new Check(check, type), healthy);
        results.with(check, type, healthy ? "success" : "error").addShared(1);
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Gauge now = new Gauge(
                "kubernetes_healthcheck", "This metric records the result of a single healthcheck.", "name", "type");
        last.forEach((check, healthy) -> now.set(healthy ? 1 : 0, check.name, check.type));
        MetricSnapshot start = Gauge.of(
                "process_start_time_seconds",
                "Start time of the process since unix epoch in seconds.",
                ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
        return Stream.of(now.snapshot(), results.snapshot(), start);
    }
}
