package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import org.junit.jupiter.api.Test;

/** A pod that is being deleted, as those with finalizers are for a while, before it is on a node. */
class TerminatingPodTest {
    private static final String SKIPPED = "FailedScheduling skip schedule deleting pod: default/p";

    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1");
    private final Pod pod = ScriptedPlugin.pod("p");
    private final Pod terminating = PodBuilder.from(pod).terminating(true).build();

    @Test
    void itIsSkippedWhenItsTurnComesAndNotBefore() {
        test.put(pod);
        test.put(terminating);
        assertThat(test.events()).isEmpty();

        test.schedule();
        assertThat(test.events()).containsExactly(SKIPPED);
        assertThat(test.bindings()).isEmpty();
        assertThat(test.attempts).isEmpty();
        assertThat(test.scheduler.queue().pods()).isEmpty();
    }

    @Test
    void onceSkippedItIsSkippedAgainOnlyWhereItChanges() {
        test.put(terminating);
        test.schedule();
        test.at(1_000);
        assertThat(test.events()).containsExactly(SKIPPED);

        test.put(PodBuilder.from(terminating).label("a", "b").build());
        test.schedule();
        assertThat(test.events()).containsExactly(SKIPPED, SKIPPED);
    }

    @Test
    void aPodThatNothingHasHelpedYetIsLeftAlone() {
        test.plugin.reserve = Status.unschedulable("no room in the books");
        test.put(pod);
        test.schedule();
        test.commands.clear();

        test.put(terminating);
        test.schedule();
        test.remove(terminating);
        assertThat(test.commands).isEmpty();
    }

    @Test
    void aPodInBackoffIsSkippedWhenThatEnds() {
        test.plugin.reserve = Status.error("the books are gone");
        test.put(pod);
        test.schedule();
        test.commands.clear();

        test.put(terminating);
        test.schedule();
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
        test.at(2);
        assertThat(test.events()).containsExactly(SKIPPED);
    }

    @Test
    void aWaitingPodThatGoesLeavesWithoutAWord() {
        test.put(pod);
        test.remove(pod);
        test.schedule();

        assertThat(test.commands).isEmpty();
    }

    @Test
    void aPodThatIsBeingBoundComesBackWhereThatFailsAndIsSkippedThen() {
        test.put(pod);
        test.schedule();
        test.put(terminating);
        test.failLast(CommandResult.BindFailure.FAILED, "pod p is being deleted, cannot be assigned to a host");
        test.put(NodeBuilder.node("n2").build());
        test.at(2);

        assertThat(test.events()).hasSize(2).last().isEqualTo(SKIPPED);
        assertThat(test.bindings()).hasSize(1);
    }
}
