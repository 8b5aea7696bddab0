package io.evenkeel.tools.why;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Schedulers that are told of a cluster to be asked about it: they decide nothing, and what they would write is lost. */
public final class ReadOnlyScheduler {
    private ReadOnlyScheduler() {}

    /**
     * One that knows nothing yet.
     *
     * @param faults hears which plugins fail, and on which pods
     */
    public static Scheduler of(
            SchedulerConfiguration configuration, PluginRegistry registry, BiConsumer<Pod, RuntimeException> faults) {
        return new Scheduler(
                configuration,
                registry,
                new FirstByName(),
                SchedulerSettings.of(0),
                _ -> {},
                new SchedulerObserver() {
                    @Override
                    public void faulted(Pod pod, RuntimeException fault) {
                        faults.accept(pod, fault);
                    }
                },
                () -> 0);
    }

    /**
     * Tells of all objects there are.
     *
     * @param put hands each on to the scheduler
     */
    public static void tell(
            Scheduler scheduler, List<KubernetesObject> objects, Consumer<? super ClusterEvent.Put> put) {
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Began(kind.name())));
        objects.forEach(object -> put.accept(new ClusterEvent.Put(object)));
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Ended(kind.name())));
    }
}
