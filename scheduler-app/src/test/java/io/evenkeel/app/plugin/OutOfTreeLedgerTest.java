package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger of docs/examples/points, from a jar, beside a plugin that allows one licence a node. */
class OutOfTreeLedgerTest {
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - plugins: {filter: {enabled: [{name: Licences}]}}
        """);

    @TempDir
    private Path directory;

    @Test
    void itCountsFromThePodsThatAreThereToEachThatComes() throws IOException {
        Engine engine = new Engine(
                CONFIGURATION,
                OutOfTreePlugins.load(licences()).registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.ALWAYS);
        engine.put(NodeBuilder.node("n1").allocatable("pods", "9").build());
        engine.put(NodeBuilder.node("n2").allocatable("pods", "9").build());
        engine.put(licensed("there").nodeName("n1").build());

        assertThat(nodeOf(engine, licensed("second").build())).isEqualTo("n2");
        assertThat(nodeOf(engine, licensed("third").build())).isEmpty();
        assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
    }

    private static PodBuilder licensed(String name) {
        return PodBuilder.pod(name).label("licence", "yes").container("cpu", "0");
    }

    /** Where it goes, and counts from then on; empty where it waits. */
    private static String nodeOf(Engine engine, Pod pod) {
        if (engine.decide(pod) instanceof Decision.Placed placed) {
            engine.assume(pod, placed);
            return engine.cluster().nodes().name(placed.node());
        }
        return "";
    }

    private Path licences() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        BuiltPlugin.forOurs()
                .source(
                        "com.example.LicenceLedger",
                        Files.readString(Path.of("../docs/examples/points/LicenceLedger.java")))
                .source("com.example.Factory", """
                    package com.example;
                    import io.evenkeel.api.*;
                    public final class Factory implements PluginFactory {
                        record Licences(LicenceLedger ledger) implements FilterPlugin {
                            public String name() { return "Licences"; }
                            public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
                                return ledger.heldOn(node.name()) == 0 ? Status.SUCCESS : Status.unschedulable("no licence left");
                            }
                        }
                        public String name() { return "Licences"; }
                        public Class<? extends Plugin> type() { return Licences.class; }
                        public Plugin create(PluginContext context) {
                            return new Licences(context.cluster().ledger(LicenceLedger.class, LicenceLedger::new));
                        }
                    }
                    """)
                .announcing("com.example.Factory")
                .writeTo(directory.resolve("licences.jar"));
        return directory;
    }
}
