package io.evenkeel.app.metrics;

import io.evenkeel.app.http.Endpoint;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/** All metrics, as Prometheus reads them or, if it prefers that, as OpenMetrics; with those of the JVM. */
public final class MetricsEndpoint implements Endpoint, AutoCloseable {
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    public MetricsEndpoint(List<? extends Instruments> instruments) {
        List<Instruments> all = List.copyOf(instruments);
        MultiCollector collector = () ->
                new MetricSnapshots(all.stream().flatMap(Instruments::read).toList());
        registry.getPrometheusRegistry().register(collector);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /** For meters of the application's own. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    @Override
    public Reply answer(Request request) {
        String type = request.header("Accept").contains("application/openmetrics-text") ? OPEN_METRICS : PROMETHEUS;
        return Reply.of(200, type, registry.scrape(type));
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
