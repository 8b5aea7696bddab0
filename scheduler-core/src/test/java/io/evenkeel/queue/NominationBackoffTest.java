package io.evenkeel.queue;

import static io.evenkeel.queue.QueueHarness.LABELS;
import static io.evenkeel.queue.QueueHarness.labelled;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two pods are nominated to n1, where others leave one after the other; a third has no place because of them. */
class NominationBackoffTest {
    private boolean bothFit;
    private final QueueHarness harness =
            new QueueHarness(QueueHarness.settings(HintLimits.USUAL, (pod, node, exactly) -> bothFit));

    NominationBackoffTest() {
        for (String name : new String[] {"first", "second", "third"}) {
            harness.add(pod(name));
            Attempt attempt = harness.pop();
            harness.queue.rejected(
                    attempt,
                    new RejectedBy(Set.of(LABELS), Set.of()).withNominatedPods(name.equals("third")),
                    harness.now());
            if (!name.equals("third")) {
                harness.queue.preemptors().nominate(attempt, "n1", harness.now());
            }
        }
    }

    private static Pod pod(String name) {
        return PodBuilder.pod(name).uid(name).priority(5).build();
    }

    @Test
    void roomForOneIsNoReasonToSkipTheBackoff() {
        harness.change(left("n1"));

        assertThat(harness.next()).isEmpty();
        harness.at(2);
        assertThat(harness.next()).isEqualTo("first");
    }

    @Test
    void roomForAllIs() {
        bothFit = true;
        harness.change(left("n1"));

        assertThat(harness.next()).isEqualTo("first");
        assertThat(harness.next()).isEqualTo("second");
    }

    @Test
    void whoSitsTheBackoffOutIsLetOutOnceThereIsRoomForAll() {
        harness.change(left("n1"));
        assertThat(harness.next()).isEmpty();

        bothFit = true;
        harness.change(left("n1"));
        assertThat(harness.next()).isEqualTo("first");
    }

    @Test
    void whatAPluginHasWaitedForElsewhereIsToo() {
        harness.change(labelled("third"));

        assertThat(harness.next()).isEqualTo("third");
    }

    @Test
    void whoHasNoPlaceBecauseOfOthersIsTriedAfterWhateverHappensButNotAtOnce() {
        harness.change(left("n2"));

        assertThat(harness.stateOf("third")).isEqualTo(QueueState.BACKOFF);
        assertThat(harness.stateOf("first")).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    @Test
    void filtersThatFailKeepNobodyWaiting() {
        QueueHarness failing = new QueueHarness(QueueHarness.settings(HintLimits.USUAL, (pod, node, exactly) -> {
            throw new IllegalStateException("of a plugin");
        }));
        for (String name : new String[] {"first", "second"}) {
            failing.add(pod(name));
            Attempt attempt = failing.pop();
            failing.reject(attempt, LABELS);
            failing.queue.preemptors().nominate(attempt, "n1", 0);
        }
        failing.change(left("n1"));

        assertThat(failing.next()).isEqualTo("first");
    }

    private static ClusterChange left(String node) {
        return ClusterChange.removed(
                ChangeKind.ASSIGNED_POD_DELETED,
                PodBuilder.pod("other").nodeName(node).build());
    }
}
