package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The PostFilter plugin of docs/examples/points, from a jar. */
class OutOfTreePostFilterTest {
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - plugins: {postFilter: {enabled: [{name: Vacancies}], disabled: [{name: DefaultPreemption}]}}
        """);

    @TempDir
    private Path directory;

    private final List<Command> commands = new ArrayList<>();

    @Test
    void itsNominationAndItsReasonReachTheApiServer() throws IOException {
        Scheduler scheduler = scheduler(vacancies());
        put(
                scheduler,
                NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "9").build());
        put(
                scheduler,
                NodeBuilder.node("n2").allocatable("cpu", "1", "pods", "9").build());
        put(
                scheduler,
                PodBuilder.pod("low").container("cpu", "3").nodeName("n1").build());
        scheduler.handle(new Relist.Ended("Node"));
        put(scheduler, PodBuilder.pod("high").priority(9).container("cpu", "2").build());
        put(scheduler, PodBuilder.pod("huge").priority(9).container("cpu", "5").build());
        while (scheduler.scheduleNext()) {
            // until all have had their turn
        }

        assertThat(commands.stream().filter(Command.PatchStatus.class::isInstance))
                .extracting(command -> {
                    Command.PatchStatus patch = (Command.PatchStatus) command;
                    return patch.pod().name() + ": "
                            + patch.conditions().getFirst().message() + " -> "
                            + patch.nominatedNodeName().orElse("");
                })
                .containsExactly(
                        "high: 0/2 nodes are available: 2 Insufficient cpu. -> n1",
                        "huge: 0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, no pod of"
                                + " lower priority is in the way -> ");
    }

    private Scheduler scheduler(Path jar) throws IOException {
        assertThat(jar).exists();
        return PluggedScheduler.of(CONFIGURATION, directory, commands::add, () -> 0);
    }

    private static void put(Scheduler scheduler, KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Put(object));
    }

    private Path vacancies() throws IOException {
        return BuiltPlugin.forOurs()
                .source("com.example.Vacancies", Files.readString(Path.of("../docs/examples/points/Vacancies.java")))
                .source("com.example.Factory", """
                    package com.example;
                    import io.evenkeel.api.*;
                    public final class Factory implements PluginFactory {
                        public String name() { return "Vacancies"; }
                        public Class<? extends Plugin> type() { return Vacancies.class; }
                        public Plugin create(PluginContext context) { return new Vacancies(context); }
                    }
                    """)
                .announcing("com.example.Factory")
                .writeTo(directory.resolve("vacancies.jar"));
    }
}
