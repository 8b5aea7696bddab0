package io.evenkeel.tools.observe;

import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster that the test makes up, with an observer, at a time that passes as the test says. */
final class ObservedCluster {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String HOST = "kubernetes.io/hostname";

    private long nanosAReading;
    private final WatchedScheduler watched = new WatchedScheduler(SchedulerConfiguration.defaults().toBuilder()
            .profiles(List.of(Profile.defaults()))
            .build());
    final SpreadObserver observer =
            new SpreadObserver(watched.configuration(), new Times(this::clock, watched::wall, Duration.ofMinutes(1)));
    final Scheduler scheduler = watched.scheduler();

    ObservedCluster() {
        watched.begin(observer);
        relist(List.of());
    }

    /** One at which nobody looks. */
    Scheduler scheduler() {
        return watched.unwatched();
    }

    private long clock() {
        watched.elapse(Duration.ofNanos(nanosAReading));
        return watched.nanos();
    }

    /** Lets each look at the clock take time, as if all that is done between two were slow. */
    void slow(Duration aReading) {
        nanosAReading = aReading.toNanos();
    }

    void relist(List<? extends KubernetesObject> objects) {
        watched.relist(objects);
    }

    ObservedCluster put(KubernetesObject... objects) {
        List.of(objects).forEach(watched::put);
        return this;
    }

    ObservedCluster remove(KubernetesObject object) {
        watched.remove(object);
        return this;
    }

    /** A turn of the engine's loop after so long. */
    ObservedCluster pass(Duration time) {
        watched.turn(time);
        return this;
    }

    ObservedCluster tick() {
        return pass(Duration.ofSeconds(1));
    }

    /** The series of a gauge by the values of its labels, which stand in the order of the labels' names. */
    Map<List<String>, Integer> gauge(String name) {
        return watched.series(name);
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
