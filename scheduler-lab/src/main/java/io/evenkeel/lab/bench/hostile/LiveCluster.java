package io.evenkeel.lab.bench.hostile;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Relist;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.AtRandom;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.WorkloadCluster;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.QueueObserver;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;

/** The whole scheduler on one thread, and a server that answers at once: what it is told to bind is bound and seen. */
final class LiveCluster {
    private final Queue<Command> commands = new ArrayDeque<>();
    private final Scheduler scheduler;
    private long hints;

    private LiveCluster(BenchCase benchCase, PluginRegistry registry) {
        scheduler = new Scheduler(
                SchedulerConfiguration.defaults(),
                registry,
                new AtRandom(new SplittableRandom(benchCase.seed())),
                SchedulerSettings.of(0),
                commands::add,
                new HintCounter(),
                System::nanoTime);
    }

    private final class HintCounter implements SchedulerObserver, QueueObserver {
        @Override
        public QueueObserver queue() {
            return this;
        }

        @Override
        public void hintRan(String plugin, String event, boolean queued, long nanos) {
            hints++;
        }
    }

    /** With the nodes of the case, and all else known to be absent. */
    static LiveCluster of(BenchCase benchCase, PluginRegistry registry) {
        LiveCluster cluster = new LiveCluster(benchCase, registry);
        cluster.scheduler.watchedKinds().forEach(kind -> cluster.scheduler.handle(new Relist.Began(kind.name())));
        WorkloadCluster.objects(benchCase).forEach(object -> cluster.scheduler.handle(new ClusterEvent.Put(object)));
        cluster.scheduler.watchedKinds().forEach(kind -> cluster.scheduler.handle(new Relist.Ended(kind.name())));
        return cluster;
    }

    /** A pod is created; until it is on its node, or waits. */
    void create(Pod pod) {
        scheduler.handle(new ClusterEvent.Put(pod));
        while (scheduler.scheduleNext()) {
            carryOut();
        }
        scheduler.tick();
        carryOut();
    }

    private void carryOut() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            if (command instanceof Command.Bind bind) {
                scheduler.handle(new CommandResult.Bound(bind.pod(), bind.node()));
                scheduler.handle(new ClusterEvent.Put(
                        PodBuilder.from(bind.pod()).nodeName(bind.node()).build()));
            }
        }
    }

    /** A pod is deleted. */
    void delete(Pod pod) {
        scheduler.handle(new ClusterEvent.Removed(pod));
    }

    int placed() {
        return scheduler.cluster().pods().count();
    }

    int waiting() {
        return scheduler.queue().counts().unschedulable();
    }

    /** How often a plugin was asked whether a change may help a pod. */
    long hints() {
        return hints;
    }
}
