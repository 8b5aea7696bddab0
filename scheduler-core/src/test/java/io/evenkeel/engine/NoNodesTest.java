package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A cluster without a node; the times are those of kube-scheduler's own events. */
class NoNodesTest {
    private static final String NONE = "no nodes available to schedule pods";

    private final PlayedScheduler test = new PlayedScheduler().withNodes();
    private final Pod pod = ScriptedPlugin.pod("p");

    @Test
    void thePodIsTriedAgainAfterEachBackoffAndItsUserIsToldEachTime() {
        test.at(5.799);
        test.put(pod);
        test.at(5.799);
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
        assertThat(test.nextDeadline()).isEqualTo(7);

        test.at(7.001);
        assertThat(test.nextDeadline()).isEqualTo(10);
        test.at(9.999);
        assertThat(test.events()).isEqualTo(Collections.nCopies(2, "FailedScheduling " + NONE));
        assertThat(test.conditions()).containsOnly("Unschedulable " + NONE);
        assertThat(test.attempts).containsExactly("unschedulable 0s", "unschedulable 0s");
    }

    @Test
    void aNodeThatComesDoesNotCutTheBackoffShort() {
        test.put(pod);
        test.schedule();
        test.put(NodeBuilder.node("n1").build());
        test.at(1.999);
        assertThat(test.bindings()).isEmpty();

        test.at(2);
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void noPluginIsAsked() {
        test.put(pod);
        test.schedule();

        assertThat(test.plugin.preFiltered).isZero();
    }
}
