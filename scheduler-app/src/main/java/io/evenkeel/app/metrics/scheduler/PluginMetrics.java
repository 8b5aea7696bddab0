package io.evenkeel.app.metrics.scheduler;

import io.evenkeel.app.metrics.instrument.Bounds;
import io.evenkeel.app.metrics.instrument.Count;
import io.evenkeel.app.metrics.instrument.Family;
import io.evenkeel.app.metrics.instrument.Histogram;
import io.evenkeel.app.metrics.instrument.Instruments;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.cycle.Status.Code;
import io.evenkeel.framework.run.ProfileObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Durations of extension points and, in one cycle of ten, of each plugin. */
final class PluginMetrics implements Instruments {
    private static final int TIMED_ONE_IN = 10;
    /** Run by the threads that bind, several at a time. */
    private static final Set<ExtensionPoint> OFF_THE_ENGINE =
            Set.of(ExtensionPoint.PRE_BIND, ExtensionPoint.BIND, ExtensionPoint.POST_BIND);

    private static final Set<ExtensionPoint> COUNTED =
            Set.of(ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE);

    private final LongSupplier nanoTime;
    private final Family<Histogram> pointDuration = Family.histogram(
            "scheduler_framework_extension_point_duration_seconds",
            "Latency for running all plugins of a specific extension point.",
            Bounds.exponentialSeconds(0.0001, 2, 12),
            "extension_point",
            "status",
            "profile");
    private final Family<Histogram> pluginDuration = Family.histogram(
            "scheduler_plugin_execution_duration_seconds",
            "Duration for running a plugin at a specific extension point.",
            Bounds.exponentialSeconds(0.00001, 1.5, 20),
            "plugin",
            "extension_point",
            "status");
    private final Family<Count> evaluations = Family.counter(
            "scheduler_plugin_evaluation",
            "Number of attempts to schedule pods by each plugin and the extension point (available only in PreFilter,"
                    + " Filter, PreScore, and Score).",
            "plugin",
            "extension_point",
            "profile");

    PluginMetrics(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(pointDuration.snapshot(), pluginDuration.snapshot(), evaluations.snapshot());
    }

    ProfileObserver ofProfile(String profile) {
        return new OfProfile(profile);
    }

    private static String nameOf(ExtensionPoint point) {
        String name = point.configName();
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private final class OfProfile implements ProfileObserver {
        private final String profile;
        private int cycle;

        OfProfile(String profile) {
            this.profile = profile;
        }

        @Override
        public boolean isInterested() {
            return true;
        }

        @Override
        public long nanoTime() {
            return nanoTime.getAsLong();
        }

        @Override
        public boolean timesThisCycle() {
            cycle = (cycle + 1) % TIMED_ONE_IN;
            return cycle == 0;
        }

        @Override
        public PointObserver at(ExtensionPoint point) {
            var durations = new ByCode(point, code -> pointDuration.with(nameOf(point), code.wireName(), profile));
            return durations::record;
        }

        @Override
        public PluginObserver of(String plugin, ExtensionPoint point) {
            var durations = new ByCode(point, code -> pluginDuration.with(plugin, nameOf(point), code.wireName()));
            Count evaluated = COUNTED.contains(point) ? evaluations.with(plugin, nameOf(point), profile) : new Count();
            return new PluginObserver() {
                @Override
                public void evaluated() {
                    evaluated.increment();
                }

                @Override
                public void ran(Code result, long nanos) {
                    durations.record(result, nanos);
                }
            };
        }
    }

    private interface SeriesOfCode {
        Histogram of(Code code);
    }

    /** Histograms by status, made when first needed: most plugins know one or two. */
    private static final class ByCode {
        private final boolean shared;
        private final SeriesOfCode series;
        private volatile Map<Code, Histogram> known = new EnumMap<>(Code.class);

        ByCode(ExtensionPoint point, SeriesOfCode series) {
            this.shared = OFF_THE_ENGINE.contains(point);
            this.series = series;
        }

        void record(Code code, long nanos) {
            Histogram histogram = known.get(code);
            if (histogram == null) {
                histogram = add(code);
            }
            if (shared) {
                histogram.recordShared(nanos);
            } else {
                histogram.record(nanos);
            }
        }

        private synchronized Histogram add(Code code) {
            Histogram made = series.of(code);
            Map<Code, Histogram> more = new EnumMap<>(known);
            more.put(code, made);
            known = more;
            return made;
        }
    }
}
