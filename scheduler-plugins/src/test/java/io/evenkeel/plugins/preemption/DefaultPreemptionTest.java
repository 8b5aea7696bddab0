package io.evenkeel.plugins.preemption;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two nodes of 2 cpus; pods of 1 or 2 have taken them. */
class DefaultPreemptionTest {
    private static final Pod HIGH =
            pod("high").priority(9).container("cpu", "2").build();

    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);

    DefaultPreemptionTest() {
        engine.put(node("n1").allocatable("cpu", "2", "pods", "9").build());
        engine.put(node("n2").allocatable("cpu", "2", "pods", "9").build());
    }

    @Test
    void thePodOfLowestPriorityGoes() {
        put(low("a").nodeName("n1").priority(3), low("b").nodeName("n2").priority(2));

        assertThat(victimsFor(HIGH)).isEqualTo("n2 b");
        assertThat(messageFor(HIGH)).isEqualTo("0/2 nodes are available: 2 Insufficient cpu.");
    }

    @Test
    void onlyWhoIsInTheWayGoesAndTheMostImportantStay() {
        engine.put(node("n2").allocatable("cpu", "1", "pods", "9").build());
        put(
                low("a", "1").nodeName("n1").priority(1),
                low("b", "500m").nodeName("n1").priority(1).status(startedAt("2026-01-01T00:00:00Z")),
                low("c", "500m").nodeName("n1").priority(2));

        assertThat(victimsFor(pod("small").priority(9).container("cpu", "1500m").build()))
                .as("the most important first")
                .isEqualTo("n1 b a");
        assertThat(victimsFor(pod("tiny").priority(9).container("cpu", "1").build()))
                .as("n2 is free")
                .isEmpty();
    }

    @Test
    void whoHasRunLongerStays() {
        put(
                low("old").nodeName("n1").status(startedAt("2025-12-31T00:00:00Z")),
                low("new").nodeName("n2").status(startedAt("2026-01-01T00:00:00Z")));
        assertThat(victimsFor(HIGH)).isEqualTo("n2 new");

        put(low("old").nodeName("n1"));
        assertThat(victimsFor(HIGH)).as("has not started").isEqualTo("n1 old");
    }

    @Test
    void aBudgetThatIsUsedUpSaysMoreThanPriorities() {
        put(
                low("a").nodeName("n1").priority(1).label("app", "a"),
                low("b").nodeName("n2").priority(8));
        engine.put(budget("a", 1));
        assertThat(victimsFor(HIGH)).isEqualTo("n1 a");

        engine.put(budget("a", 0));
        assertThat(victimsFor(HIGH)).isEqualTo("n2 b");

        engine.put(new PodDisruptionBudget(ObjectMeta.named("default", "a"), selecting("a"), 0, Set.of("a")));
        assertThat(victimsFor(HIGH)).as("counted when it was evicted").isEqualTo("n1 a");
    }

    /** Agrees to an empty node once. */
    private static final class Fickle implements FilterPlugin {
        private boolean hasAgreed;

        @Override
        public String name() {
            return "Fickle";
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            boolean agrees = node.podCount() == 0 && !hasAgreed;
            hasAgreed |= agrees;
            return agrees ? Status.SUCCESS : Status.unschedulable("not now");
        }
    }

    @Test
    void aFilterThatDoesNotSayTheSameTwiceIsNotAskedTwice() {
        Profile profile = Profile.completed(
                Profile.DEFAULT_SCHEDULER_NAME,
                OptionalInt.empty(),
                Plugins.NONE.with(
                        ExtensionPoint.MULTI_POINT, new PluginSet(List.of(EnabledPlugin.of("Fickle")), List.of())),
                Map.of());
        Engine asking = new Engine(
                SchedulerConfiguration.defaults().toBuilder()
                        .profiles(List.of(profile))
                        .build(),
                InTreePlugins.registry().with(List.of(PluginFactory.of("Fickle", Fickle.class, _ -> new Fickle()))),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        asking.put(node("n1").allocatable("cpu", "2", "pods", "9").build());
        asking.put(low("a").nodeName("n1").build());

        assertThat(((Decision.Unschedulable) asking.decide(HIGH)).victims())
                .extracting(Pod::name)
                .containsExactly("a");
    }

    @Test
    void aBudgetForEverythingProtectsNothing() {
        put(
                low("a").nodeName("n1").priority(1).label("app", "a"),
                low("b").nodeName("n2").priority(8));
        engine.put(new PodDisruptionBudget(ObjectMeta.named("default", "all"), LabelSelector.EVERYTHING, 0, Set.of()));

        assertThat(victimsFor(HIGH)).isEqualTo("n1 a");
    }

    @Test
    void whereNobodyMayGoItIsSaidForEachNode() {
        engine.put(node("n3").allocatable("cpu", "1", "pods", "9").build());
        engine.put(node("n4")
                .allocatable("cpu", "9", "pods", "9")
                .taint("t", "", TaintEffect.NO_SCHEDULE)
                .build());
        put(
                low("a").nodeName("n1").priority(9),
                low("b").nodeName("n2").priority(9),
                low("c", "1").nodeName("n2"));

        assertThat(victimsFor(HIGH)).isEmpty();
        assertThat(messageFor(HIGH))
                .isEqualTo("0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu."
                        + " no new claims to deallocate, preemption: 0/4 nodes are available: 1 Insufficient cpu,"
                        + " 1 No preemption victims found for incoming pod,"
                        + " 2 Preemption is not helpful for scheduling.");
    }

    @Test
    void whereNobodyIsLessImportantAndNothingWouldHelpNoVictimsAreMissed() {
        engine.put(node("n1").taint("t", "", TaintEffect.NO_SCHEDULE).build());
        engine.put(node("n2").taint("t", "", TaintEffect.NO_SCHEDULE).build());

        assertThat(messageFor(HIGH))
                .isEqualTo("0/2 nodes are available: 2 node(s) had untolerated taint(s). no new claims to deallocate,"
                        + " preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.");
    }

    @Test
    void aPodMayWaitRatherThanPreempt() {
        put(low("a").nodeName("n1"), low("b").nodeName("n2"));

        assertThat(messageFor(PodBuilder.from(HIGH).preempts(false).build()))
                .endsWith("preemption: not eligible due to preemptionPolicy=Never.");
    }

    @Test
    void nobodyElseGoesWhileThoseWhoWereSentAreOnTheirWay() {
        Pod nominated = PodBuilder.from(HIGH).nominatedNodeName("n1").build();
        put(low("a").nodeName("n1").terminating(true).status(preempted()), low("b").nodeName("n2"));
        assertThat(messageFor(nominated))
                .endsWith("preemption: not eligible due to a terminating pod on the nominated node.");

        put(low("a").nodeName("n1").terminating(true));
        assertThat(victimsFor(nominated)).as("deleted by somebody else").isEqualTo("n1 a");

        put(low("a").nodeName("n1").terminating(true).status(preempted()));
        engine.put(node("n1").allocatable("cpu", "1", "pods", "9").build());
        assertThat(victimsFor(nominated)).as("n1 has become too small").isEqualTo("n2 b");
    }

    private String victimsFor(Pod pod) {
        return engine.decide(pod) instanceof Decision.Unschedulable no
                ? no.victims().stream()
                        .map(victim -> " " + victim.meta().name())
                        .reduce(no.nominatedNode().orElse(""), String::concat)
                : "";
    }

    private String messageFor(Pod pod) {
        return ((Decision.Unschedulable) engine.decide(pod)).diagnosis().message();
    }

    private void put(PodBuilder... pods) {
        List.of(pods).forEach(pod -> engine.put(pod.build()));
    }

    private static PodBuilder low(String name) {
        return low(name, "2");
    }

    private static PodBuilder low(String name, String cpu) {
        return pod(name).uid(name).container("cpu", cpu);
    }

    private static PodStatus startedAt(String time) {
        return PodStatusBuilder.running().startTime(time).build();
    }

    private static PodStatus preempted() {
        return PodStatusBuilder.from(PodStatus.PENDING)
                .disruptionTarget(new PodCondition(
                        "DisruptionTarget", "True", "PreemptionByScheduler", "goes for another", "", 0))
                .build();
    }

    private static PodDisruptionBudget budget(String app, int disruptionsAllowed) {
        return new PodDisruptionBudget(ObjectMeta.named("default", app), selecting(app), disruptionsAllowed, Set.of());
    }

    private static LabelSelector selecting(String app) {
        return LabelSelector.matchingLabels(Labels.of("app", app));
    }
}
