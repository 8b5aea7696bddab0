package io.evenkeel.queue;

import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.queue.QueueHarness.GATEKEEPER;
import static io.evenkeel.queue.QueueHarness.HELD;
import static io.evenkeel.queue.QueueHarness.HOLDER;
import static io.evenkeel.queue.QueueHarness.LABELS;
import static io.evenkeel.queue.QueueHarness.TAINTS;
import static io.evenkeel.queue.QueueHarness.labelled;
import static io.evenkeel.queue.QueueHarness.tainted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {
    private final QueueHarness test = new QueueHarness();

    @Test
    void podsComeOutByPriorityAndThenAsTheyCame() {
        test.add(pod("low").priority(1).build());
        test.add(pod("first").priority(5).build());
        test.add(pod("second").priority(5).build());

        assertThat(test.next()).isEqualTo("first");
        assertThat(test.next()).isEqualTo("second");
        assertThat(test.next()).isEqualTo("low");
        assertThat(test.next()).isEmpty();
    }

    @Test
    void aPodAddedTwiceIsOnePod() {
        test.add(pod("p").uid("1").build());
        test.add(pod("p").uid("1").build());

        assertThat(test.next()).isEqualTo("p");
        assertThat(test.next()).isEmpty();
    }

    @Test
    void aPodThatTookTheNameOfAnotherStartsAnew() {
        test.add(pod("p").uid("1").build());
        Attempt old = test.pop();
        test.add(pod("p").uid("2").build());

        assertThat(old.stillWanted()).isFalse();
        test.reject(old, LABELS);
        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
        assertThat(test.pop().attempts()).isEqualTo(1);
    }

    @Test
    void aRejectedPodWaitsForAChangeThatMayHelpIt() {
        test.add(pod("p").build());
        test.reject(test.pop(), LABELS);
        assertThat(test.stateOf("p")).isEqualTo(QueueState.UNSCHEDULABLE);

        test.change(tainted());
        test.change(labelled("other"));
        assertThat(test.stateOf("p")).isEqualTo(QueueState.UNSCHEDULABLE);
        test.change(labelled("p"));
        assertThat(test.stateOf("p")).isEqualTo(QueueState.BACKOFF);
        assertThat(test.hints).containsExactly("Labels NodeUpdateNodeLabel false", "Labels NodeUpdateNodeLabel true");
    }

    @Test
    void ofSeveralRejectorsOneIsEnough() {
        test.add(pod("p").build());
        test.reject(test.pop(), LABELS, TAINTS);
        test.at(2);
        test.change(tainted());

        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
    }

    @Test
    void aPodThatNobodyInParticularRejectedIsTriedAgainAsAfterAnError() {
        test.add(pod("p").build());
        test.reject(test.pop());

        assertThat(test.stateOf("p")).isEqualTo(QueueState.ERROR_BACKOFF);
    }

    @Test
    void aRejectorOfWhichNothingIsKnownIsWokenByAnyChange() {
        test.add(pod("p").build());
        test.reject(test.pop(), "SomeExtender");
        test.change(labelled());

        assertThat(test.stateOf("p")).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void aPendingPluginsChangeSkipsTheBackoff() {
        test.add(pod("p").build());
        test.queue.rejected(test.pop(), new RejectedBy(Set.of(TAINTS), Set.of(LABELS)), test.now());
        test.change(labelled("p"));

        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
    }

    @Test
    void backoffDoublesUpToItsMaximum() {
        test.add(pod("p").build());
        double now = 0.5;
        for (int seconds : new int[] {1, 2, 4, 8, 10, 10}) {
            test.at(now);
            test.reject(test.pop(), TAINTS);
            test.change(tainted());
            now += seconds + 0.5;
            assertThat(test.viewOf("p").orElseThrow().nextTryNanos()).hasValue(nanos(now));
            test.at(now - 0.001);
            assertThat(test.stateOf("p")).isEqualTo(QueueState.BACKOFF);
            test.at(now);
            assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
            now += 0.5;
        }
    }

    @Test
    void backoffsThatEndWithinOneSecondEndTogetherWithIt() {
        rejectAndWake("low", 1, 0);
        rejectAndWake("high", 5, 0.9);
        assertThat(test.queue.nextDeadline()).hasValue(nanos(2));

        test.at(1.999);
        assertThat(List.of(test.stateOf("low"), test.stateOf("high"))).containsOnly(QueueState.BACKOFF);
        test.at(2);
        assertThat(List.of(test.stateOf("low"), test.stateOf("high"))).containsOnly(QueueState.ACTIVE);
        assertThat(test.incoming).containsSequence("active BackoffComplete", "active BackoffComplete");
    }

    @Test
    void ofPodsThatFailedInOneSecondTheOneOfHighestPriorityIsTakenEarly() {
        rejectAndWake("low", 1, 0.2);
        rejectAndWake("high", 5, 0.5);

        assertThat(test.next()).isEqualTo("high");
        assertThat(test.next()).isEqualTo("low");
    }

    @Test
    void ofPodsThatFailedInDifferentSecondsTheEarlierIsTakenWhateverItsPriority() {
        rejectAndWake("low", 1, 0.9);
        rejectAndWake("high", 5, 1.1);

        assertThat(test.next()).isEqualTo("low");
    }

    @Test
    void withTheGateOffBackoffsEndByThemselvesAndNobodyIsTakenEarly() {
        QueueHarness strict = new QueueHarness(
                new QueueSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), false));
        strict.at(0.2);
        strict.add(pod("p").build());
        strict.reject(strict.pop(), TAINTS);
        strict.change(tainted());

        assertThat(strict.queue.nextDeadline()).hasValue(nanos(1.2));
        assertThat(strict.next()).isEmpty();
        strict.at(1.2);
        assertThat(strict.next()).isEqualTo("p");
    }

    @Test
    void aClockBelowZeroHasTheSameSeconds() {
        rejectAndWake("p", 1, -10.4);

        assertThat(test.queue.nextDeadline()).hasValue(nanos(-9));
    }

    @Test
    void errorsAreCountedApartFromRejections() {
        test.add(pod("p").build());
        test.fail(test.pop());
        test.at(2);
        test.fail(test.pop());
        assertThat(test.queue.nextDeadline()).hasValue(nanos(5));
        test.at(5);
        test.reject(test.pop(), TAINTS);
        test.change(tainted());

        assertThat(test.queue.nextDeadline()).hasValue(nanos(7));
    }

    @Test
    void withoutBackoffPodsAreTriedAgainAtOnce() {
        QueueHarness eager =
                new QueueHarness(new QueueSettings(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(5), true));
        eager.add(pod("p").build());
        eager.fail(eager.pop());
        eager.reject(eager.pop(), TAINTS);
        eager.change(tainted());

        assertThat(eager.stateOf("p")).isEqualTo(QueueState.ACTIVE);
    }

    @Test
    void whereNobodyIsActiveARejectedPodComesOutOfBackoffEarly() {
        test.add(pod("p").build());
        test.reject(test.pop(), TAINTS);
        test.change(tainted());
        test.incoming.clear();

        assertThat(test.next()).isEqualTo("p");
        assertThat(test.incoming).containsExactly("active PopFromBackoffQ");
    }

    @Test
    void whereTheGateIsOffEveryPodWaitsForTheEndOfItsBackoff() {
        FeatureGates off = FeatureGates.with(Map.of("SchedulerPopFromBackoffQ", false));
        QueueHarness patient = new QueueHarness(QueueSettings.of(
                SchedulerConfiguration.defaults().toBuilder().featureGates(off).build(),
                Duration.ofMinutes(5),
                QueueSettings.HintLimits.USUAL,
                QueueSettings.Neighbours.UNKNOWN,
                QueueSettings.Obstacles.UNKNOWN));
        patient.add(pod("p").build());
        patient.reject(patient.pop(), TAINTS);
        patient.change(tainted());

        assertThat(patient.stateOf("p")).isEqualTo(QueueState.BACKOFF);
        assertThat(patient.queue.pop(0)).isEmpty();
        patient.at(2);
        assertThat(patient.next()).isEqualTo("p");
    }

    @Test
    void aPodWithAnErrorNeverComesOutOfBackoffEarly() {
        test.add(pod("p").build());
        test.fail(test.pop());

        assertThat(test.next()).isEmpty();
    }

    @Test
    void afterFiveMinutesAPodIsTriedWhateverHappened() {
        test.add(pod("p").build());
        test.reject(test.pop(), LABELS);
        test.at(299);
        assertThat(test.stateOf("p")).isEqualTo(QueueState.UNSCHEDULABLE);
        test.at(300);

        Attempt attempt = test.pop();
        assertThat(attempt.afterFlush()).isTrue();
        test.queue.bound(attempt);
        assertThat(test.boundAfterFlush).isEqualTo(1);
        assertThat(test.incoming).contains("active UnschedulableTimeout");
    }

    @Test
    void aGatedPodStaysOutUntilItsGatesAreGone() {
        Pod gated = pod("p").schedulingGate("g").build();
        test.add(gated);
        assertThat(test.next()).isEmpty();
        assertThat(test.viewOf("p").orElseThrow().rejectedBy()).containsExactly(GATEKEEPER);
        test.change(tainted());
        assertThat(test.stateOf("p")).isEqualTo(QueueState.GATED);

        test.update(PodBuilder.from(gated).withoutSchedulingGates().build());
        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
        assertThat(test.queue.counts().rejected()).isEmpty();
    }

    @Test
    void aPodWhoseGatesAreGoneIsAskedOnceWhetherItMayEnter() {
        Pod gated = pod("p").version("1", 1).schedulingGate("g").build();
        test.add(gated);
        test.gatesAsked.clear();
        test.update(
                PodBuilder.from(gated).version("2", 1).withoutSchedulingGates().build());

        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
        assertThat(test.gatesAsked).containsExactly("p");
    }

    /** Facets that nobody uses linger, 256 of a kind; so of 300 shapes that are not used any more 44 are dropped. */
    @Test
    void aPodHoldsItsShapeAsLongAsItIsInTheQueue() {
        List<Facet<PodShape>> dropped = new ArrayList<>();
        FacetCache<PodShape, Facet<PodShape>> compiled =
                new FacetCache<>(test.cluster.view().shapes().shapes(), 1000, facet -> facet, dropped::add);
        List<Pod> pods = IntStream.rangeClosed(1, 300)
                .mapToObj(i ->
                        pod("p" + i).version("1", 1).container("cpu", i + "m").build())
                .toList();
        for (Pod pod : pods) {
            test.add(pod);
            compiled.get(test.queue.pop(test.now()).orElseThrow().admitted().interned());
        }
        assertThat(dropped).isEmpty();

        pods.subList(0, 150)
                .forEach(pod -> test.update(
                        PodBuilder.from(pod).version("2", 1).label("new", "").build()));
        assertThat(dropped).isEmpty();
        pods.forEach(pod -> test.queue.remove(pod.key(), "", test.now()));
        assertThat(dropped).hasSize(300 - 256);
    }

    @Test
    void aPodThatOnePluginAfterTheOtherGatesGoesOnWhenTheLastLetsIt() {
        Pod gated =
                pod("p").version("1", 1).schedulingGate("g").label(HELD, "yes").build();
        Pod held =
                PodBuilder.from(gated).version("2", 1).withoutSchedulingGates().build();
        test.add(gated);
        test.at(1);
        test.update(held);
        assertThat(test.stateOf("p")).isEqualTo(QueueState.GATED);
        assertThat(test.viewOf("p").orElseThrow().rejectedBy()).containsExactly(HOLDER);
        assertThat(test.queue.counts().gated()).isOne();
        assertThat(test.queue.counts().rejected())
                .containsExactly(new QueueCounts.Rejected("default-scheduler", HOLDER, 1));

        test.update(PodBuilder.from(held).version("3", 1).label(HELD, "no").build());
        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
        assertThat(test.queue.counts().gated()).isZero();
        assertThat(test.queue.counts().rejected()).isEmpty();
    }

    @Test
    void aPodThatTheSamePluginGatesAgainHasNotMoved() {
        Pod held = pod("p").version("1", 1).label(HELD, "yes").build();
        test.add(held);
        List<String> moves = List.copyOf(test.incoming);
        test.at(1);
        test.update(PodBuilder.from(held).version("2", 1).label("other", "").build());

        assertThat(test.incoming).isEqualTo(moves);
        assertThat(test.viewOf("p").orElseThrow().sinceNanos()).isZero();
        assertThat(test.viewOf("p").orElseThrow().rejectedBy()).containsExactly(HOLDER);
    }

    /** As in kube-scheduler: only the plugin that gates a pod knows whether to let it in. */
    @Test
    void aGatedPodIsNotTriedForHavingWaitedLong() {
        test.add(pod("p").label(HELD, "yes").build());

        test.at(301);
        assertThat(test.stateOf("p")).isEqualTo(QueueState.GATED);
    }

    @Test
    void aPodsTimeBeginsWhenItIsFirstActiveNotWhenItIsTaken() {
        Pod gated = pod("p").schedulingGate("g").build();
        test.at(1);
        test.add(gated);
        test.at(2);
        test.update(PodBuilder.from(gated).withoutSchedulingGates().build());
        test.at(3);
        Attempt first = test.pop();
        test.reject(first, TAINTS);
        test.change(tainted());
        test.at(9);

        assertThat(first.firstActiveAt()).isEqualTo(nanos(2));
        assertThat(test.pop().firstActiveAt()).isEqualTo(nanos(2));
    }

    @Test
    void anUpdateOfItsOwnWakesAPodWhereAPluginSaysSo() {
        Pod pod = pod("p").version("1", 1).build();
        test.add(pod);
        test.reject(test.pop(), LABELS);
        test.update(PodBuilder.from(pod).version("2", 1).build());
        test.update(PodBuilder.from(pod).version("3", 1).label("q", "").build());
        assertThat(test.stateOf("p")).isEqualTo(QueueState.UNSCHEDULABLE);

        test.update(PodBuilder.from(pod).version("4", 1).label("p", "").build());
        assertThat(test.stateOf("p")).isEqualTo(QueueState.BACKOFF);
        assertThat(test.incoming).last().isEqualTo("backoff UnschedulablePodUpdatePodLabel");
    }

    @Test
    void aVersionThatIsKnownChangesNothing() {
        Pod pod = pod("p").version("1", 1).build();
        test.add(pod);
        test.update(PodBuilder.from(pod).label("p", "").build());

        assertThat(test.queue.find("default/p")).hasValue(pod);
    }

    @Test
    void aPodInFlightKeepsItsNewestCopy() {
        Pod pod = pod("p").build();
        test.add(pod);
        Attempt attempt = test.pop();
        Pod newer = PodBuilder.from(pod).label("a", "b").build();
        test.update(newer);

        assertThat(attempt.pod()).isEqualTo(newer);
        test.reject(attempt, TAINTS);
        assertThat(test.queue.find("default/p")).hasValue(newer);
    }

    @Test
    void aChangeWhileAPodIsInFlightIsNotLost() {
        test.add(pod("p").build());
        Attempt attempt = test.pop();
        test.change(labelled("p"));
        test.reject(attempt, LABELS);

        assertThat(test.stateOf("p")).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void aChangeOfItsOwnWhileAPodIsInFlightIsNotLost() {
        Pod pod = pod("p").version("1", 1).build();
        test.add(pod);
        Attempt attempt = test.pop();
        test.update(PodBuilder.from(pod).version("2", 1).label("p", "").build());
        test.reject(attempt, LABELS);

        assertThat(test.stateOf("p")).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void aChangeWhileAPodIsInFlightThatDoesNotHelpItLetsItSleep() {
        test.add(pod("p").build());
        Attempt attempt = test.pop();
        test.change(labelled("other"));
        test.change(tainted());
        test.reject(attempt, LABELS);

        assertThat(test.stateOf("p")).isEqualTo(QueueState.UNSCHEDULABLE);
        assertThat(test.hints).containsExactly("Labels NodeUpdateNodeLabel false");
    }

    @Test
    void ofSeveralPodsInFlightEachMissesWhatCameSinceItWasTakenOut() {
        for (String name : new String[] {"a", "b", "c"}) {
            test.add(pod(name).build());
        }
        Attempt a = test.pop();
        test.change(labelled("b"));
        Attempt b = test.pop();
        test.change(labelled("a"));
        Attempt c = test.pop();
        test.reject(b, LABELS);
        test.change(labelled("c"));
        test.reject(c, LABELS);
        test.reject(a, LABELS);

        assertThat(test.stateOf("a")).isEqualTo(QueueState.BACKOFF);
        assertThat(test.stateOf("b")).isEqualTo(QueueState.UNSCHEDULABLE);
        assertThat(test.stateOf("c")).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void nothingIsKeptForAPodThatIsBeingBound() {
        Pod pod = pod("p").version("1", 1).build();
        test.add(pod);
        Attempt attempt = test.pop();
        test.change(tainted());
        test.update(PodBuilder.from(pod).version("2", 1).label("a", "").build());
        assertThat(test.queue.keptChanges()).isEqualTo(2);

        test.queue.accepted(attempt);
        assertThat(test.queue.keptChanges()).isZero();
        test.change(tainted());
        test.update(PodBuilder.from(pod).version("3", 1).label("b", "").build());
        assertThat(test.queue.keptChanges()).isZero();
        assertThat(test.queue.counts().inFlight()).isOne();
    }

    @Test
    void aPodThatIsBeingBoundLeavesOnceHoweverItEnds() {
        for (String name : new String[] {"bound", "gone", "failed", "late", "tried"}) {
            test.add(pod(name).build());
        }
        Attempt bound = test.pop();
        Attempt gone = test.pop();
        Attempt failed = test.pop();
        Attempt late = test.pop();
        Attempt tried = test.pop();
        for (Attempt attempt : List.of(bound, gone, failed, late)) {
            test.queue.accepted(attempt);
            test.queue.accepted(attempt);
        }
        test.change(tainted());

        test.queue.bound(bound);
        test.queue.remove("default/gone", "", test.now());
        test.queue.accepted(gone);
        test.fail(failed);
        test.reject(late, TAINTS);

        assertThat(test.queue.counts().inFlight()).isOne();
        assertThat(test.queue.find("default/bound").isPresent()).isFalse();
        assertThat(test.queue.find("default/gone").isPresent()).isFalse();
        assertThat(test.stateOf("failed")).isEqualTo(QueueState.ERROR_BACKOFF);
        assertThat(test.stateOf("late")).isEqualTo(QueueState.UNSCHEDULABLE);
        assertThat(test.queue.keptChanges())
                .as("for the pod that is still tried")
                .isOne();
        test.reject(tried, TAINTS);
        assertThat(test.stateOf("tried")).isEqualTo(QueueState.BACKOFF);
        assertThat(test.queue.keptChanges()).isZero();
    }

    @Test
    void aPendingPluginsChangeInFlightSkipsTheBackoff() {
        test.add(pod("p").build());
        Attempt attempt = test.pop();
        test.change(labelled("p"));
        test.queue.rejected(attempt, new RejectedBy(Set.of(), Set.of(LABELS)), test.now());

        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
    }

    @Test
    void aPodRemovedInFlightIsWantedNoMoreAndDoesNotComeBack() {
        test.add(pod("p").uid("1").build());
        Attempt attempt = test.pop();
        test.queue.remove("default/p", "2", test.now());
        assertThat(attempt.stillWanted()).isTrue();
        test.queue.remove("default/p", "1", test.now());

        assertThat(attempt.stillWanted()).isFalse();
        test.fail(attempt);
        assertThat(test.queue.find("default/p").isPresent()).isFalse();
        assertThat(test.queue.counts().inFlight()).isZero();
    }

    @Test
    void anActivatedPodSkipsBackoffButNotItsGate() {
        test.add(pod("p").build());
        test.fail(test.pop());
        test.add(pod("gated").schedulingGate("g").build());
        test.queue.activate("default/p", test.now());
        test.queue.activate("default/gated", test.now());

        assertThat(test.stateOf("p")).isEqualTo(QueueState.ACTIVE);
        assertThat(test.stateOf("gated")).isEqualTo(QueueState.GATED);
    }

    @Test
    void countsTellWhoKeepsPodsWaiting() {
        test.add(pod("a").build());
        test.reject(test.pop(), LABELS, TAINTS);
        test.add(pod("b").build());
        test.reject(test.pop(), TAINTS);
        test.add(pod("c").build());

        assertThat(test.queue.counts().unschedulable()).isEqualTo(2);
        assertThat(test.queue.counts().active()).isEqualTo(1);
        assertThat(test.queue.counts().rejected())
                .containsExactly(
                        new QueueCounts.Rejected("default-scheduler", LABELS, 1),
                        new QueueCounts.Rejected("default-scheduler", TAINTS, 2));
        test.next();
        test.change(tainted());
        test.next();
        assertThat(test.queue.counts().rejected())
                .containsExactly(new QueueCounts.Rejected("default-scheduler", TAINTS, 1));
    }

    @Test
    void changesThatNobodyListensToAskNobody() {
        IntStream.range(0, 1_000).forEach(i -> test.add(pod("p" + i).build()));
        IntStream.range(0, 1_000).forEach(i -> test.reject(test.pop(), TAINTS));
        IntStream.range(0, 1_000).forEach(i -> test.change(labelled("p" + i)));

        assertThat(test.hints).isEmpty();
    }

    @Test
    void aPodOfAnotherSchedulerIsNotForThisQueue() {
        assertThatThrownBy(() -> test.add(pod("p").schedulerName("other").build()))
                .hasMessageContaining("asks for scheduler \"other\"");
    }

    /** The pod was turned away at that second, and woken at once. */
    private void rejectAndWake(String name, int priority, double second) {
        test.at(second);
        test.add(pod(name).priority(priority).build());
        test.reject(test.pop(), TAINTS);
        test.change(tainted());
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1_000_000_000L);
    }
}
