package io.evenkeel.app.observe;

import io.evenkeel.app.companion.Times;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Relist;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.FirstByName;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A cluster that the test makes up, with an observer, at a time that passes as the test says. */
final class ObservedCluster {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String HOST = "kubernetes.io/hostname";
    static final Instant START = Instant.parse("2026-11-24T10:00:00Z");

    private long nanos = 1_000_000_000_000L;
    private long nanosAReading;
    private final SchedulerConfiguration configuration = SchedulerConfiguration.defaults().toBuilder()
            .profiles(List.of(Profile.defaults()))
            .build();
    private final InstantSource wall = () -> START.plusNanos(nanos - 1_000_000_000_000L);
    final SpreadObserver observer =
            new SpreadObserver(configuration, new Times(this::clock, wall, Duration.ofMinutes(1)));
    final Scheduler scheduler = scheduler();

    ObservedCluster() {
        relist(List.of());
    }

    /** One at which nobody looks. */
    Scheduler scheduler() {
        return new Scheduler(
                configuration,
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulerSettings.of(0),
                _ -> {},
                SchedulerObserver.NONE,
                () -> nanos);
    }

    private long clock() {
        nanos += nanosAReading;
        return nanos;
    }

    /** Lets each look at the clock take time, as if all that is done between two were slow. */
    void slow(Duration aReading) {
        nanosAReading = aReading.toNanos();
    }

    void relist(List<? extends KubernetesObject> objects) {
        scheduler.watchedKinds().forEach(kind -> take(new Relist.Began(kind.name())));
        objects.forEach(this::put);
        scheduler.watchedKinds().forEach(kind -> take(new Relist.Ended(kind.name())));
    }

    private void take(SchedulerEvent event) {
        observer.taking(scheduler, event);
        scheduler.handle(event);
    }

    ObservedCluster put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            take(new ClusterEvent.Put(object));
        }
        return this;
    }

    ObservedCluster remove(KubernetesObject object) {
        take(new ClusterEvent.Removed(object));
        return this;
    }

    /** A turn of the engine's loop after so long. */
    ObservedCluster pass(Duration time) {
        nanos += time.toNanos();
        observer.turned(scheduler);
        return this;
    }

    ObservedCluster tick() {
        return pass(Duration.ofSeconds(1));
    }

    /** The series of a gauge by the values of its labels, which stand in the order of the labels' names. */
    Map<List<String>, Integer> gauge(String name) {
        Map<List<String>, Integer> series =
                new TreeMap<>((one, other) -> String.join(" ", one).compareTo(String.join(" ", other)));
        for (MetricSnapshot metric : observer.metrics().read().toList()) {
            if (metric instanceof GaugeSnapshot gauge
                    && metric.getMetadata().getName().equals(name)) {
                gauge.getDataPoints()
                        .forEach(point -> series.put(
                                point.getLabels().stream()
                                        .map(label -> label.getValue())
                                        .toList(),
                                (int) point.getValue()));
            }
        }
        return series;
    }

    static NodeBuilder node(String name, String zone) {
        return NodeBuilder.node(name)
                .hostname(name)
                .zone(zone)
                .allocatable("cpu", "8", "memory", "16Gi", "pods", "110");
    }

    /** A pod of a Deployment's ReplicaSet, which has the Deployment's name in its label app. */
    static PodBuilder podOf(String deployment, String name) {
        return PodBuilder.pod("shop", name)
                .uid("uid-" + name)
                .label("app", deployment)
                .label("pod-template-hash", "5d9f")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", deployment + "-5d9f", "uid-" + deployment))
                .container("cpu", "100m");
    }

    static WorkloadOwner replicaSet(String deployment, int replicas) {
        return new WorkloadOwner(
                WorkloadOwner.Kind.REPLICA_SET,
                new ObjectMeta(
                        "shop",
                        deployment + "-5d9f",
                        "uid-" + deployment,
                        Labels.EMPTY,
                        Optional.of(new OwnerReference("apps/v1", "Deployment", deployment, "uid-of-" + deployment)),
                        false),
                LabelSelector.matchingLabels(Map.of("app", deployment, "pod-template-hash", "5d9f")),
                replicas);
    }

    static TopologySpreadConstraint hard(int maxSkew, String key, String app) {
        return TopologySpreadConstraint.of(
                maxSkew, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.matchingLabels(Map.of("app", app)));
    }

    static TopologySpreadConstraint soft(int maxSkew, String key, String app) {
        return hard(maxSkew, key, app).whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY);
    }
}
