package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.Extender;
import io.evenkeel.engine.SchedulerSettings.EngineLimits;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An extender has a say in pods that request its resource; each node takes one pod. */
class ExtenderTest {
    private static final Extender OF_GPUS = GpuExtender.advising("bind");

    private final PlayedScheduler test =
            new PlayedScheduler(configured -> configured.extenders(List.of(OF_GPUS))).withNodes("n1", "n2", "n3");
    private final Pod gpu = gpu("gpu", 0);

    ExtenderTest() {
        test.plugin.filter = node -> node.podCount() == 0 ? Status.SUCCESS : Status.unschedulable("full");
    }

    @AfterEach
    void nothingOfItIsLeftInTheCluster() {
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    private static Pod gpu(String name, int priority) {
        return PodBuilder.from(pod(name, priority))
                .container(GpuExtender.GPU, "1")
                .build();
    }

    private static Pod pod(String name, int priority) {
        return PodBuilder.from(ScriptedPlugin.pod(name)).priority(priority).build();
    }

    private List<Command.AskOfNodes> questions() {
        return test.commands.stream()
                .filter(Command.AskOfNodes.class::isInstance)
                .map(Command.AskOfNodes.class::cast)
                .toList();
    }

    /** Who was asked about, with which nodes. */
    private List<String> asked() {
        return questions().stream()
                .map(question -> question.pod().name() + " "
                        + question.nodes().stream().map(Node::name).toList())
                .toList();
    }

    private List<String> bound() {
        return test.bindings().stream()
                .map(bind -> bind.pod().name() + " " + bind.node())
                .toList();
    }

    private void answer(Answer answer) {
        test.scheduler.handle(
                new SchedulerEvent.ExtendersAnswered(questions().getLast().pod(), answer));
        test.schedule();
    }

    private void leaves(String... nodes) {
        advises(Set.of(nodes), Map.of(), Map.of());
    }

    private void advises(Set<String> left, Map<String, Status> turnedAway, Map<String, Long> scores) {
        answer(new Answer.Advised(new ExtenderAdvice(left, turnedAway, scores)));
    }

    private void fails(String message) {
        answer(new Answer.Failed(message));
    }

    @Test
    void theExtendersAreAskedAboutWhatFiltersLeave() {
        test.put(PodBuilder.from(pod("sits", 0)).nodeName("n2").build());
        test.put(gpu);
        test.schedule();

        assertThat(asked()).containsExactly("gpu [n1, n3]");
        assertThat(test.bindings()).isEmpty();

        leaves("n3");
        assertThat(bound()).containsExactly("gpu n3");
    }

    @Test
    void podsWithoutThemAreNotHeldUp() {
        test.put(gpu("gpu", 9));
        test.put(pod("quick", 0));
        test.put(gpu("other", 5));
        test.schedule();

        assertThat(asked()).containsExactly("gpu [n1, n2, n3]");
        assertThat(bound()).containsExactly("quick n1");
    }

    @Test
    void oneAtATimeIsAtTheExtendersTheMostImportantFirst() {
        test.put(gpu("first", 1));
        test.schedule();
        test.put(gpu("minor", 1));
        test.put(gpu("major", 2));
        test.schedule();
        assertThat(asked()).containsExactly("first [n1, n2, n3]");
        assertThat(test.stateOf(gpu("major", 2))).isEqualTo(QueueState.ACTIVE);

        leaves("n1");
        assertThat(asked()).containsExactly("first [n1, n2, n3]", "major [n2, n3]");
        leaves("n2");
        assertThat(asked()).last().isEqualTo("minor [n3]");
    }

    @Test
    void whatNoLongerFitsIsOut() {
        test.put(gpu);
        test.schedule();
        test.put(pod("quick", 0));
        test.schedule();
        leaves("n1", "n2");

        assertThat(bound()).containsExactly("quick n1", "gpu n2");
    }

    @Test
    void whereOnlyOthersFitByNowTheyAreAskedAboutOnce() {
        test.put(gpu);
        test.schedule();
        test.put(pod("quick", 0));
        test.put(NodeBuilder.node("n4").build());
        test.schedule();
        leaves("n1");
        assertThat(asked()).containsExactly("gpu [n1, n2, n3]", "gpu [n2, n3, n4]");

        test.put(NodeBuilder.node("n5").build());
        advises(Set.of(), Map.of("n3", Status.unresolvable("no GPU")), Map.of());

        assertThat(test.events())
                .singleElement()
                .isEqualTo("FailedScheduling 0/5 nodes are available: 1 full, 1 no GPU.");
    }

    @Test
    void theExtendersScoresAreAdded() {
        test.put(gpu);
        test.schedule();
        advises(Set.of("n1", "n2", "n3"), Map.of(), Map.of("n2", 10L, "n3", 30L, "n9", 90L));

        assertThat(bound()).containsExactly("gpu n3");
    }

    @Test
    void whoIsTurnedAwayReadsTheExtendersReasonsAndIsWokenByAnything() {
        test.put(PodBuilder.from(pod("sits", 0)).nodeName("n1").build());
        test.put(gpu);
        test.schedule();
        advises(Set.of(), Map.of("n2", Status.unschedulable("no GPU"), "n9", Status.unschedulable("?")), Map.of());

        assertThat(test.events()).containsExactly("FailedScheduling 0/3 nodes are available: 1 full, 1 no GPU.");
        assertThat(test.stateOf(gpu)).isEqualTo(QueueState.UNSCHEDULABLE);
        test.put(NodeBuilder.node("n2").label("a", "b").build());
        assertThat(test.stateOf(gpu)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void whatTheExtendersSayOfANodeGoesBeforeWhatFiltersSay() {
        test.put(PodBuilder.from(pod("sits", 0)).nodeName("n1").build());
        test.put(gpu);
        test.schedule();
        Status wrong = Status.unresolvable("wrong rack");
        advises(Set.of(), Map.of("n1", wrong, "n2", wrong, "n3", wrong), Map.of());

        assertThat(test.events()).containsExactly("FailedScheduling 0/3 nodes are available: 3 wrong rack.");
    }

    @Test
    void anExtenderThatFailsIsAnErrorThatIsTriedAgain() {
        test.put(gpu);
        test.schedule();
        fails("the GPUs are on fire");

        assertThat(test.conditions()).containsExactly("SchedulerError the GPUs are on fire");
        assertThat(test.stateOf(gpu)).isEqualTo(QueueState.ERROR_BACKOFF);
        test.at(2);
        assertThat(asked()).hasSize(2);
    }

    @Test
    void aChangeMeanwhileIsNotMissed() {
        test.put(gpu);
        test.schedule();
        test.put(NodeBuilder.node("n1").label("a", "b").build());
        advises(Set.of(), Map.of(), Map.of());

        assertThat(test.events()).containsExactly("FailedScheduling 0/3 nodes are available:");
        assertThat(asked()).hasSize(2);
    }

    @Test
    void ofAPodThatIsGoneNothingIsMade() {
        test.put(gpu);
        test.schedule();
        test.remove(gpu);
        Pod next = gpu("next", 0);
        test.put(next);
        test.schedule();
        leaves("n1");

        assertThat(bound()).isEmpty();
        assertThat(asked()).last().isEqualTo("next [n1, n2, n3]");
        leaves("n1");
        assertThat(bound()).containsExactly("next n1");
    }

    @Test
    void norOfOneThatIsBeingDeleted() {
        test.put(gpu);
        test.schedule();
        test.put(new Pod(gpu.meta().withTerminating(true).withVersion("2", 0), gpu.spec(), gpu.status()));
        leaves("n1");

        assertThat(bound()).isEmpty();
        assertThat(test.events()).containsExactly("FailedScheduling skip schedule deleting pod: default/gpu");
    }

    @Test
    void aPodThatHasChangedIsAskedAboutAnew() {
        test.put(gpu);
        test.schedule();
        Labels labels = Labels.of(Map.of("rack", "r7"));
        test.put(new Pod(gpu.meta().withLabels(labels).withVersion("2", 0), gpu.spec(), gpu.status()));
        leaves("n1");
        assertThat(bound()).isEmpty();
        assertThat(questions().getLast().pod().labels()).isEqualTo(labels);

        leaves("n2");
        assertThat(bound()).containsExactly("gpu n2");
    }

    @Test
    void aNominatedNodeIsAskedAboutAloneFirst() {
        test.put(PodBuilder.from(gpu).nominatedNodeName("n2").build());
        test.schedule();
        assertThat(asked()).containsExactly("gpu [n2]");

        fails("who is n2?");
        assertThat(asked()).containsExactly("gpu [n2]", "gpu [n1, n2, n3]");
        leaves("n3");
        assertThat(bound()).containsExactly("gpu n3");
    }

    @Test
    void whereNoOtherNodeFitsItIsAskedAboutAgainAndTheAttemptEndsOnce() {
        test.plugin.filter = node -> node.name().equals("n2") ? Status.SUCCESS : Status.unschedulable("full");
        List<String> tried = new ArrayList<>();
        var postFilter = test.plugin.postFilter;
        test.plugin.postFilter = (diagnosis, trial) -> {
            tried.add(diagnosis.message());
            return postFilter.apply(diagnosis, trial);
        };
        test.put(PodBuilder.from(gpu).nominatedNodeName("n2").build());
        test.schedule();
        leaves();
        assertThat(asked()).containsExactly("gpu [n2]", "gpu [n2]");
        assertThat(test.events()).isEmpty();

        leaves();
        assertThat(tried).containsExactly("0/3 nodes are available: 2 full.");
        assertThat(test.events()).containsExactly("FailedScheduling 0/3 nodes are available: 2 full.");
    }

    @Test
    void roomIsKeptWhileTheNominatedIsAtTheExtenders() {
        test.put(PodBuilder.from(gpu).nominatedNodeName("n1").build());
        test.schedule();
        test.put(pod("quick", 0));
        test.schedule();
        leaves("n1");

        assertThat(bound()).containsExactly("quick n2", "gpu n1");
    }

    @Test
    void ofWhomNothingFitsTheExtendersAreNotAsked() {
        test.plugin.filter = node -> Status.unschedulable("full");
        test.put(gpu);
        test.schedule();

        assertThat(asked()).isEmpty();
        assertThat(test.events()).containsExactly("FailedScheduling 0/3 nodes are available: 3 full.");
    }

    @Test
    void aDumpTellsWhoIsAtTheExtendersAndWhoWaitsForThem() {
        test.put(gpu("first", 1));
        test.schedule();
        test.put(gpu("minor", 1));

        assertThat(test.scheduler.atExtenders().orElseThrow().pod().name()).isEqualTo("first");
        assertThat(test.scheduler.queue().view())
                .filteredOn(view -> view.state() == QueueState.ACTIVE && view.needsExtenders())
                .hasSize(1);
    }

    @Test
    void bindingsThatAreTheExtendersDoNotHoldUpOthers() {
        PlayedScheduler narrow = new PlayedScheduler(
                new SchedulerSettings(
                        Set.of("Node"),
                        1,
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        EngineLimits.USUAL.cluster(),
                        EngineLimits.USUAL.hints()),
                configured -> configured.extenders(List.of(GpuExtender.onlyBinding())));
        narrow.withNodes("n1", "n2");
        narrow.put(gpu);
        narrow.put(pod("quick", 0));
        narrow.schedule();

        assertThat(narrow.bindings()).hasSize(2);
    }
}
