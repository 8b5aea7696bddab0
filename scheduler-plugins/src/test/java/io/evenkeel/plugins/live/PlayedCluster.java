package io.evenkeel.plugins.live;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A scheduler with the in-tree plugins, to which a test tells what happens, and whose commands it reads. */
final class PlayedCluster {
    private final List<Command> commands = new ArrayList<>();
    private final Scheduler scheduler;
    private long now;

    /** @param fields of the configuration */
    PlayedCluster(String fields, PluginFactory... more) {
        this(CompatibilityLevel.FIRST, fields, more);
    }

    PlayedCluster(CompatibilityLevel level, String fields, PluginFactory... more) {
        SchedulerConfiguration configuration = new ConfigurationReader()
                .read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            %s
            """.formatted(fields)).toBuilder()
                        .featureGates(FeatureGates.DEFAULTS.at(level))
                        .build();
        scheduler = new Scheduler(
                configuration,
                InTreePlugins.registry().with(List.of(more)),
                new FirstByName(),
                SchedulerSettings.of(50).withLongestUnschedulable(Duration.ofHours(9)),
                commands::add,
                SchedulerObserver.NONE,
                () -> now);
        listNothing(scheduler);
    }

    /** Tells it that the cluster is empty, so that it may begin. */
    static void listNothing(Scheduler scheduler) {
        scheduler.awaitedKinds().forEach(kind -> {
            scheduler.handle(new Relist.Began(kind));
            scheduler.handle(new Relist.Ended(kind));
        });
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Taken in one after the other, before pods are decided. */
    void put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            scheduler.handle(new ClusterEvent.Put(object));
        }
        takeTurns();
    }

    /** Taken in, and no pod is decided yet. */
    void removeQuietly(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Removed(object));
    }

    void remove(KubernetesObject object) {
        removeQuietly(object);
        takeTurns();
    }

    void tell(SchedulerEvent event) {
        scheduler.handle(event);
        takeTurns();
    }

    /** Longer than any backoff. */
    void aMinutePasses() {
        now += Duration.ofMinutes(1).toNanos();
        scheduler.tick();
        takeTurns();
    }

    private void takeTurns() {
        boolean more = true;
        while (more) {
            more = scheduler.scheduleNext();
        }
    }

    <C extends Command> List<C> given(Class<C> kind) {
        return commands.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<String> evicted() {
        return given(Command.Evict.class).stream()
                .map(evict -> evict.pod().name())
                .toList();
    }

    List<String> bound() {
        return given(Command.Bind.class).stream()
                .map(bind -> bind.pod().name() + " " + bind.node())
                .toList();
    }

    /** What the last pod that fits nowhere is told. */
    String message() {
        return given(Command.RecordEvent.class).getLast().event().note();
    }

    static List<String> names(List<Pod> pods) {
        return pods.stream().map(Pod::name).toList();
    }

    /** What is kept and is not what a recount finds. */
    List<String> differences() {
        return ClusterAudit.differences(scheduler.cluster());
    }
}
