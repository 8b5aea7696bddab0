package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PostFilterPlugin.Result;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node takes no pod beside others, and has two; for a third these are to go. */
class PreemptionTest {
    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1");
    private final Pod first = placed("first");
    private final Pod second = placed("second");
    private final Pod urgent = pod("urgent", 9);

    PreemptionTest() {
        test.plugin.filter = node -> node.podCount() == 0 ? Status.SUCCESS : Status.unschedulable("taken");
        test.plugin.postFilter = (_, _) -> Result.preempt("n1", List.of(first, second));
        test.put(first);
        test.put(second);
        test.put(urgent);
    }

    @AfterEach
    void whatIsKeptIsWhatARecountFinds() {
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    @Test
    void thoseThatGoAreMarkedAndDeletedAndTheirUsersToldForWhom() {
        test.schedule();
        assertThat(test.evictions()).extracting(Command.Evict::pod).containsExactly(first, second);
        assertThat(test.evictions()).extracting(Command.Evict::preemptor).containsOnly(urgent);
        assertThat(test.evictions().getFirst().disrupted().toString())
                .contains("DisruptionTarget", "True", "PreemptionByScheduler")
                .contains("default-scheduler: preempting to accommodate a higher priority pod");
        assertThat(test.nominations()).contains(Optional.of("n1"));

        evicted(first);
        assertThat(test.events()).last().isEqualTo("Preempted Preempted by pod urgent-uid on node n1");
    }

    @Test
    void itGetsItsTurnWhenTheyAreGone() {
        test.schedule();
        test.plugin.postFilter = (_, _) -> Result.none(Status.unschedulable("they are on their way out"));
        evicted(first);
        evicted(second);
        test.put(leaving(first));
        test.put(leaving(second));
        test.remove(first);
        test.at(20);
        assertThat(test.bindings()).isEmpty();

        test.remove(second);
        test.at(60);
        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("urgent");
        assertThat(test.evictions()).hasSize(2);
        assertThat(test.preemptions).containsExactly("began 2", "success 0s");
    }

    @Test
    void untilItShowsThatTheyGoItIsNotTriedWhateverHappens() {
        test.schedule();
        evicted(first);
        evicted(second);
        test.put(leaving(first));
        test.remove(first);
        test.at(20);

        assertThat(test.stateOf(urgent)).isEqualTo(QueueState.GATED);
        assertThat(test.attempts).hasSize(1);

        test.put(leaving(second));
        assertThat(test.stateOf(urgent)).isNotEqualTo(QueueState.GATED);
    }

    @Test
    void usersAreToldForWhomAlsoWhereTheWatchIsFasterThanTheAnswer() {
        test.schedule();
        test.put(leaving(first));
        test.remove(first);
        assertThat(test.events()).noneMatch(event -> event.startsWith("Preempted"));

        evicted(first);
        assertThat(test.events()).last().isEqualTo("Preempted Preempted by pod urgent-uid on node n1");
    }

    @Test
    void whoGoesAnywayIsLeftAlone() {
        test.put(leaving(first));
        test.plugin.postFilter = (_, _) -> Result.preempt("n1", List.of(leaving(first), second));
        test.schedule();

        assertThat(test.evictions()).extracting(Command.Evict::pod).containsExactly(second);
    }

    @Test
    void whoIsGoneAlreadyIsNotToldWhy() {
        test.schedule();
        test.scheduler.handle(new CommandResult.NotEvicted(first, EvictionFailure.GONE, "not found"));

        assertThat(test.events()).noneMatch(event -> event.startsWith("Preempted"));
        assertThat(test.stateOf(urgent)).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    @Test
    void whereOneStaysItIsTriedAgainAfterItsBackoff() {
        test.schedule();
        evicted(first);
        stays(second);
        assertThat(test.stateOf(urgent)).isEqualTo(QueueState.BACKOFF);
        test.at(1);
        assertThat(test.attempts).as("nothing else is to be done").hasSize(1);

        test.at(2);
        assertThat(test.attempts).hasSize(2);
        assertThat(test.preemptions).contains("error 0s");
        assertThat(test.evictions())
                .extracting(evict -> evict.pod().name())
                .containsExactly("first", "second", "second");
    }

    @Test
    void oneThatIsNeverSeenToGoIsGivenUp() {
        test.schedule();
        evicted(first);
        evicted(second);
        test.put(leaving(second));
        test.remove(second);
        assertThat(test.nextDeadline()).isEqualTo(30);
        test.at(29);
        assertThat(test.attempts).hasSize(1);

        test.at(30);
        test.at(60);
        assertThat(test.preemptions).contains("error 30s");
        assertThat(test.attempts.size()).isGreaterThan(1);
    }

    @Test
    void whoIsToGoForTwoIsAskedOnce() {
        Pod other = pod("other", 9);
        test.put(other);
        test.schedule();
        assertThat(test.evictions()).hasSize(2);

        test.put(leaving(first));
        test.put(leaving(second));
        assertThat(test.preemptions).filteredOn("success 0s"::equals).hasSize(2);
    }

    @Test
    void whoeverWasNominatedThereWithLessPriorityLooksElsewhere() {
        Pod modest = PodBuilder.from(pod("modest", 5)).nominatedNodeName("n1").build();
        test.remove(urgent);
        test.plugin.postFilter = (_, _) -> Result.none(Status.unschedulable("nobody can go"));
        test.put(modest);
        test.schedule();
        assertThat(test.stateOf(modest)).isEqualTo(QueueState.UNSCHEDULABLE);

        test.plugin.postFilter = (_, _) -> Result.preempt("n1", List.of(first, second));
        test.put(urgent);
        test.scheduler.scheduleNext();

        assertThat(test.commands)
                .filteredOn(command -> command.pod().name().equals("modest"))
                .filteredOn(Command.PatchStatus.class::isInstance)
                .extracting(patch -> ((Command.PatchStatus) patch).nominatedNodeName())
                .containsExactly(Optional.empty(), Optional.of(""));
        assertThat(test.stateOf(modest)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void whoOnlyWaitsForAPermitGivesUpItsPlaceAndStays() {
        test.remove(first);
        test.remove(second);
        test.remove(urgent);
        test.patience = new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofMinutes(1));
        Pod patient = pod("patient", 1);
        test.put(patient);
        test.schedule();
        test.patience = PermitPlugin.Result.ALLOW;
        test.plugin.postFilter = (_, _) -> Result.preempt("n1", List.of(patient));
        test.put(urgent);
        test.schedule();

        assertThat(test.evictions()).isEmpty();
        assertThat(test.events()).contains("Preempted Preempted by pod urgent-uid on node n1");
        assertThat(test.stateOf(patient)).isEqualTo(QueueState.ERROR_BACKOFF);
        test.at(2);
        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("urgent");
    }

    private Pod isBeingBoundWhenItIsToGo() {
        Pod hasty = pod("hasty", 1);
        test.remove(first);
        test.remove(second);
        test.remove(urgent);
        test.put(hasty);
        test.schedule();
        test.plugin.postFilter = (_, _) -> Result.preempt("n1", List.of(hasty));
        test.put(urgent);
        test.schedule();
        return hasty;
    }

    @Test
    void whoIsBeingBoundGoesWhenItIsThere() {
        Pod hasty = isBeingBoundWhenItIsToGo();
        assertThat(test.evictions()).isEmpty();

        test.bindLast();
        test.put(PodBuilder.from(hasty).nodeName("n1").build());
        assertThat(test.evictions()).extracting(evict -> evict.pod().name()).containsExactly("hasty");
    }

    @Test
    void whoWasNotBoundAfterAllNeedNotGo() {
        isBeingBoundWhenItIsToGo();

        test.plugin.postFilter = (_, _) -> Result.none(Status.unschedulable("nobody can go"));
        test.failLast(CommandResult.BindFailure.FAILED, "refused");
        test.at(2);
        assertThat(test.evictions()).isEmpty();
        assertThat(test.bindings()).extracting(bind -> bind.pod().name()).containsExactly("hasty", "urgent");
    }

    @Test
    void thePodThatOthersGoForMayGoMeanwhile() {
        test.schedule();
        test.remove(urgent);
        evicted(first);
        stays(second);
        test.at(60);

        assertThat(test.scheduler.queue().view()).isEmpty();
    }

    /** As long as news of the nomination have not come, a further attempt must know of it nevertheless. */
    @Test
    void itIsTriedAsNominatedAlsoBeforeTheWatchHasShownIt() {
        test.schedule();
        test.put(leaving(first));
        test.put(leaving(second));
        List<String> nominated = new ArrayList<>();
        test.plugin.preFiltering = pod -> nominated.add(pod.status().nominatedNodeName());
        test.remove(first);
        test.at(5);

        assertThat(nominated).containsOnly("n1");
    }

    private void evicted(Pod pod) {
        test.scheduler.handle(new CommandResult.Evicted(pod));
    }

    private void stays(Pod pod) {
        test.scheduler.handle(new CommandResult.NotEvicted(pod, EvictionFailure.FAILED, "forbidden"));
    }

    private static Pod leaving(Pod pod) {
        return PodBuilder.from(pod).terminating(true).build();
    }

    private static Pod placed(String name) {
        return PodBuilder.from(ScriptedPlugin.pod(name)).nodeName("n1").build();
    }

    private static Pod pod(String name, int priority) {
        return PodBuilder.from(ScriptedPlugin.pod(name)).priority(priority).build();
    }
}
