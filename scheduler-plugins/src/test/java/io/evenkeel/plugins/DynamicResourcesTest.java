package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.Pod;
import org.junit.jupiter.api.Test;

class DynamicResourcesTest {
    @Test
    void ofAPodThatNodesTurnedAwayItSaysThatItHasClaimedNothing() {
        assertThat(messageFor(pod("big").container("cpu", "8").build()))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption:"
                        + " 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
    }

    @Test
    void ofAPodThatWasTurnedAwayOutrightItKnowsNothing() {
        assertThat(messageFor(pod("db-0").claim("data").build()))
                .isEqualTo("0/1 nodes are available: persistentvolumeclaim \"data\" not found. not found");
    }

    private static String messageFor(Pod pod) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        engine.put(node("n1").allocatable("cpu", "4", "pods", "10").build());
        return ((Decision.Unschedulable) engine.decide(pod)).diagnosis().message();
    }
}
