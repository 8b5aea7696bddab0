package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.Rehearsal.Agreement;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.testing.LogLines;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A dry run beside a scheduler whose deeds the test makes up. */
class RehearsalTest {
    private static final String TOO_BIG = "0/1 nodes are available: 1 Insufficient cpu."
            + " no new claims to deallocate, preemption: 0/1 nodes are available:"
            + " 1 Preemption is not helpful for scheduling.";

    private final LogLines log = new LogLines(Rehearsal.class);
    private final LogLines summaries = new LogLines(Agreement.class);
    private final DrivenScheduler scheduler =
            new DrivenScheduler(new ScriptedTransport(_ -> Answers.of(200, "")), LiveObservers.NONE, true);

    @AfterEach
    void end() {
        scheduler.close();
        log.close();
        summaries.close();
    }

    private static NodeBuilder node(String name) {
        return NodeBuilder.node(name).allocatable("cpu", "4", "memory", "8Gi", "pods", "10");
    }

    private static PodBuilder pod(String name) {
        return pod(name, "1");
    }

    private static PodBuilder pod(String name, String cpu) {
        return PodBuilder.pod("default", name).uid("uid-" + name).container("cpu", cpu);
    }

    private static PodStatus rejected(String message) {
        PodCondition condition = new PodCondition("PodScheduled", "False", "Unschedulable", message, "", 0);
        return PodStatusBuilder.from(PodStatus.PENDING).scheduled(condition).build();
    }

    private void otherPlaces(Pod pod, String node) {
        scheduler.put(PodBuilder.from(pod).nodeName(node).build()).settle();
    }

    /** Where the dry run would have it. */
    private String nodeOf(Pod pod) {
        return scheduler
                .live()
                .loop()
                .ask(asked -> asked.onTheirWay().stream()
                        .filter(way -> way.pod().key().equals(pod.key()))
                        .map(Scheduler.OnItsWay::node)
                        .findFirst()
                        .orElseThrow())
                .join();
    }

    private String summary() {
        scheduler.live().close();
        return summaries.lines().getLast();
    }

    @Test
    void theVerdictOnAPodThatFitsNowhereIsSaidAlsoWhereItsConditionSaysSoAlready() {
        Pod big = pod("big", "9").status(rejected(TOO_BIG)).build();
        scheduler.leads(node("n1").build(), big);

        assertThat(log.lines())
                .containsExactly("INFO Would leave waiting [pod=\"default/big\", message=\"" + TOO_BIG + "\"]");
    }

    @Test
    void theSameVerdictIsSaidOnceHoweverOftenThePodIsTried() {
        Rehearsal rehearsal = new Rehearsal(() -> 0);
        for (String message : List.of("0/1 nodes", "0/1 nodes", "0/2 nodes")) {
            rehearsal.decided(
                    new Command.RecordEvent(pod("web").build(), ObjectEvent.failedScheduling(message, "evenkeel")));
        }

        assertThat(log.lines())
                .containsExactly(
                        "INFO Would leave waiting [pod=\"default/web\", message=\"0/1 nodes\"]",
                        "INFO Would leave waiting [pod=\"default/web\", message=\"0/2 nodes\"]");
    }

    @Test
    void theSameNodeIsAnAgreement() {
        Pod web = pod("web").build();
        scheduler.leads(node("n1").build(), web);
        otherPlaces(web, "n1");

        assertThat(log.lines())
                .containsExactly("INFO Another scheduler chose the same node [pod=\"default/web\", node=\"n1\"]");
        assertThat(summary()).contains("sameNode=\"1\", asGood=\"0\"");
    }

    @Test
    void anotherNodeMayBeAsGood() {
        Pod web = pod("web").build();
        scheduler.leads(node("n1").build(), node("n2").build(), web);
        String ours = nodeOf(web);
        String theirs = ours.equals("n1") ? "n2" : "n1";
        otherPlaces(web, theirs);

        assertThat(log.lines())
                .containsExactly("INFO Another scheduler chose another node [pod=\"default/web\", node=\"" + theirs
                        + "\", there=\"as good as any\", instead=\"" + ours + "\"]");
        assertThat(summary()).contains("sameNode=\"0\", asGood=\"1\"");
    }

    @Test
    void orFitAndScoreLess() {
        Pod web = pod("web").build();
        scheduler.leads(
                node("n1").build(),
                node("n2").build(),
                pod("old").schedulerName("else").nodeName("n2").build(),
                web);
        otherPlaces(web, "n2");

        assertThat(log.lines())
                .singleElement()
                .asString()
                .containsPattern("node=\"n2\", there=\"fits, scores \\d+ where the best scores \\d+\", instead=\"n1\"");
        assertThat(summary()).contains("lowerScore=\"1\"");
    }

    @Test
    void orNotFitAtAll() {
        Pod web = pod("web").build();
        scheduler.leads(node("n1").build(), node("n2").unschedulable(true).build(), web);
        otherPlaces(web, "n2");

        assertThat(log.lines())
                .singleElement()
                .asString()
                .contains("there=\"does not fit: node(s) were unschedulable\", instead=\"n1\"");
        assertThat(summary()).contains("unfit=\"1\"");
    }

    @Test
    void theOthersNodeIsJudgedWithoutThePodsThatOnlyTheDryRunHasPlaced() {
        Pod one = pod("one", "3").build();
        Pod two = pod("two", "3").build();
        scheduler.leads(node("n1").build(), node("n2").build(), one, two);
        otherPlaces(one, nodeOf(two));

        assertThat(log.lines()).singleElement().asString().contains("there=\"as good as any\"");
    }

    @Test
    void aPodThatTheOtherPlacesAndOneThatItLeavesWaitingAreToldApart() {
        Pod big = pod("big", "9").build();
        Pod web = pod("web").build();
        scheduler.leads(node("n1").build(), big, web);
        Pod waiting = PodBuilder.from(web).status(rejected("0/1 nodes")).build();
        scheduler.put(waiting, waiting).settle();
        otherPlaces(big, "n1");

        assertThat(log.lines().subList(1, 3))
                .containsExactly(
                        "INFO Another scheduler leaves a pod waiting that would be placed"
                                + " [pod=\"default/web\", message=\"0/1 nodes\"]",
                        "INFO Another scheduler placed a pod that would be left waiting [pod=\"default/big\","
                                + " node=\"n1\", there=\"does not fit: Insufficient cpu\", instead=\"" + TOO_BIG
                                + "\"]");
        assertThat(summary()).contains("unfit=\"1\", leftWaiting=\"1\"");
    }

    @Test
    void whereThereIsNoOtherSchedulerNothingIsCompared() {
        scheduler.leads(node("n1").build(), pod("web").build());
        scheduler.live().close();

        assertThat(List.of(log.lines(), summaries.lines())).allMatch(List::isEmpty);
    }
}
