package io.evenkeel.plugins.live;

import static io.evenkeel.model.build.NodeBuilder.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three nodes of 2 cpus, full of pods a, b and c; an extender has a say in who goes for pods that want a license. */
class ExtendersVictimsTest {
    private static final String ONLY_PREEMPTS =
            "{urlPrefix: http://x, preemptVerb: preempt, managedResources: [{name: l/l, ignoredByScheduler: true}]}";

    private PlayedCluster cluster = with(ONLY_PREEMPTS, "");

    private final Pod a = PodBuilder.from(pod("a", 1)).nodeName("n1").build();
    private final Pod b = PodBuilder.from(pod("b", 2)).nodeName("n2").build();
    private final Pod c = PodBuilder.from(pod("c", 3)).nodeName("n3").build();
    private final Pod urgent = licensed("urgent", 9);

    private static final String FILTERS = "{urlPrefix: http://x, filterVerb: filter, nodeCacheCapable: true,"
            + " managedResources: [{name: l/l, ignoredByScheduler: true}]";

    private PlayedCluster with(String extender, String fields) {
        return with(CompatibilityLevel.FIRST, extender, fields);
    }

    private PlayedCluster with(CompatibilityLevel level, String extender, String fields) {
        cluster = new PlayedCluster(level, "extenders: [" + extender + "]\n" + fields);
        for (String name : List.of("n1", "n2", "n3")) {
            cluster.put(node(name).allocatable("cpu", "2", "pods", "9").build());
        }
        return cluster;
    }

    private static Pod pod(String name, int priority) {
        return PodBuilder.pod(name)
                .uid(name)
                .priority(priority)
                .container("cpu", "2")
                .build();
    }

    private static Pod licensed(String name, int priority) {
        return PodBuilder.from(pod(name, priority)).container("l/l", "1").build();
    }

    @AfterEach
    void nothingOfItIsLeftInTheCluster() {
        assertThat(cluster.differences()).isEmpty();
    }

    private void answer(Answer answer) {
        cluster.tell(new SchedulerEvent.ExtendersAnswered(urgent, answer));
    }

    private void leave(PreemptionCandidate... candidates) {
        answer(new Answer.VictimsChosen(List.of(candidates)));
    }

    private static PreemptionCandidate from(String node, Pod... victims) {
        return new PreemptionCandidate(node, List.of(victims), 0);
    }

    /** What was asked, the pod first. */
    private List<String> asked() {
        return cluster.given(Command.AskOfVictims.class).stream()
                .map(question -> question.pod().name() + " "
                        + question.candidates().stream()
                                .map(each -> each.node() + "=" + PlayedCluster.names(each.victims()))
                                .toList())
                .toList();
    }

    @Test
    void theyAreAskedAboutTheBestCandidatesFirstAndNobodyGoesBefore() {
        cluster.put(a, b, c, urgent);

        assertThat(asked()).containsExactly("urgent [n1=[a], n2=[b], n3=[c]]");
        assertThat(cluster.given(Command.AskOfVictims.class).getFirst().podsByNode())
                .containsEntry("n1", List.of(a))
                .containsOnlyKeys("n1", "n2", "n3");
        assertThat(cluster.scheduler().atExtenders().orElseThrow().nodeCount()).isEqualTo(3);
        assertThat(cluster.evicted()).isEmpty();

        leave(from("n3", c), from("n2", b));
        assertThat(cluster.evicted()).containsExactly("b");
        assertThat(cluster.given(Command.PatchStatus.class).getLast().nominatedNodeName())
                .hasValue("n2");
    }

    @Test
    void noMoreThanAShortlistIsAskedAbout() {
        with(
                ONLY_PREEMPTS,
                "profiles: [{pluginConfig: [{name: DefaultPreemption,"
                        + " args: {minCandidateNodesPercentage: 70, minCandidateNodesAbsolute: 1}}]}]");
        cluster.put(a, b, c, urgent);

        assertThat(asked()).containsExactly("urgent [n1=[a], n2=[b]]");
    }

