package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A binding was sent, at second 0: what the server and the watch may say of it, in whatever order. */
class SentBindingTest {
    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1", "n2");
    private final Pod pod = ScriptedPlugin.pod("p");
    private final Pod onN1 = PodBuilder.from(pod).version("2", 0).nodeName("n1").build();

    @BeforeEach
    void binds() {
        test.put(pod);
        test.schedule();
        assertThat(test.bindings()).extracting(Command.Bind::node).containsExactly("n1");
        assertThat(stages()).containsExactly("ANSWER");
        test.commands.clear();
    }

    @AfterEach
    void theCountsAreRight() {
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    @Test
    void itIsBoundAndThenTheWatchShowsIt() {
        test.is(1.5);
        test.bound(pod, "n1");
        assertIsBound("1.5s");
        assertThat(stages()).containsExactly("WATCH");

        test.put(onN1);
        assertIsInPlace();
        test.at(100);
        assertThat(test.commands).hasSize(1);
    }

    @Test
    void theWatchIsFasterThanTheAnswer() {
        test.put(onN1);
        assertThat(test.scheduler.onTheirWay())
                .as("the answer is still to come")
                .hasSize(1);
        assertThat(test.attempts).isEmpty();

        test.bound(pod, "n1");
        assertIsBound("0s");
        assertIsInPlace();
    }

    @ParameterizedTest
    @EnumSource(BindFailure.class)
    void whatTheWatchHasShownNoRefusalTakesBack(BindFailure refusal) {
        test.put(onN1);
        test.notBound(pod, "n1", refusal, "said so");

        assertIsBound("0s");
        assertIsInPlace();
    }

    /** What becomes of the pod, and what its user gets to read; nobody is told of a pod that is gone. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "GONE, -, -, -",
                "OTHER_UID, -, -, -",
                "GATED, ERROR_BACKOFF, error, SchedulerError said so",
                "FAILED, ERROR_BACKOFF, error, SchedulerError said so",
                "REJECTED, ERROR_BACKOFF, unschedulable, Unschedulable said so",
                "NOT_LEADING, ERROR_BACKOFF, -, -",
            })
    void aRefusalThatIsClearFreesThePlace(BindFailure refusal, QueueState state, String attempt, String condition) {
        Pod sleeper = sleeping();
        test.is(2);
        test.notBound(pod, "n1", refusal, "said so");

        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        assertThat(test.plugin.reserved).isEmpty();
        assertThat(known(pod)).isEqualTo(Optional.ofNullable(state));
        assertThat(test.attempts).isEqualTo(attempt == null ? List.of() : List.of(attempt + " 2s"));
        assertThat(test.conditions()).isEqualTo(condition == null ? List.of() : List.of(condition));
        assertThat(test.stateOf(sleeper)).as("the place may help others").isNotEqualTo(QueueState.UNSCHEDULABLE);
    }

    @ParameterizedTest
    @EnumSource(
            value = BindFailure.class,
            names = {"ALREADY_BOUND", "UNKNOWN"})
    void whereItIsNotClearTheServerIsAskedBeforeAnythingElseIsDone(BindFailure refusal) {
        test.notBound(pod, "n1", refusal, "said so");

        assertThat(stages()).containsExactly("LOOKUP");
        assertThat(test.commands).containsExactly(new Command.Lookup(pod));
        assertThat(test.scheduler.cluster().isAssumed(pod.key())).isTrue();
        assertThat(known(pod)).contains(QueueState.IN_FLIGHT);
    }

    @Test
    void aPodThatIsFoundOnItsNodeIsBound() {
        test.notBound(pod, "n1", BindFailure.UNKNOWN, "said so");
        looked(onN1);

        assertIsBound("0s");
        assertIsInPlace();
    }

    @Test
    void aPodThatIsFoundElsewhereCountsThere() {
        test.notBound(pod, "n1", BindFailure.ALREADY_BOUND, "said so");
        looked(PodBuilder.from(pod).version("2", 0).nodeName("n2").build());

        assertOvertaken();
    }

    @Test
    void aPodThatTheWatchShowsElsewhereCountsThere() {
        test.put(PodBuilder.from(pod).version("2", 0).nodeName("n2").build());
        assertOvertaken();

        test.bound(pod, "n1");
        assertThat(test.events()).as("nobody asks for the answer any more").isEmpty();
    }

    private void assertOvertaken() {
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.scheduler.queue().pods()).isEmpty();
        assertThat(test.plugin.reserved).isEmpty();
        assertThat(test.events()).isEmpty();
        assertThat(nodeOf(pod)).isEqualTo("n2");
    }

    @Test
    void aPodThatIsFoundOnNoNodeWasNotBound() {
        Pod sleeper = sleeping();
        test.notBound(pod, "n1", BindFailure.UNKNOWN, "said so");
        looked(pod);

        assertThat(test.conditions()).containsExactly("SchedulerError said so");
        assertThat(known(pod)).contains(QueueState.ERROR_BACKOFF);
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void ofAPodWhoseNameAnotherHasByNowTheWatchTellsNothingNew() {
        Pod other = findAnotherOfItsName();
        assertThat(nodeOf(other)).isEqualTo("n2");

        test.put(PodBuilder.from(pod).version("3", 0).label("a", "b").build());
        assertThat(nodeOf(other)).as("old news").isEqualTo("n2");
        assertThat(test.scheduler.queue().pods()).isEmpty();
        test.remove(pod);
        assertThat(nodeOf(other)).isEqualTo("n2");

        test.put(other);
        test.put(PodBuilder.from(pod).version("9", 0).build());
        assertThat(test.scheduler.queue().pods())
                .as("the watch had caught up: it may go back behind that only by telling all anew")
                .hasSize(1);
    }

    @Test
    void whatTheWatchTellsOfAllPodsAnewIsNotOld() {
        findAnotherOfItsName();
        test.scheduler.handle(new Relist.Began("Pod"));
        test.put(PodBuilder.from(pod).version("8", 0).build());
        test.scheduler.handle(new Relist.Ended("Pod"));

        test.put(PodBuilder.from(pod).version("9", 0).build());
        assertThat(test.scheduler.queue().pods()).hasSize(1);
    }

    @Test
    void aPodThatIsNotFoundIsGone() {
        test.notBound(pod, "n1", BindFailure.UNKNOWN, "said so");
        test.scheduler.handle(new CommandResult.Found(pod, Optional.empty()));

        assertGone();
    }

    @Test
    void anotherPodOfTheNameIsNotThisOne() {
        test.notBound(pod, "n1", BindFailure.UNKNOWN, "said so");
        looked(PodBuilder.pod("p").uid("other-uid").build());

        assertGone();
    }

    @Test
    void aPodThatIsRemovedFreesItsPlaceAndItsAnswerIsNotHeeded() {
        Pod sleeper = sleeping();
        test.remove(pod);
        assertGone();
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.BACKOFF);

        test.bound(pod, "n1");
        assertThat(test.events()).isEmpty();
    }

    private void assertGone() {
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        assertThat(test.plugin.reserved).isEmpty();
        assertThat(known(pod)).isEmpty();
        assertThat(test.conditions()).isEmpty();
    }

    @Test
    void aServerThatCannotBeAskedIsAskedAgain() {
        test.notBound(pod, "n1", BindFailure.UNKNOWN, "said so");
        test.is(1);
        test.scheduler.handle(new CommandResult.LookupFailed(pod, "no route"));
        assertThat(stages()).containsExactly("NEXT_LOOKUP");
        test.commands.clear();

        test.at(5.9);
        assertThat(test.commands).isEmpty();
        test.at(6.9);
        assertThat(test.commands).containsExactly(new Command.Lookup(pod));
        looked(pod);
        assertThat(test.conditions()).as("the last trouble").containsExactly("SchedulerError no route");
    }

    @Test
    void whatTheWatchDoesNotShowInTimeIsLookedUp() {
        test.is(1);
        test.bound(pod, "n1");
        test.commands.clear();
        assertThat(test.nextDeadline()).as("all are looked through each second").isEqualTo(1);
        test.at(30.9);
        assertThat(test.commands).isEmpty();
        assertThat(test.nextDeadline()).isEqualTo(31.9);

        test.at(31.9);
        assertThat(test.commands).containsExactly(new Command.Lookup(pod));
        test.at(100);
        assertThat(test.commands).as("asked once").hasSize(1);
    }

    @Test
    void aPodThatWasBoundAndIsFoundOnNoNodeWaitsAnew() {
        test.bound(pod, "n1");
        test.at(60);
        Pod sleeper = sleeping();
        looked(PodBuilder.from(pod).version("3", 0).build());

        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        assertThat(known(pod)).contains(QueueState.ACTIVE);
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void oldNewsOfAPodThatIsBoundAreNotHeeded() {
        test.bound(pod, "n1");
        test.put(PodBuilder.from(pod).version("1", 0).label("a", "b").build());
        test.schedule();

        assertThat(test.scheduler.queue().pods()).isEmpty();
        assertThat(test.bindings()).isEmpty();
        assertThat(nodeOf(pod)).isEqualTo("n1");
    }

    @Test
    void noMorePodsAreDecidedThanMayBeOnTheirWay() {
        PlayedScheduler few = new PlayedScheduler(SchedulerSettings.of(Set.of("Node"), 1)).withNodes("n1");
        for (int i = 0; i < 100; i++) {
            few.put(ScriptedPlugin.pod("p" + i));
        }
        few.schedule();
        assertThat(few.bindings()).hasSize(64);

        few.bindLast();
        few.put(PodBuilder.from(few.bindings().getLast().pod()).nodeName("n1").build());
        few.schedule();
        assertThat(few.bindings()).hasSize(65);
    }

    /** A pod that was turned away, and that any place that is left may help. */
    private Pod sleeping() {
        Pod sleeper = ScriptedPlugin.pod("sleeper");
        test.plugin.filter = _ -> Status.unschedulable("full");
        test.put(sleeper);
        test.schedule();
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.UNSCHEDULABLE);
        test.commands.clear();
        test.attempts.clear();
        return sleeper;
    }

