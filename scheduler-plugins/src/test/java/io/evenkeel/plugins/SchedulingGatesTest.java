package io.evenkeel.plugins;

import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.ClusterChanges;
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

    @Test
    void onlyTheLastGateThatGoesHelpsIt() {
        Pod two = pod("p").schedulingGate("a").schedulingGate("b").build();
        Pod one = pod("p").schedulingGate("a").build();
        Pod none = pod("p").build();

        assertThat(cluster().wakes(plugin, one, ClusterChanges.ofWaitingPod(two, one)))
                .isFalse();
        assertThat(cluster().wakes(plugin, none, ClusterChanges.ofWaitingPod(one, none)))
                .isTrue();
    }
}