    @Test
    void theShortlistIsOfNodesWhereOthersMayGoAndHasOneAtLeast() {
        with(
                ONLY_PREEMPTS,
                "profiles: [{pluginConfig: [{name: DefaultPreemption,"
                        + " args: {minCandidateNodesPercentage: 25, minCandidateNodesAbsolute: 0}}]}]");
        for (String name : List.of("n4", "n5", "n6", "n7", "n8")) {
            cluster.put(node(name)
                    .allocatable("cpu", "2", "pods", "9")
                    .unschedulable(true)
                    .build());
        }
        cluster.put(a, b, c, urgent);

        assertThat(asked()).as("a quarter of three, not of eight").containsExactly("urgent [n1=[a]]");
    }

    @Test
    void othersOfTheNodesPodsGoWhereTheySaySo() {
        Pod aside = PodBuilder.pod("aside").uid("aside").nodeName("n1").build();
        cluster.put(a, aside, b, c, urgent);
        leave(from("n1", a, aside), from("n3", c));

        assertThat(cluster.evicted()).as("priority 1 before 3").containsExactlyInAnyOrder("a", "aside");
    }

    @Test
    void violationsAreTheirsToCount() {
        cluster.put(a, b, c, urgent);
        leave(new PreemptionCandidate("n1", List.of(a), Long.MAX_VALUE), from("n3", c));

        assertThat(cluster.evicted()).containsExactly("c");
    }

    @Test
    void whereTheyLeaveNothingNobodyGoesAndTheyAreAskedOnce() {
        cluster.put(a, b, c, urgent);
        leave();

        assertThat(asked()).hasSize(1);
        assertThat(cluster.evicted()).isEmpty();
        assertThat(cluster.message())
                .isEqualTo("0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate,"
                        + " preemption: no candidate node for preemption");
    }

    @Test
    void whereOneFailsNobodyGoes() {
        cluster.put(a, b, c, urgent);
        answer(new Answer.Failed("out of licenses"));

        assertThat(cluster.evicted()).isEmpty();
        assertThat(cluster.message())
                .isEqualTo("0/3 nodes are available: 3 Insufficient cpu. preemption: out of licenses");
    }

    @Test
    void whereTheyLeaveNothingAnythingThatChangesHasThemAskedAnew() {
        cluster.put(a, b, c, urgent);
        leave();
        cluster.put(node("n1")
                .label("some", "change")
                .allocatable("cpu", "2", "pods", "9")
                .build());
        cluster.aMinutePasses();

        assertThat(asked()).hasSize(2);
    }

    @Test
    void whereOneFailsThePodIsTriedAgainThoughNothingChanges() {
        cluster.put(a, b, c, urgent);
        answer(new Answer.Failed("out of licenses"));
        cluster.aMinutePasses();
        assertThat(asked()).hasSize(2);

        leave(from("n2", b));
        assertThat(cluster.evicted()).containsExactly("b");
    }

    @Test
    void aPodThatHasChangedIsAskedAboutAnew() {
        cluster.put(a, b, c, urgent);
        cluster.put(PodBuilder.from(urgent).label("other", "label").build());
        leave(from("n1", a));
        assertThat(cluster.evicted()).isEmpty();
        assertThat(asked()).hasSize(2);
    }

    @Test
    void oneThatChangesFasterThanTheyAnswerEndsItsTurnAllTheSame() {
        cluster.put(a, b, c, urgent);
        for (int i = 0; i < 3; i++) {
            cluster.put(PodBuilder.from(urgent).label("n", "" + i).build());
            leave(from("n1", a));
        }

        assertThat(asked()).hasSize(2);
        assertThat(cluster.evicted()).containsExactly("a");
    }

