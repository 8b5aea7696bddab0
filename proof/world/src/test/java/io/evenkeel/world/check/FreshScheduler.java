package io.evenkeel.world.check;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.plugins.InTreePlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A scheduler that has just begun and is told everything at once: it has no wake-up to lose, and nothing left from before. */
final class FreshScheduler {
    private final List<Command> commands = new ArrayList<>();
    private final Scheduler scheduler;

    /** @param objects all of a kind */
    FreshScheduler(
            SchedulerConfiguration configuration, Function<Kind<?>, Stream<? extends KubernetesObject>> objects) {
        scheduler = new Scheduler(
                configuration,
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulerSettings.of(0),
                commands::add,
                SchedulerObserver.NONE,
                () -> 0);
        for (Kind<?> kind : scheduler.watchedKinds()) {
            scheduler.handle(new Relist.Began(kind.name()));
            objects.apply(kind).forEach(object -> scheduler.handle(new ClusterEvent.Put(object)));
            scheduler.handle(new Relist.Ended(kind.name()));
        }
    }

    /** The first pod that it would place, once objects are written, or for which it would let others go. */
    Optional<Command> firstDeed() {
        boolean more = true;
        while (more && deed().isEmpty()) {
            more = scheduler.scheduleNext();
        }
        return deed();
    }

    private Optional<Command> deed() {
        return commands.stream()
                .filter(command -> command instanceof Command.Bind
                        || command instanceof Command.WriteObject
                        || command instanceof Command.Evict)
                .findFirst();
    }
}
