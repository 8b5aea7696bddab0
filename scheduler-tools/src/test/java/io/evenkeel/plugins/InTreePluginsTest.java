package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Plugin;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.build.PodBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InTreePluginsTest {
    private final PluginRegistry registry = InTreePlugins.registry();

    /** Messages, metrics and hints go by what a plugin says that it is called. */
    @Test
    void eachCallsItselfAsAConfigurationDoes() {
        Engine engine = new Engine(
                new ConfigurationReader().read("test", """
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: KubeSchedulerConfiguration
                    profiles:
                    - plugins:
                        multiPoint:
                          enabled:
                          - {name: GroupPlacement}
                          - {name: GangScheduling}
                          - {name: Coscheduling}
                          - {name: PlacementPolicy}
                    """),
                registry,
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);

        assertThat(engine.profileOf(PodBuilder.pod("p").build()).orElseThrow().plugins())
                .extracting(Plugin::name)
                .doesNotHaveDuplicates()
                .containsAll(InTreePlugins.registry().extensionPoints().keySet());
    }

    /** The configurations that scheduler-plugins publishes: by points, at MultiPoint and the queue, and by its chart. */
    @ParameterizedTest
    @ValueSource(
            strings = {"""
                {queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]},\
                 preFilter: {enabled: [{name: Coscheduling}]}, postFilter: {enabled: [{name: Coscheduling}]},\
                 permit: {enabled: [{name: Coscheduling}]}, reserve: {enabled: [{name: Coscheduling}]}}""", """
                {multiPoint: {enabled: [{name: Coscheduling}]},\
                 queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}}""", "{multiPoint: {enabled: [{name: Coscheduling}], disabled: [{name: PrioritySort}]}}"})
    void theCoschedulingOfSchedulerPluginsIsTaken(String plugins) {
        SchedulerConfiguration read = new ConfigurationReader().read("test", """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles:
                - plugins: %s
                  pluginConfig: [{name: Coscheduling, args: {permitWaitingTimeSeconds: 10}}]
                """.formatted(plugins));
        Engine engine = new Engine(read, registry, new FirstByName(), SchedulingCycle.Scoring.WHEN_NEEDED);

        assertThat(engine.profileOf(PodBuilder.pod("p").build()).orElseThrow().plugins())
                .extracting(Plugin::name)
                .contains("Coscheduling", "PrioritySort", "NodeResourcesFit");
    }
}
