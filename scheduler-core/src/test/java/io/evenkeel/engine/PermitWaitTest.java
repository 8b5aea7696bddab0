package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WaitingPod;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod has its node, and a plugin makes it wait for its permit. */
class PermitWaitTest {
    private static final int MOST_BINDINGS = 2;

    private final PlayedScheduler test = new PlayedScheduler(new SchedulerSettings(
                    Set.of("Node"),
                    MOST_BINDINGS,
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(5),
                    ClusterLimits.USUAL,
                    HintLimits.USUAL))
            .withNodes("n1", "n2");
    private final Pod pod = ScriptedPlugin.pod("p");

    @BeforeEach
    void waits() {
        test.plugin.permit =
                new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofMillis(90_500));
        test.at(0.25);
        test.put(pod);
        test.schedule();
        assertThat(test.scheduler.cluster().isAssumed(pod.key())).isTrue();
    }

    @Test
    void whenItsTimeIsUpThePluginIsBlamedAndThePodSleeps() {
        String message = "0/1 nodes are available: 1 rejected due to timeout after waiting 1m30.5s at plugin Scripted.";
        assertThat(test.nextDeadline()).isEqualTo(90.75);
        test.at(90.749);
        assertThat(test.events()).isEmpty();

        test.at(90.75);
        assertThat(test.events()).containsExactly("FailedScheduling " + message);
        assertThat(test.conditions()).containsExactly("Unschedulable " + message);
        assertThat(test.attempts).containsExactly("unschedulable 1m30.5s");
        assertThat(test.permitWaits).containsExactly("Unschedulable 1m30.5s");
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.plugin.reserved).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    @Test
    void whatIsReservedIsTakenBackThoughTheNodeIsGoneToo() {
        test.remove(NodeBuilder.node("n1").build());
        test.put(PodBuilder.from(pod).nodeName("elsewhere").build());

        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.plugin.reserved).isEmpty();
    }

    @Test
    void whereSomebodyElseBindsItElsewhereThePlaceThatItHadWakesThoseWhomItHelps() {
        Pod second = ScriptedPlugin.pod("second");
        test.plugin.permit = new PermitPlugin.Result(Status.unschedulable("no room"), Duration.ZERO);
        test.put(second);
        test.schedule();
        assertThat(test.stateOf(second)).isEqualTo(QueueState.UNSCHEDULABLE);

        test.put(PodBuilder.from(pod).nodeName("elsewhere").build());
        assertThat(test.stateOf(second)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void ofSeveralPluginsTheOneThatWaitsLeastDecides() {
        test.patience = new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofSeconds(2));
        test.put(ScriptedPlugin.pod("second"));
        test.schedule();
        test.at(2.25);

        assertThat(test.events())
                .containsExactly("FailedScheduling 0/1 nodes are available: 1 rejected due to timeout after waiting 2s"
                        + " at plugin Patient.");
        assertThat(test.scheduler.onTheirWay()).hasSize(1);
    }

    @Test
    void withItsLastPermitItIsBound() {
        test.patience = new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofSeconds(2));
        test.put(ScriptedPlugin.pod("second"));
        test.schedule();
        WaitingPod second = test.waiting.all().getLast();
        assertThat(second.pendingPlugins()).containsExactly("Scripted", "Patient");
        assertThat(second.node()).isEqualTo("n1");

        second.allow("Patient");
        test.at(2.25);
        assertThat(second.pendingPlugins()).containsExactly("Scripted");
        assertThat(test.nextDeadline()).as("the pods' longer limits").isEqualTo(90.75);
        second.allow("Nobody");
        second.allow("Scripted");
        test.at(3.25);

        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("second");
        assertThat(test.permitWaits).containsExactly("Success 3s");
        test.bindLast();
        assertThat(test.attempts).containsExactly("scheduled 3s");
        assertThat(test.waiting.all()).hasSize(1);
    }

    @Test
    void aPluginAllowsTheOthersOnceTheLastOfThemHasItsNode() {
        test.put(ScriptedPlugin.pod("second"));
        test.schedule();
        test.plugin.permit = PermitPlugin.Result.ALLOW;
        test.plugin.whileAsked = () -> test.waiting.all().forEach(waits -> waits.allow(ScriptedPlugin.NAME));
        test.put(ScriptedPlugin.pod("third"));
        test.schedule();

        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("third", "p", "second");
    }

    @Test
    void aPluginMayRejectAndSoRejectTheOthersToo() {
        Pod second = ScriptedPlugin.pod("second");
        test.put(second);
        test.schedule();
        test.plugin.whileAsked =
                () -> test.waiting.all().forEach(waits -> waits.reject(ScriptedPlugin.NAME, "not without p"));
        test.waiting.all().getFirst().reject(ScriptedPlugin.NAME, "quota is used up");
        test.scheduler.tick();

        assertThat(test.conditions())
                .containsExactly(
                        "Unschedulable 0/1 nodes are available: 1 quota is used up.",
                        "Unschedulable 0/1 nodes are available: 1 not without p.");
        assertThat(List.of(test.stateOf(pod), test.stateOf(second)))
                .as("each woken by the place that the other has left")
                .containsOnly(QueueState.BACKOFF);
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    @Test
    void whatIsSaidOfAPodThatWaitsNoLongerIsNotHeeded() {
        WaitingPod gone = test.waiting.all().getFirst();
        test.at(91);
        test.put(NodeBuilder.node("n2").label("a", "b").build());
        test.at(100);
        test.commands.clear();
        gone.allow(ScriptedPlugin.NAME);
        assertThat(gone.reject(ScriptedPlugin.NAME, "too late")).isFalse();
        assertThat(gone.preempt(ScriptedPlugin.NAME, "too late")).isFalse();
        test.scheduler.tick();

        assertThat(test.waiting.all()).as("it waits anew").hasSize(1).doesNotContain(gone);
        assertThat(test.commands).isEmpty();
    }

    @Test
    void whereOnesTimeIsUpAPluginMayRejectTheOthersAtOnce() {
        test.at(10);
        test.put(ScriptedPlugin.pod("second"));
        test.schedule();
        test.plugin.whileAsked =
                () -> test.waiting.all().forEach(waits -> waits.reject(ScriptedPlugin.NAME, "not without p"));
        test.is(0.25 + 90.5);
        test.scheduler.tick();

        assertThat(test.conditions()).hasSize(2).last().asString().contains("not without p");
    }

    @Test
    void theFirstWordThatDecidesCounts() {
        WaitingPod first = test.waiting.find("p-uid").orElseThrow();
        assertThat(test.waiting.find("other-uid")).isEmpty();
        first.allow("Nobody");
        assertThat(first.pendingPlugins()).containsExactly(ScriptedPlugin.NAME);
        assertThat(first.reject(ScriptedPlugin.NAME, "no")).isTrue();
        assertThat(first.preempt(ScriptedPlugin.NAME, "neither")).isFalse();
        first.allow(ScriptedPlugin.NAME);
        test.scheduler.tick();
        assertThat(test.conditions()).containsExactly("Unschedulable 0/1 nodes are available: 1 no.");
        assertThat(test.waiting.all()).isEmpty();

        test.put(ScriptedPlugin.pod("second"));
        test.schedule();
        WaitingPod second = test.waiting.find("second-uid").orElseThrow();
        second.allow(ScriptedPlugin.NAME);
        assertThat(second.reject(ScriptedPlugin.NAME, "too late")).isFalse();
        test.scheduler.tick();
        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("second");
    }

    @Test
    void whoNamesNoPluginIsRefusedAndThePodWaitsOn() {
        WaitingPod waiting = test.waiting.all().getFirst();
        assertThatThrownBy(() -> waiting.reject(noPlugin(), "no")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> waiting.preempt(noPlugin(), "no")).isInstanceOf(NullPointerException.class);
        test.scheduler.tick();
        assertThat(test.waiting.all()).hasSize(1);
    }

    @SuppressWarnings("NullAway") // as plugins may that are not checked
    private static String noPlugin() {
        return null;
    }

    @Test
    void aTimeLimitOfLessThanNothingIsOverAtOnce() {
        test.plugin.permit = new PermitPlugin.Result(
                new Status(Status.Code.WAIT, List.of()), Duration.ofSeconds(Long.MIN_VALUE / 2));
        Pod hurried = ScriptedPlugin.pod("hurried");
        test.put(hurried);
        test.schedule();
        test.scheduler.tick();

        assertThat(test.conditions()).hasSize(1).first().asString().contains("timeout after waiting 0s");
        assertThat(test.scheduler.cluster().isAssumed(hurried.key())).isFalse();
    }

    @Test
    void oneThatIsPreemptedIsNoFaultOfItsOwnAndTriedAgain() {
        assertThat(test.waiting.all().getFirst().preempt("DefaultPreemption", "preempted"))
                .isTrue();
        test.scheduler.tick();

        assertThat(test.conditions()).containsExactly("SchedulerError waiting on permit for pod: preempted");
        assertThat(test.permitWaits).containsExactly("Error 0s");
        assertThat(test.attempts).containsExactly("error 0s");
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
        assertThat(test.plugin.reserved).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isZero();
    }

    @Test
    void onceAllHaveLetItGoItsDeletionIsTheServersToRefuse() {
        test.waiting.all().getFirst().allow(ScriptedPlugin.NAME);
        test.put(PodBuilder.from(pod).terminating(true).build());

        assertThat(test.conditions()).isEmpty();
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void thePlaceThatItLeavesDoesNotWakeItButOthers() {
        test.plugin.reserve = Status.unschedulable("no room in the books");
        Pod other = ScriptedPlugin.pod("other");
        test.put(other);
        test.schedule();
        assertThat(test.stateOf(other)).isEqualTo(QueueState.UNSCHEDULABLE);

        test.plugin.reserve = Status.SUCCESS;
        test.plugin.permit = PermitPlugin.Result.ALLOW;
        test.at(91);
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.UNSCHEDULABLE);
        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("other");
        test.put(NodeBuilder.node("n2").label("a", "b").build());
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void whatHappensWhileItWaitsWakesItWhereItMayHelp() {
        test.put(NodeBuilder.node("n2").label("a", "b").build());
        test.scheduler.tick();
        test.plugin.permit = PermitPlugin.Result.ALLOW;
        test.at(90.75);

        assertThat(test.events().getFirst()).contains("rejected due to timeout");
        assertThat(test.bindings()).as("taken out of backoff early").hasSize(1);
    }

    @Test
    void podsThatWaitAreNotAmongTheBindingsAllowedAtOnce() {
        for (int i = 0; i < 3 * MOST_BINDINGS; i++) {
            test.put(ScriptedPlugin.pod("waiting-" + i));
        }
        test.schedule();
        assertThat(test.scheduler.onTheirWay()).hasSize(1 + 3 * MOST_BINDINGS);

        test.plugin.permit = PermitPlugin.Result.ALLOW;
        for (int i = 0; i < 3 * MOST_BINDINGS; i++) {
            test.put(ScriptedPlugin.pod("quick-" + i));
        }
        test.schedule();
        assertThat(test.bindings()).hasSize(MOST_BINDINGS);
    }

    @Test
    void aPodThatBeginsToTerminateWaitsNoLongerAndSleepsWhateverHappens() {
        Pod terminating = PodBuilder.from(pod).terminating(true).build();
        test.put(terminating);

        assertThat(test.conditions()).containsExactly("Unschedulable 0/1 nodes are available: 1 removed.");
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        test.put(NodeBuilder.node("n2").label("a", "b").build());
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    @Test
    void aPodThatGoesOrIsBoundBySomebodyElseLeavesItsReservation() {
        Pod second = ScriptedPlugin.pod("second");
        test.put(second);
        test.schedule();
        assertThat(test.plugin.reserved).containsExactly("default/p", "default/second");

        test.remove(pod);
        test.put(PodBuilder.from(second).nodeName("n2").build());
        assertThat(test.plugin.reserved).isEmpty();
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.scheduler.queue().pods()).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isOne();
        assertThat(test.events()).isEmpty();
        assertThat(test.conditions()).isEmpty();
    }
}
