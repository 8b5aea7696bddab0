package io.evenkeel.app.metrics;

import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes.Endpoint;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Optional;

/** Metrics in Prometheus' text format or, where the reader prefers it, as OpenMetrics. */
public final class MetricsEndpoint implements Endpoint, AutoCloseable {
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private Optional<JvmGcMetrics> collections = Optional.empty();

    private MetricsEndpoint(List<? extends Instruments> instruments, ShownMetrics shown) {
        List<Instruments> all = List.copyOf(instruments);
        MultiCollector collector = () -> shown.of(
                new MetricSnapshots(all.stream().flatMap(Instruments::read).toList()));
        registry.config()
                .meterFilter(MeterFilter.deny(meter -> shown.leavesOut(
                        meter.getConventionName(registry.config().namingConvention()))));
        registry.getPrometheusRegistry().register(collector);
    }

    /** An endpoint of these metrics and no others. */
    public static MetricsEndpoint of(List<? extends Instruments> instruments) {
        return new MetricsEndpoint(instruments, ShownMetrics.ALL);
    }

    /** Makes an endpoint of a choice of these metrics and the JVM's and the machine's. */
    public static MetricsEndpoint withJvm(List<? extends Instruments> instruments, ShownMetrics shown) {
        MetricsEndpoint endpoint = new MetricsEndpoint(instruments, shown);
        JvmGcMetrics collections = new JvmGcMetrics();
        endpoint.collections = Optional.of(collections);
        for (MeterBinder metrics : List.of(
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ClassLoaderMetrics(),
                new ProcessorMetrics(),
                new FileDescriptorMetrics(),
                new UptimeMetrics(),
                collections)) {
            metrics.bindTo(endpoint.registry);
        }
        return endpoint;
    }

    @Override
    public Reply answer(Request request) {
        String type = request.header("Accept").contains("application/openmetrics-text") ? OPEN_METRICS : PROMETHEUS;
        return Reply.of(200, type, registry.scrape(type));
    }

    @Override
    public void close() {
        collections.ifPresent(JvmGcMetrics::close);
        registry.close();
    }
}