    @Test
    void anAnswerAboutAnotherPodIsNone() {
        cluster.put(a, b, c, urgent);
        cluster.tell(new SchedulerEvent.ExtendersAnswered(a, new Answer.VictimsChosen(List.of(from("n1", a)))));
        assertThat(cluster.evicted()).isEmpty();

        leave(from("n2", b));
        assertThat(cluster.evicted()).containsExactly("b");
    }

    @Test
    void onlyThosePodsGoThatAreStillOnTheNode() {
        Pod small = PodBuilder.pod("small").uid("small").nodeName("n1").build();
        cluster.put(a, b, c, small, urgent);
        cluster.removeQuietly(small);
        cluster.put(PodBuilder.from(small).nodeName("n3").build());
        leave(from("n1", a, small));

        assertThat(cluster.evicted()).containsExactly("a");
    }

    @Test
    void aNodeWhereABudgetIsUsedUpByNowCountsNot() {
        cluster.put(PodBuilder.from(a).label("app", "a").build(), b, c, urgent);
        cluster.put(new PodDisruptionBudget(
                ObjectMeta.named("default", "a"), LabelSelector.matchingLabels(Map.of("app", "a")), 0, Set.of()));
        leave(from("n1", a), from("n2", b));

        assertThat(cluster.evicted()).containsExactly("b");
    }

    @Test
    void roomThatIsThereMeanwhileIsTaken() {
        cluster.put(a, b, c, urgent);
        cluster.removeQuietly(b);
        leave(from("n1", a));

        assertThat(cluster.evicted()).isEmpty();
        assertThat(cluster.bound()).containsExactly("urgent n2");
    }

    @Test
    void whatTheySayOfANodeThatHasChangedCountsNot() {
        cluster.put(a, b, c, urgent);
        cluster.removeQuietly(a);
        cluster.put(PodBuilder.from(pod("d", 0)).nodeName("n1").build());
        leave(from("n1", a), from("n3", c));

        assertThat(cluster.evicted()).containsExactly("c");
    }

    @Test
    void whereAllHasChangedTheyAreAskedOnceMore() {
        cluster.put(a, b, c, urgent);
        cluster.removeQuietly(a);
        cluster.put(PodBuilder.from(pod("d", 0)).nodeName("n1").build());
        leave(from("n1", a));
        assertThat(asked()).containsExactly("urgent [n1=[a], n2=[b], n3=[c]]", "urgent [n1=[d], n2=[b], n3=[c]]");

        cluster.removeQuietly(pod("d", 0));
        cluster.put(PodBuilder.from(pod("e", 0)).nodeName("n1").build());
        leave(from("n1", pod("d", 0)));
        assertThat(cluster.evicted()).isEmpty();
        assertThat(cluster.given(Command.RecordEvent.class))
                .as("the attempt has ended")
                .hasSize(1);
        assertThat(asked()).as("in the next").last().isEqualTo("urgent [n1=[e], n2=[b], n3=[c]]");
    }

    @Test
    void aNodeThatIsGoneCountsNot() {
        cluster.put(a, b, c, urgent);
        cluster.removeQuietly(node("n1").build());
        leave(from("n1", a), from("n2", b));

        assertThat(cluster.evicted()).containsExactly("b");
    }

    @Test
    void ofAPodThatIsGoneNothingIsMade() {
        cluster.put(a, b, c, urgent);
        cluster.removeQuietly(urgent);
        leave(from("n1", a));

        assertThat(cluster.evicted()).isEmpty();
        assertThat(cluster.scheduler().atExtenders()).isEmpty();
    }

    @Test
    void podsWithoutThemAreNotHeldUpAndThoseWithThemTakeTurns() {
        cluster.put(a, b, c, urgent);
        cluster.put(pod("quick", 10), licensed("next", 8));

        assertThat(cluster.evicted()).as("for quick").containsExactly("a");
        assertThat(asked()).hasSize(1);
        leave(from("n1", a), from("n2", b));
        assertThat(cluster.evicted()).containsExactly("a", "b");
        assertThat(asked()).last().isEqualTo("next [n3=[c]]");
    }

