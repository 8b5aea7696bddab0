package io.evenkeel.engine;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.testing.OneProfile;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The least that plugins can be tried on. */
final class OneNodeOnePod {
    private OneNodeOnePod() {}

    /** A scheduler that knows them both, and has these plugins in this order; the pod's turn is next. */
    static Scheduler of(PluginFactory... plugins) {
        Scheduler scheduler = new Scheduler(
                OneProfile.only(Arrays.stream(plugins).map(PluginFactory::name).toArray(String[]::new)),
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
