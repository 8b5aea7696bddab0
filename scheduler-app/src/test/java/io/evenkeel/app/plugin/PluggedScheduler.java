package io.evenkeel.app.plugin;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Makes a scheduler with the plugins of a folder, whose nodes are about to be listed. */
final class PluggedScheduler {
    private PluggedScheduler() {}

    static Scheduler of(
            SchedulerConfiguration configuration, Path plugins, Consumer<Command> commands, LongSupplier clock)
            throws IOException {
        Files.setPosixFilePermissions(plugins, PosixFilePermissions.fromString("rwxr-xr-x"));
        Scheduler scheduler = new Scheduler(
                configuration,
                OutOfTreePlugins.load(plugins).registry(),
                new FirstByName(),
                SchedulerSettings.of(Set.of("Node"), 0),
                commands,
                SchedulerObserver.NONE,
                clock);
        scheduler.handle(new Relist.Began("Node"));
        return scheduler;
    }
}