    /** {@link Difference#EXTENDERS_NAME_VICTIMS}. */
    @ParameterizedTest
    @EnumSource
    void from138OnTheyMayNameWhoHasWhatThePodLacks(CompatibilityLevel level) {
        with(level, FILTERS + ", preemptVerb: preempt}", "");
        Pod small = PodBuilder.pod("small").uid("small").nodeName("n1").build();
        cluster.put(small, b, c, urgent);
        noLicenseOnN1();

        if (level == CompatibilityLevel.V1_38) {
            assertThat(asked()).as("last, as it may be nobody").containsExactly("urgent [n2=[b], n3=[c], n1=[]]");
            leave(from("n1", small), from("n2", b));
            assertThat(cluster.evicted()).containsExactly("small");
            assertThat(cluster.message()).endsWith("on node n1, preempting 1 victims");
        } else {
            assertThat(asked()).as("on n1 nobody is in the way").containsExactly("urgent [n2=[b], n3=[c]]");
        }
    }

    private void noLicenseOnN1() {
        answer(new Answer.Advised(
                new ExtenderAdvice(Set.of(), Map.of("n1", Status.unschedulable("no license")), Map.of())));
    }

    /** By the reference's words, where nobody could go anyway. */
    @ParameterizedTest
    @EnumSource
    void whereOnlyAnExtenderIsAgainstItIsNoErrorFrom138On(CompatibilityLevel level) {
        for (String preempts : List.of("", ", preemptVerb: preempt")) {
            with(level, FILTERS + preempts + "}", "");
            Pod small = PodBuilder.pod("small").uid("small").nodeName("n1").build();
            cluster.put(small, urgent);
            answer(new Answer.Advised(new ExtenderAdvice(
                    Set.of(),
                    Map.of(
                            "n1", Status.unschedulable("no license"),
                            "n2", Status.unresolvable("no reader"),
                            "n3", Status.unresolvable("no reader")),
                    Map.of())));
            if (level == CompatibilityLevel.V1_38 && !preempts.isEmpty()) {
                assertThat(asked()).containsExactly("urgent [n1=[]]");
                leave();
            }

            assertThat(asked()).hasSize(level == CompatibilityLevel.V1_38 && !preempts.isEmpty() ? 1 : 0);
            assertThat(cluster.evicted()).isEmpty();
            assertThat(cluster.message()).endsWith(whyNobodyGoes(level, !preempts.isEmpty()));
        }
    }

    private static String whyNobodyGoes(CompatibilityLevel level, boolean preempts) {
        if (level != CompatibilityLevel.V1_38) {
            return "preemption: expected at least one victim pod on node \"n1\"";
        }
        return preempts
                ? "preemption: no candidate node for preemption"
                : "preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod,"
                        + " 2 Preemption is not helpful for scheduling.";
    }

    @Test
    void whoHasBeenToldOfNodesIsAskedOfVictimsNext() {
        with(FILTERS + ", preemptVerb: preempt}", "");
        cluster.put(PodBuilder.pod("small").uid("small").nodeName("n1").build(), b, c, urgent);
        noLicenseOnN1();

        assertThat(asked()).as("on n1 nobody is in the way").containsExactly("urgent [n2=[b], n3=[c]]");
        leave(from("n3", c));
        assertThat(cluster.given(Command.AskOfNodes.class)).as("not anew").hasSize(1);
        assertThat(cluster.evicted()).containsExactly("c");
        cluster.tell(new CommandResult.Evicted(c));
        cluster.put(PodBuilder.from(urgent).nominatedNodeName("n3").build());
        cluster.removeQuietly(c);
        cluster.aMinutePasses();
        assertThat(cluster.given(Command.AskOfNodes.class).getLast().nodes())
                .extracting(Node::name)
                .containsExactly("n3");
    }
}
