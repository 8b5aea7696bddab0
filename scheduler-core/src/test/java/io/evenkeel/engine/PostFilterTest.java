package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.PostFilterPlugin.Result;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod fits nowhere, as each node takes one pod, and a plugin is asked what can be done. */
class PostFilterTest {
    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1", "n2");
    private final Pod sitting =
            PodBuilder.from(ScriptedPlugin.pod("sitting")).nodeName("n1").build();
    private final Pod pod = ScriptedPlugin.pod("p");

    PostFilterTest() {
        test.plugin.filter = node ->
                node.podCount() == 0 && node.name().equals("n1") ? Status.SUCCESS : Status.unschedulable("full");
        test.put(sitting);
    }

    @Test
    void itsNominationIsWrittenAndItsReasonsEndTheMessage() {
        test.plugin.postFilter = (_, _) -> new Result(Status.unschedulable("n1 is free soon"), Optional.of("n1"));
        test.put(pod);
        test.schedule();

        String message = "0/2 nodes are available: 2 full. n1 is free soon";
        assertThat(test.events()).containsExactly("FailedScheduling " + message);
        assertThat(test.conditions()).containsExactly("Unschedulable " + message);
        assertThat(test.nominations()).containsExactly(Optional.of("n1"));
        assertThat(test.attempts).containsExactly("unschedulable 0s");
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    @Test
    void onlyANominationThatIsNewIsWritten() {
        test.plugin.postFilter = (_, _) -> Result.nominate("n1");
        test.put(PodBuilder.from(pod).nominatedNodeName("n1").build());
        test.schedule();

        assertThat(test.nominations()).containsExactly(Optional.empty());
    }

    @Test
    void aPluginThatNominatesNothingLeavesWhatIsThere() {
        test.plugin.postFilter = (_, _) -> Result.none(Status.unschedulable());
        test.put(PodBuilder.from(pod).nominatedNodeName("n2").build());
        test.schedule();

        assertThat(test.nominations()).containsExactly(Optional.empty());
    }

    @Test
    void aPluginThatFailsIsNoFaultOfThePods() {
        test.plugin.postFilter = (_, _) -> {
            throw new IllegalStateException("no idea");
        };
        test.put(pod);
        test.schedule();

        assertThat(test.conditions())
                .containsExactly("Unschedulable 0/2 nodes are available: 2 full."
                        + " running PostFilter plugin \"Scripted\": no idea");
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    @Test
    void anotherFailureTakesTheNominationAway() {
        test.remove(sitting);
        test.plugin.reserve = Status.unschedulable("no room in the books");
        test.put(PodBuilder.from(pod).nominatedNodeName("n1").build());
        test.schedule();

        assertThat(test.nominations()).containsExactly(Optional.of(""));
    }

    @Test
    void aNominationIsTakenAwayAlsoBeforeTheWatchHasShownIt() {
        test.plugin.postFilter = (_, _) -> Result.nominate("n1");
        test.put(pod);
        test.schedule();
        assertThat(test.nominations()).containsExactly(Optional.of("n1"));

        test.plugin.reserve = Status.unschedulable("no room in the books");
        test.remove(sitting);
        test.at(60);
        assertThat(test.nominations()).containsExactly(Optional.of("n1"), Optional.of(""));
    }

    @Test
    void aNominationThatWasNotTakenAwayIsTakenAwayNextTime() {
        test.remove(sitting);
        test.plugin.reserve = Status.unschedulable("no room in the books");
        Pod nominated = PodBuilder.from(pod).nominatedNodeName("n1").build();
        test.put(nominated);
        test.schedule();
        assertThat(test.nominations()).containsExactly(Optional.of(""));

        test.put(PodBuilder.from(nominated).label("still", "named").build());
        test.at(400);
        assertThat(test.nominations()).containsExactly(Optional.of(""), Optional.of(""));
    }

    @Test
    void withoutNodesNobodyIsAskedAndTheNominationIsTakenAway() {
        PlayedScheduler empty = new PlayedScheduler().withNodes();
        empty.plugin.postFilter = (_, _) -> Result.nominate("n1");
        empty.put(PodBuilder.from(pod).nominatedNodeName("n2").build());
        empty.schedule();

        assertThat(empty.nominations()).containsExactly(Optional.of(""));
    }

    @Test
    void whatIsTriedIsTriedOnTheClusterAndLeavesNoTrace() {
        List<Boolean> fits = new ArrayList<>();
        List<Status> verdicts = new ArrayList<>();
        List<BatchTrial> trials = new ArrayList<>();
        test.plugin.postFilter = (_, trial) -> {
            NodeSet all = test.scheduler.cluster().nodes().present().copy();
            fits.add(trial.verdictOn(all.first()).isSuccess());
            verdicts.add(trial.verdictOn(all.first()));
            try (WhatIf gone = trial.whatIf()) {
                gone.remove(sitting);
                fits.add(trial.verdictOn(all.first()).isSuccess());
                verdicts.add(trial.verdictOn(all.first()));
            }
            fits.add(trial.verdictOn(all.first()).isSuccess());
            trial.whatIf().remove(sitting); // and never closed
            trials.add(trial);
            return Result.none(Status.unschedulable());
        };
        test.put(pod);
        test.schedule();

        assertThat(fits).containsExactly(false, true, false);
        assertThat(verdicts).containsExactly(Status.unschedulable("full"), Status.SUCCESS);
        assertThat(test.scheduler.cluster().pods().count()).isOne();
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
        assertThatThrownBy(trials.getFirst()::whatIf).hasMessageContaining("is over");
    }
}
