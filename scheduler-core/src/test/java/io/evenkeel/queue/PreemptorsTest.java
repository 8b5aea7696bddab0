package io.evenkeel.queue;

import static io.evenkeel.queue.QueueHarness.LABELS;
import static io.evenkeel.queue.QueueHarness.labelled;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Pods that are nominated to nodes, and how the queue treats them and others because of that. */
class PreemptorsTest {
    private static final Pod FIRST = pod("first");
    private static final Pod SECOND = pod("second");
    private static final RejectedBy BY_OTHERS_TOO = new RejectedBy(Set.of(LABELS), Set.of()).withNominatedPods(true);

    private final QueueHarness harness = new QueueHarness();

    /** The first waits nominated to n1, and the second because of that. */
    PreemptorsTest() {
        harness.add(FIRST);
        harness.add(SECOND);
        nominate(reject("first"), "n1");
        harness.queue.rejected(harness.pop(), BY_OTHERS_TOO, harness.now());
    }

    private static Pod pod(String name) {
        return PodBuilder.pod(name).uid(name).priority(5).build();
    }

    private Attempt reject(String name) {
        Attempt attempt = harness.pop();
        assertThat(attempt.pod().name()).isEqualTo(name);
        harness.reject(attempt, LABELS);
        return attempt;
    }

    private void nominate(Attempt attempt, String node) {
        harness.queue.preemptors().nominate(attempt, node, harness.now());
    }

    /** {@link Difference#GATED_PODS_KEEP_ROOM}. */
    @ParameterizedTest
    @EnumSource
    void aGatedPodKeepsItsRoomFrom137On(CompatibilityLevel level) {
        QueueHarness queue = new QueueHarness(FeatureGates.DEFAULTS.at(level));
        queue.add(PodBuilder.pod("gated")
                .uid("gated")
                .priority(5)
                .schedulingGate("shut")
                .nominatedNodeName("n1")
                .build());
        List<PodInfo> ahead = queue.nominated.aheadOf(pod("other"), "n1");

        assertThat(queue.stateOf("gated")).isEqualTo(QueueState.GATED);
        assertThat(ahead).hasSize(level == CompatibilityLevel.V1_36 ? 0 : 1);
    }

    @Test
    void aPlaceThatIsGivenUpByAnAttemptIsNoReasonToSkipTheBackoff() {
        harness.queue.activate(FIRST.key(), harness.now());
        nominate(reject("first"), "");

        assertThat(harness.stateOf("second")).isEqualTo(QueueState.BACKOFF);
        assertThat(harness.next()).isEmpty();
        harness.at(2);
        assertThat(harness.next()).isEqualTo("second");
    }

    @Test
    void whoIsHeldForOthersToGoKeepsItsRoomAndWhomAGateHoldsDoesNot() {
        harness.queue.preemptors().hold(FIRST, "SomePreemption", harness.now());
        harness.queue.activate(FIRST.key(), harness.now());
        harness.update(PodBuilder.from(FIRST).label(QueueHarness.HELD, "yes").build());
        assertThat(harness.stateOf("first")).isEqualTo(QueueState.GATED);
        assertThat(harness.stateOf("second")).isEqualTo(QueueState.UNSCHEDULABLE);

        harness.queue.preemptors().release(FIRST, false, harness.now());
        assertThat(harness.stateOf("first")).isEqualTo(QueueState.GATED);
        assertThat(harness.stateOf("second")).isEqualTo(QueueState.BACKOFF);
    }

    /**
     * Of three pods two have a place, each gives its up when it is tried, and each wakes the others by that. They would be
     * tried over and over, as fast as the machine can.
     */
    @Test
    void podsThatGiveUpTheirPlacesForOneAnotherAreNotTriedWithoutEnd() {
        harness.add(pod("third"));
        Attempt third = harness.pop();
        harness.queue.rejected(third, BY_OTHERS_TOO, harness.now());
        nominate(third, "n2");
        harness.queue.activate(FIRST.key(), harness.now());

        int attempts = 0;
        for (var next = next(); next.isPresent() && attempts < 100; next = next()) {
            boolean has = !next.get().nominatedNode().isEmpty();
            harness.queue.rejected(next.get(), BY_OTHERS_TOO, harness.now());
            nominate(next.get(), has ? "" : "n1");
            attempts++;
        }
        assertThat(attempts).isEqualTo(1);
    }

    private Optional<Attempt> next() {
        return harness.queue.pop(harness.now());
    }

    @Test
    void aPlaceThatComesFreeAsItsPodIsGoneIsTakenAtOnce() {
        harness.queue.remove(FIRST.key(), "first", harness.now());

        assertThat(harness.next()).isEqualTo("second");
    }

    /** It may have been the last that was waited for, and what it leaves too little by now. */
    @ParameterizedTest
    @CsvSource({"n1, 4, BACKOFF", "n1, 5, UNSCHEDULABLE", "n2, 4, UNSCHEDULABLE"})
    void aPodLooksAgainWhereALessImportantOneHasLeftItsNode(String node, int priority, QueueState then) {
        harness.change(left(node, priority));

        assertThat(harness.stateOf("first")).isEqualTo(then);
    }

    @Test
    void itLooksAgainAlsoWhereThatHappensWhileItIsTried() {
        harness.change(labelled("first"));
        Attempt attempt = harness.pop();
        harness.change(left("n1", 4));
        harness.reject(attempt, LABELS);

        assertThat(harness.stateOf("first")).isEqualTo(QueueState.BACKOFF);
    }

    private static ClusterChange left(String node, int priority) {
        return ClusterChange.removed(
                ChangeKind.ASSIGNED_POD_DELETED,
                PodBuilder.pod("other").nodeName(node).priority(priority).build());
    }
}