    /** On another node, by a look-up. */
    private Pod findAnotherOfItsName() {
        Pod other = PodBuilder.from(pod)
                .uid("other-uid")
                .version("5", 0)
                .nodeName("n2")
                .build();
        test.notBound(pod, "n1", BindFailure.UNKNOWN, "said so");
        looked(other);
        return other;
    }

    private void looked(Pod found) {
        test.scheduler.handle(new CommandResult.Found(pod, Optional.of(found)));
    }

    private void assertIsBound(String duration) {
        assertThat(test.events()).containsExactly("Scheduled Successfully assigned default/p to n1");
        assertThat(test.attempts).containsExactly("scheduled " + duration);
        assertThat(test.durations).containsExactly("p " + duration);
        assertThat(test.scheduler.queue().pods()).isEmpty();
    }

    private void assertIsInPlace() {
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.scheduler.cluster().isAssumed(pod.key())).isFalse();
        assertThat(nodeOf(pod)).isEqualTo("n1");
        assertThat(test.plugin.reserved).as("kept for as long as it is there").containsExactly(pod.key());
    }

    private List<String> stages() {
        return test.scheduler.onTheirWay().stream()
                .map(Scheduler.OnItsWay::waitingFor)
                .toList();
    }

    private Optional<QueueState> known(Pod some) {
        return test.scheduler.queue().find(some.key()).isPresent() ? Optional.of(test.stateOf(some)) : Optional.empty();
    }

    private String nodeOf(Pod some) {
        var cluster = test.scheduler.cluster();
        return cluster.nodes().name(cluster.pods().node(cluster.pods().find(some.key())));
    }
}
