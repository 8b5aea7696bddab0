package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Plugin;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.build.PodBuilder;
import org.junit.jupiter.api.Test;

class InTreePluginsTest {
    private final PluginRegistry registry = InTreePlugins.guarded(InTreePlugins.registry());

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
                .containsAll(InTreePlugins.registry().extensionPoints().keySet())
                .contains("UnsupportedPods");
    }
}
