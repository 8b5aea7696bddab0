package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PostFilterPlugin.Result;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each node takes one pod, and n1 has one; another waits that is nominated to it, and then that place gets free. */
class NominationTest {
    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1");
    private final Pod sitting =
            PodBuilder.from(ScriptedPlugin.pod("sitting")).nodeName("n1").build();
    private final Pod nominated =
            PodBuilder.from(pod("nominated", 5)).nominatedNodeName("n1").build();

    NominationTest() {
        test.plugin.filter = node -> node.podCount() == 0 ? Status.SUCCESS : Status.unschedulable("full");
        test.put(sitting);
        test.put(nominated);
        test.schedule();
    }

    @AfterEach
    void nothingOfItIsLeftInTheCluster() {
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    @Test
    void whoeverIsNotMoreImportantLeavesItToTheNominated() {
        Pod hasty = pod("hasty", 5);
        test.remove(sitting);
        test.put(hasty);
        takeTurnsButOf(nominated);

        assertThat(test.bindings()).isEmpty();
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.UNSCHEDULABLE);
        assertThat(test.events()).last().isEqualTo("FailedScheduling 0/1 nodes are available: 1 full.");
        test.at(1);
        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("nominated");
    }

    @Test
    void whoeverIsMoreImportantDoesNot() {
        test.remove(sitting);
        test.put(pod("important", 6));
        test.schedule();

        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("important");
    }

    @Test
    void itFitsTwiceOrNotAtAll() {
        test.plugin.filter = node -> node.podCount() == 1 ? Status.SUCCESS : Status.unschedulable("lonely");
        test.remove(sitting);
        test.put(pod("fits beside it only", 5));
        takeTurnsButOf(nominated);

        assertThat(test.bindings()).isEmpty();
        assertThat(test.events()).last().isEqualTo("FailedScheduling 0/1 nodes are available: 1 lonely.");
    }

    @Test
    void whatIsInTheWayBesideTheNominatedIsSaid() {
        test.plugin.filter = node -> Status.unschedulable(node.podCount() + " are there");
        test.put(pod("other", 5));
        test.schedule();

        assertThat(test.events()).last().isEqualTo("FailedScheduling 0/1 nodes are available: 1 2 are there.");
    }

    @Test
    void whenTheNominatedGoesTheOthersGetTheirTurn() {
        Pod hasty = pod("hasty", 5);
        test.remove(sitting);
        test.put(hasty);
        takeTurnsButOf(nominated);
        assertThat(test.bindings()).isEmpty();

        test.remove(nominated);
        test.at(3);
        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("hasty");
    }

    @Test
    void whenItIsNominatedElsewhereTheOthersGetTheirTurn() {
        Pod hasty = pod("hasty", 5);
        test.remove(sitting);
        test.put(hasty);
        takeTurnsButOf(nominated);

        test.put(PodBuilder.from(nominated).nominatedNodeName("n2").build());
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void whenItsNominationIsTakenAwayTheOthersGetTheirTurn() {
        Pod hasty = pod("hasty", 5);
        test.put(hasty);
        test.schedule();
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.UNSCHEDULABLE);

        test.plugin.postFilter = (_, _) -> new Result(Status.unschedulable(), Optional.of(""));
        test.scheduler.queue().activate(nominated.key(), 0);
        test.scheduler.scheduleNext();

        assertThat(test.nominations()).last().isEqualTo(Optional.of(""));
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void whoeverItCrowdsOutIsTriedAgainWhateverChangesAsNoHintKnowsOfTheNominated() {
        Pod hasty = pod("hasty", 5);
        test.remove(sitting);
        test.put(hasty);
        takeTurnsButOf(nominated);
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.UNSCHEDULABLE);

        test.put(PodBuilder.pod("elsewhere").uid("e").nodeName("n2").build());
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.BACKOFF);
    }

    /** Else every pod that fits nowhere would be tried at every change, as long as one is nominated anywhere. */
    @Test
    void whoeverFitsNowhereAnywayIsNotCrowdedOut() {
        Pod hasty = pod("hasty", 5);
        test.put(hasty);
        test.schedule();

        test.put(PodBuilder.pod("elsewhere").uid("e").nodeName("n2").build());
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    /** Everybody's turn but of the pod whose backoff has not ended. */
    private void takeTurnsButOf(Pod waiting) {
        assertThat(test.stateOf(waiting)).isNotEqualTo(QueueState.ACTIVE);
        test.scheduler.scheduleNext();
    }

    private static Pod pod(String name, int priority) {
        return PodBuilder.from(ScriptedPlugin.pod(name)).priority(priority).build();
    }
}
