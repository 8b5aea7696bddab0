package io.evenkeel.engine;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Set;

/** The least that plugins can be tried on. */
final class OneNodeOnePod {
    private OneNodeOnePod() {}

    /** A scheduler that knows them both; the pod's turn is next. */
    static Scheduler of(String configuration, PluginFactory... plugins) {
        Scheduler scheduler = new Scheduler(
                new ConfigurationReader().read("test", configuration),
                new PluginRegistry(List.of(plugins)),
                new FirstByName(),
                SchedulerSettings.of(Set.of("Node"), 0),
                _ -> {},
                SchedulerObserver.NONE,
                () -> 0);
        scheduler.handle(new Relist.Began("Node"));
        scheduler.handle(new ClusterEvent.Put(NodeBuilder.node("n1").build()));
        scheduler.handle(new Relist.Ended("Node"));
        scheduler.handle(new ClusterEvent.Put(PodBuilder.pod("p").build()));
        return scheduler;
    }
}
