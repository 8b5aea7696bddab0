package io.evenkeel.app.metrics;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status.Code;
import io.evenkeel.framework.run.ProfileObserver;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Durations of extension points and, in one cycle of ten, of each plugin. */
final class PluginMetrics implements Instruments {
    private static final int TIMED_ONE_IN = 10;
    /** Run by the threads that bind, several at a time. */
    private static final Set<MeasuredPoint> OFF_THE_ENGINE =
            Set.of(MeasuredPoint.PRE_BIND, MeasuredPoint.BIND, MeasuredPoint.POST_BIND);

    private static final Set<MeasuredPoint> COUNTED =
            Set.of(MeasuredPoint.PRE_FILTER, MeasuredPoint.FILTER, MeasuredPoint.PRE_SCORE, MeasuredPoint.SCORE);

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

    private final class OfProfile implements ProfileObserver {
        private final String profile;
        private int cycle;

        OfProfile(String profile) {
            this.profile = profile;
        }

        @Override
        public void cycleBegan() {
            cycle = (cycle + 1) % TIMED_ONE_IN;
        }

        @Override
        public Stopwatch at(MeasuredPoint point, List<? extends Plugin> plugins) {
            return new AtPoint(this, point, plugins);
        }

        boolean timesPlugins() {
            return cycle == 0;
        }
    }

    /** Plugins are timed at points that the engine's thread runs, and only there. */
    private final class AtPoint implements Stopwatch {
        private final OfProfile profile;
        private final ByCode durations;
        private final ByCode[] pluginDurations;
        private final Count[] evaluated;

        AtPoint(OfProfile observed, MeasuredPoint at, List<? extends Plugin> plugins) {
            String point = at.label();
            profile = observed;
            durations = new ByCode(at, code -> pointDuration.with(point, code.label(), observed.profile));
            pluginDurations = plugins.stream()
                    .map(Plugin::name)
                    .map(name -> new ByCode(at, code -> pluginDuration.with(name, point, code.label())))
                    .toArray(ByCode[]::new);
            evaluated = plugins.stream()
                    .map(Plugin::name)
                    .map(name -> COUNTED.contains(at) ? evaluations.with(name, point, observed.profile) : new Count())
                    .toArray(Count[]::new);
        }

        @Override
        public long start() {
            return nanoTime.getAsLong();
        }

        @Override
        public long lap(int plugin, Code result, long since) {
            if (result != Code.SKIP) {
                evaluated[plugin].increment();
            }
            if (!profile.timesPlugins()) {
                return since;
            }
            long now = nanoTime.getAsLong();
            pluginDurations[plugin].record(result, now - since);
            return now;
        }

        @Override
        public void stop(Code result, long since) {
            durations.record(result, nanoTime.getAsLong() - since);
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

        ByCode(MeasuredPoint point, SeriesOfCode series) {
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
