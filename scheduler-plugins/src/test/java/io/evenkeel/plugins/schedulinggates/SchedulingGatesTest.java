package io.evenkeel.plugins.schedulinggates;

import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.cycle.Status;
import org.junit.jupiter.api.Test;

class SchedulingGatesTest {
    private final SchedulingGates plugin = new SchedulingGates(cluster().context());

    @Test
    void aPodWithoutGatesMayBeQueued() {
        assertThat(plugin.preEnqueue(pod("p").build())).isEqualTo(Status.SUCCESS);
    }

    @Test
    void aPodWithGatesWaitsAndAllOfThemAreNamed() {
        assertThat(plugin.preEnqueue(
                        pod("p").schedulingGate("a").schedulingGate("b").build()))
                .isEqualTo(Status.unresolvable("waiting for scheduling gates: [a b]"));
    }
}
