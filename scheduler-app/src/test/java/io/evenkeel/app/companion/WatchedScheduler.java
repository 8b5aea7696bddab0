package io.evenkeel.app.companion;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.app.metrics.MetricsLint;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.OneProfile;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A scheduler at which a companion looks, at a time that passes as the test says. What it writes is kept, and comes to nothing by itself. */
public final class WatchedScheduler {
    public static final SchedulerConfiguration WITH_POLICIES = OneProfile.with("PlacementPolicy");
    public static final Instant START = Instant.parse("2026-11-24T10:00:00Z");
    private static final long FIRST_NANOS = 1_000_000_000_000L;

    private final SchedulerConfiguration configuration;
    private final PluginRegistry plugins;
    private long nanos = FIRST_NANOS;
    private boolean leading = true;
    private final List<MergePatch> patches = new ArrayList<>();
    private PatchObserver writer = PatchObserver.NONE;
    private final List<Said> events = new ArrayList<>();
    private final Scheduler scheduler;
    private Optional<Companion> companion = Optional.empty();

    /** An event for users. */
    public record Said(Regarding about, ObjectEvent event) {}

    public WatchedScheduler(SchedulerConfiguration configuration) {
        this(configuration, InTreePlugins.registry());
    }

    public WatchedScheduler(SchedulerConfiguration configuration, PluginRegistry plugins) {
        this.configuration = configuration;
        this.plugins = plugins;
        this.scheduler = unwatched();
    }

    /** Another scheduler of the same configuration, without a companion. */
    public Scheduler unwatched() {
        return new Scheduler(
                configuration,
                plugins,
                new FirstByName(),
                SchedulerSettings.of(0),
                _ -> {},
                SchedulerObserver.NONE,
                () -> nanos);
    }

    public SchedulerConfiguration configuration() {
        return configuration;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** From now on, this one looks. */
    public void begin(Companion next) {
        next.begin(new DrivenSurroundings() {
            @Override
            public boolean isLeading() {
                return leading;
            }

            @Override
            protected Scheduler scheduler() {
                return scheduler;
            }

            @Override
            public void post(OfPlace place) {
                scheduler.handle(place);
            }

            @Override
            public ApiTransport transport() {
                throw new UnsupportedOperationException("no server is there");
            }

            @Override
            public Machine machine() {
                return Machine.SYSTEM;
            }

            @Override
            public PatchSink patches(String name, Pace pace, PatchObserver observer) {
                writer = observer;
                return patches::add;
            }

            @Override
            public EventSink events() {
                return (about, event) -> events.add(new Said(about, event));
            }
        });
        companion = Optional.of(next);
    }

    public long nanos() {
        return nanos;
    }

    public Instant wall() {
        return START.plusNanos(nanos - FIRST_NANOS);
    }

    public void elapse(Duration time) {
        nanos += time.toNanos();
    }

    /** A turn of the engine's loop after so long. */
    public void turn(Duration time) {
        elapse(time);
        companion.orElseThrow().turned(scheduler, 0, 0);
    }

    public void take(SchedulerEvent event) {
        companion.orElseThrow().taking(scheduler, event);
        scheduler.handle(event);
    }

    public void put(KubernetesObject object) {
        take(new ClusterEvent.Put(object));
    }

    public void remove(KubernetesObject object) {
        take(new ClusterEvent.Removed(object));
    }

    /** These are all that there are. */
    public void relist(List<? extends KubernetesObject> objects) {
        scheduler.watchedKinds().forEach(kind -> take(new Relist.Began(kind.name())));
        objects.forEach(this::put);
        scheduler.watchedKinds().forEach(kind -> take(new Relist.Ended(kind.name())));
    }

    public void leading(boolean leads) {
        leading = leads;
    }

    /** Those sent and not taken out of here. */
    public List<MergePatch> patches() {
        return patches;
    }

    /** Who is told what became of them. */
    public PatchObserver writer() {
        return writer;
    }

    public List<Said> events() {
        return events;
    }

    /** The series of a gauge or counter by the values of its labels that are not empty, in the order of the labels' names. */
    public Map<List<String>, Integer> series(String name) {
        try (MetricsEndpoint endpoint =
                MetricsEndpoint.of(List.of(companion.orElseThrow().metrics()))) {
            byte[] scrape = endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()))
                    .body();
            assertThat(MetricsLint.problems(new String(scrape, StandardCharsets.UTF_8)))
                    .isEmpty();
        }
        Map<List<String>, Integer> series =
                new TreeMap<>((one, other) -> String.join(" ", one).compareTo(String.join(" ", other)));
        companion
                .orElseThrow()
                .metrics()
                .read()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .flatMap(metric -> metric.getDataPoints().stream())
                .forEach(point -> series.put(
                        point.getLabels().stream()
                                .map(label -> label.getValue())
                                .filter(label -> !label.isEmpty())
                                .toList(),
                        value(point)));
        return series;
    }

    private static int value(DataPointSnapshot point) {
        return switch (point) {
            case GaugeDataPointSnapshot gauge -> (int) gauge.getValue();
            case CounterDataPointSnapshot counter -> (int) counter.getValue();
            default -> throw new IllegalArgumentException("neither gauge nor counter: " + point.getLabels());
        };
    }
}
