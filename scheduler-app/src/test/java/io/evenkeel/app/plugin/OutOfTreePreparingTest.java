package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin of docs/examples/points that has something written, from a jar. */
class OutOfTreePreparingTest {
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - plugins: {preBind: {enabled: [{name: Licences}]}}
        """);

    @TempDir
    private Path directory;

    private final List<Command> commands = new ArrayList<>();
    private long now;
    private Scheduler scheduler;

    @BeforeEach
    void aPodIsToHaveALicence() throws IOException {
        scheduler = scheduler();
        put(NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "9").build());
        put(licence(""));
        scheduler.handle(new Relist.Ended("Node"));
        put(PodBuilder.pod("db").label("licence", "a").build());
        while (scheduler.scheduleNext()) {
            // until it has had its turn
        }
    }

    @Test
    void thePodIsBoundOnceWhatWasWrittenHasComeToSomething() {
        assertThat(sent(Command.WriteObject.class))
                .singleElement()
                .satisfies(
                        write -> assertThat(write.patch().changes()).isEqualTo(Map.of("spec", Map.of("node", "n1"))));
        scheduler.handle(new CommandResult.Written(pod()));
        assertThat(sent(Command.Bind.class)).isEmpty();

        put(licence("n1"));

        assertThat(sent(Command.Bind.class)).extracting(Command.Bind::node).containsExactly("n1");
    }

    @Test
    void whatTakesTooLongIsToldInThePodsEvent() {
        scheduler.handle(new CommandResult.Written(pod()));

        now += TimeUnit.MINUTES.toNanos(2);
        scheduler.tick();

        assertThat(sent(Command.Bind.class)).isEmpty();
        assertThat(sent(Command.RecordEvent.class))
                .extracting(said -> said.event().note())
                .containsExactly("running PreBind plugin \"Licences\": licence \"a\" was not granted in time");
    }

    private Pod pod() {
        return sent(Command.WriteObject.class).getFirst().pod();
    }

    private <C extends Command> List<C> sent(Class<C> type) {
        return commands.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private Scheduler scheduler() throws IOException {
        assertThat(licences()).exists();
        return PluggedScheduler.of(CONFIGURATION, directory, commands::add, () -> now);
    }

    private void put(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Put(object));
    }

    /** As the plugin's own table reads it. */
    private KubernetesObject licence(String grantedFor) {
        return new ObjectReader(Kinds.of(scheduler.watchedKinds())).read("""
            {"apiVersion": "example.com/v1", "kind": "Licence", "metadata": {"name": "a"}, "status": {"node": "%s"}}
            """.formatted(grantedFor));
    }

    private Path licences() throws IOException {
        Path points = Path.of("../docs/examples/points");
        return BuiltPlugin.forOurs()
                .source("com.example.Licences", Files.readString(points.resolve("Licences.java")))
                .source("com.example.Licence", Files.readString(points.resolve("Licence.java")))
                .source("com.example.Factory", """
                    package com.example;
                    import io.evenkeel.api.*;
                    public final class Factory implements PluginFactory {
                        public String name() { return "Licences"; }
                        public Class<? extends Plugin> type() { return Licences.class; }
                        public Plugin create(PluginContext context) { return new Licences(context); }
                    }
                    """)
                .announcing("com.example.Factory")
                .writeTo(directory.resolve("licences.jar"));
    }
}
