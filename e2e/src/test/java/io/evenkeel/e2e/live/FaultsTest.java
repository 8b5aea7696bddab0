package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.Faults;
import io.evenkeel.hollow.Faults.HeldRequests;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.model.json.Trees;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotated;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@OnClusters(HOLLOW)
@Rotated(2)
class FaultsTest {
    private static final int PODS = 100;
    private static final RequestMatch BINDINGS = new RequestMatch("create", "pods/binding");

    enum Trouble {
        TOO_MANY_REQUESTS,
        INTERNAL_ERRORS,
        LOST_ANSWERS,
        LOST_REQUESTS,
        LOST_CONNECTIONS,
        DOUBLED_EVENTS;

        void begin(Faults faults) {
            switch (this) {
                case TOO_MANY_REQUESTS -> faults.refuseShare(0.3, BINDINGS, 429, 0);
                case INTERNAL_ERRORS -> faults.refuseShare(0.2, BINDINGS, 500, 0);
                case LOST_ANSWERS -> faults.dropShareOfAnswers(0.3, BINDINGS);
                case LOST_REQUESTS -> faults.dropNextRequests(PODS / 5, BINDINGS);
                case LOST_CONNECTIONS -> faults.breakNextConnections(PODS / 5, BINDINGS);
                case DOUBLED_EVENTS -> faults.watchEvents(0, 0.5);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void allPodsAreBoundOnceWhateverBecomesOfTheirBindings(Trouble trouble, Scene scene) {
        scene.zones(2, 5);
        trouble.begin(scene.hollow().faults());
        scene.scheduler(
                scene.configuration("", "{leaderElection: {leaderElect: false}, podMaxBackoffSeconds: 1}"),
                LiveOptions.usual("e2e"));
        scene.pods("web", PODS, "");
        scene.awaitAllBound(PODS);
        BindingLog.assertNothingBoundTwice(scene);
    }

    @Test
    void aBindingWhoseAnswerIsLostIsLookedUpAndNotCalledAFailure(Scene scene) {
        scene.node("a1", "");
        scene.scheduler();
        Faults faults = scene.hollow().faults();
        HeldRequests held = faults.hold(BINDINGS);
        faults.dropNextAnswers(1, BINDINGS);
        scene.pod("web", "");
        eventually("the binding is on its way").until(() -> held.waiting() == 1);
        // else the watch would tell first
        faults.watchEvents(1, 0);
        held.letOn();
        eventually("its success is told")
                .untilAsserted(() -> assertThat(scene.events("web"))
                        .extracting(event -> Trees.text(event, "reason"))
                        .containsExactly("Scheduled"));
        BindingLog.assertNothingBoundTwice(scene);
    }

    @ParameterizedTest
    @EnumSource
    void aBindingThatTheServerFailsAtIsAFailureOnlyAt136(CompatibilityLevel level, Scene scene) {
        scene.node("a1", "");
        scene.hollow().faults().refuseNext(1, BINDINGS, 500, 0);
        SchedulerConfiguration configuration = scene.configuration("").toBuilder()
                .featureGates(FeatureGates.DEFAULTS.at(level))
                .build();
        scene.scheduler(configuration, LiveOptions.usual("e2e"));
        scene.pod("web", "");
        scene.awaitBound("web");

        String[] told = level == CompatibilityLevel.V1_36
                ? new String[] {"FailedScheduling", "Scheduled"}
                : new String[] {"Scheduled"};
        eventually("all is told")
                .untilAsserted(() -> assertThat(scene.events("web"))
                        .extracting(event -> Trees.text(event, "reason"))
                        .containsExactlyInAnyOrder(told));
        BindingLog.assertNothingBoundTwice(scene);
    }

    @Test
    void whoDoesNotKnowTheClusterLeavesTheLeaseToOthers(Scene scene) {
        Faults faults = scene.hollow().faults();
        faults.refuseShare(1, new RequestMatch("*", "services"), 403, 0);
        scene.hollow().requestLog().clear();
        SchedulerUnderTest scheduler = scene.scheduler(
                scene.configuration("", "leaderElection: {leaderElect: true, resourceName: the-lease}"),
                LiveOptions.usual("blind"));
        eventually("it knows all but one kind, of which it is told nothing")
                .until(() -> scheduler.live().watchStatuses().stream()
                        .allMatch(watch -> watch.synced() != watch.kind().equals("Service")
                                && (watch.synced() || watch.errors() > 1)));
        assertThat(scene.hollow().requestLog().requests())
                .noneMatch(request -> request.attributes().resource().equals("leases"));
        faults.clear();
        eventually("it leads").until(() -> scheduler.live().isLeading());
    }

    @Test
    void aDryRunWritesNothing(Scene scene) {
        scene.node("a1", "allocatable: {cpu: 1}");
        scene.hollow().requestLog().clear();
        SchedulerUnderTest scheduler = scene.scheduler(
                        scene.configuration(""), new LiveOptions(true, false, Duration.ofMinutes(5), "dry"))
                .awaitSynced();
        scene.pod("fits", "");
        scene.pod("too-big", "requests: {cpu: 2}");
        assertThat(scheduler.attemptsOf(scene.key("fits"))).isEqualTo(1);
        eventually("the other is not")
                .until(() -> scheduler
                        .queued(scene.key("too-big"))
                        .filter(entry -> entry.state() == QueueState.UNSCHEDULABLE)
                        .isPresent());
        assertThat(scene.hollow().requestLog().requests().stream()
                        .filter(request -> request.user().equals("system:kube-scheduler"))
                        .map(request -> request.attributes().verb()))
                .isNotEmpty()
                .allMatch(Set.of("get", "list", "watch")::contains);
        assertThat(scene.pods().placements()).isEmpty();
    }
}
