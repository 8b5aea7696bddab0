package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A node is chosen, and then a plugin or the server says no. */
class RefusedPodTest {
    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1", "n2", "n3");
    private final Pod pod = ScriptedPlugin.pod("p");

    @Test
    void aRefusalAtReserveReadsAsOfOneNodeAndItsPluginIsBlamed() {
        test.plugin.reserve = Status.unschedulable("no room in the books");
        test.put(pod);
        test.schedule();

        assertSleepsFor("0/1 nodes are available: 1 no room in the books.");
    }

    @Test
    void aRefusalAtPermitDoesToo() {
        test.plugin.permit = new PermitPlugin.Result(Status.unresolvable("not today", "nor tomorrow"), Duration.ZERO);
        test.put(pod);
        test.schedule();

        assertSleepsFor("0/1 nodes are available: 1 nor tomorrow, 1 not today.");
        assertThat(test.plugin.reserved).isEmpty();
    }

    private void assertSleepsFor(String message) {
        assertThat(test.events()).containsExactly("FailedScheduling " + message);
        assertThat(test.conditions()).containsExactly("Unschedulable " + message);
        assertThat(test.attempts).containsExactly("unschedulable 0s");
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.UNSCHEDULABLE);
        assertThat(test.scheduler.queue().counts().rejected())
                .containsExactly(new QueueCounts.Rejected("default-scheduler", ScriptedPlugin.NAME, 1));
        assertThat(test.scheduler.cluster().pods().count()).isZero();

        test.put(NodeBuilder.node("n4").build());
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.UNSCHEDULABLE);
        test.put(NodeBuilder.node("n4").label("room", "much").build());
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void aConditionThatSaysSoAlreadyIsNotWrittenAgainAndItsTimeIsKept() {
        PodCondition told = new PodCondition(
                PodCondition.POD_SCHEDULED,
                "False",
                "Unschedulable",
                "0/1 nodes are available: 1 no room in the books.",
                "2026-01-01T00:00:00Z",
                0);
        test.put(withCondition(told));
        test.plugin.reserve = Status.unschedulable("no room in the books");
        test.schedule();
        assertThat(test.commands).hasExactlyElementsOfTypes(Command.RecordEvent.class);

        test.plugin.reserve = Status.unschedulable("no books");
        test.put(NodeBuilder.node("n1").label("a", "b").build());
        test.at(2);
        assertThat(patched().lastTransitionTime()).isEqualTo(told.lastTransitionTime());
    }

    @Test
    void aConditionThatWasTrueChangesNow() {
        test.put(
                withCondition(new PodCondition(PodCondition.POD_SCHEDULED, "True", "", "", "2026-01-01T00:00:00Z", 0)));
        test.plugin.reserve = Status.unschedulable("no room in the books");
        test.schedule();

        assertThat(patched().lastTransitionTime()).as("left to who sends it").isEmpty();
    }

    private Pod withCondition(PodCondition condition) {
        return PodBuilder.from(pod)
                .status(PodStatusBuilder.from(pod.status()).scheduled(condition).build())
                .build();
    }

    private PodCondition patched() {
        return ((Command.PatchStatus) test.commands.getLast()).conditions().getFirst();
    }

    @Test
    void anErrorAtReserveNamesThePluginAndThePoint() {
        test.plugin.reserve = Status.error("the books are gone");
        test.put(pod);
        test.schedule();

        assertThat(test.conditions())
                .containsExactly("SchedulerError running Reserve plugin \"Scripted\": the books are gone");
        assertThat(test.attempts).containsExactly("error 0s");
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
    }

    @Test
    void aRejectionAtPreBindIsUnschedulableAndTriedAgainAsAfterAnError() {
        test.put(pod);
        test.schedule();
        test.failLast(BindFailure.REJECTED, "the volume is elsewhere");

        assertThat(test.conditions()).containsExactly("Unschedulable the volume is elsewhere");
        assertThat(test.attempts).containsExactly("unschedulable 0s");
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
        assertThat(test.scheduler.cluster().pods().count()).isZero();
    }

    @Test
    void aBindingThatFailsSaysWhatTheBinderSaid() {
        test.put(pod);
        test.schedule();
        test.failLast(BindFailure.FAILED, "running Bind plugin \"DefaultBinder\": no quota");

        assertThat(test.conditions()).containsExactly("SchedulerError running Bind plugin \"DefaultBinder\": no quota");
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
    }
}
