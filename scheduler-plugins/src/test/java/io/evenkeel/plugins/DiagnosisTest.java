package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import org.junit.jupiter.api.Test;

/** What the plugins of the default profile say together of a pod that fits nowhere. */
class DiagnosisTest {
    private static final Pod LARGE = pod("large").container("cpu", "3").build();

    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);

    @Test
    void itStaysAsItWasWhenTheClusterChanges() {
        Pod filler = pod("filler").container("cpu", "2").nodeName("n1").build();
        engine.put(node("n1").allocatable("cpu", "4", "pods", "10").build());
        engine.put(node("n2").allocatable("cpu", "2", "pods", "10").build());
        engine.put(node("n3")
                .allocatable("cpu", "4", "pods", "10")
                .taint("gone", "", TaintEffect.NO_EXECUTE)
                .build());
        engine.put(filler);
        Diagnosis diagnosis = diagnose(LARGE);

        engine.remove(filler);
        engine.put(node("n3").allocatable("cpu", "1", "pods", "10").build());
        diagnose(pod("other").container("cpu", "7").build());

        assertThat(diagnosis.message())
                .startsWith("0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. ");
        assertThat(diagnosis.reasonAgainst(0)).isEqualTo("Insufficient cpu");
    }

    private Diagnosis diagnose(Pod pod) {
        return ((Decision.Unschedulable) engine.decide(pod)).diagnosis();
    }
}
