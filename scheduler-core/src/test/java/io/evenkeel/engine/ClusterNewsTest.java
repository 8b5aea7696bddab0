package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the watches tell of pods and nodes, late, twice or with gaps, and whom it wakes. */
class ClusterNewsTest {
    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1");
    private final Pod waiting = ScriptedPlugin.pod("p");
    private final Pod placed = PodBuilder.from(waiting).nodeName("n1").build();

    @AfterEach
    void theCountsAreRight() {
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    @Test
    void aPodIsOfThoseThatWaitOrOfThoseInPlace() {
        test.put(waiting);
        assertThat(test.scheduler.queue().pods()).containsExactly(waiting);
        assertThat(test.scheduler.pods()).containsExactly(waiting);

        test.put(placed);
        assertThat(test.scheduler.queue().pods()).isEmpty();
        assertThat(test.scheduler.pods()).containsExactly(placed);

        Pod another = ScriptedPlugin.pod("another");
        test.put(another);
        assertThat(test.scheduler.pods()).containsExactly(placed, another);
        test.remove(placed);
        assertThat(test.scheduler.pods()).as("no row of one that is gone").containsExactly(another);
    }

    /** Scheduling reads nothing of what has changed, but an extender may. */
    @Test
    void aNodeIsKnownInItsNewestVersion() {
        Node before = test.scheduler.cluster().nodes().node(0);
        test.put(new Node(
                before.meta().withVersion("8", 0),
                before.unschedulable(),
                before.taints(),
                before.allocatable(),
                before.images(),
                before.declaredFeatures()));

        assertThat(test.scheduler.cluster().nodes().node(0).meta().resourceVersion())
                .isEqualTo("8");
    }

    @Test
    void aPodThatIsDecidedIsListedOnce() {
        test.put(waiting);
        test.schedule();

        assertThat(test.scheduler.pods()).hasSize(1);
    }

    @Test
    void aPodOfAnotherSchedulerCountsInPlaceAndDoesNotWaitHere() {
        Pod others = PodBuilder.from(waiting).schedulerName("other").build();
        test.put(others);
        assertThat(test.scheduler.queue().pods()).isEmpty();

        test.put(PodBuilder.from(others).nodeName("n1").build());
        assertThat(test.scheduler.cluster().pods().count()).isOne();
    }

    @Test
    void aPodThatHasRunToItsEndCountsAndWaitsNoMore() {
        test.put(placed);
        test.put(PodBuilder.from(placed).phase("Succeeded").build());
        assertThat(test.scheduler.cluster().pods().count()).isZero();

        test.put(waiting);
        test.put(PodBuilder.from(waiting).phase("Failed").build());
        assertThat(test.scheduler.queue().pods()).isEmpty();
    }

    @Test
    void newsThatAPlacedPodIsOnNoNodeAreOld() {
        test.put(placed);
        test.put(waiting);

        assertThat(test.scheduler.queue().pods()).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isOne();
    }

    @Test
    void aPodOfTheSameNameTakesTheOthersPlaceAndTurn() {
        Pod next = PodBuilder.from(waiting).uid("next-uid").build();
        test.put(placed);
        test.put(next);
        assertThat(test.scheduler.cluster().pods().count())
                .as("its end went unheard")
                .isZero();
        assertThat(test.scheduler.queue().pods()).containsExactly(next);

        Pod afterNext =
                PodBuilder.from(next).uid("after-next-uid").nodeName("n1").build();
        test.put(afterNext);
        assertThat(test.scheduler.queue().pods()).isEmpty();
        assertThat(test.scheduler.pods()).containsExactly(afterNext);
    }

    @Test
    void theEndOfAnEarlierPodOfTheNameIsNotThisOnes() {
        Pod next = PodBuilder.from(placed).uid("next-uid").build();
        test.put(next);
        test.remove(placed);
        assertThat(test.scheduler.pods()).containsExactly(next);

        test.remove(PodBuilder.pod("p").build());
        assertThat(test.scheduler.pods()).as("one that names no UID is any").isEmpty();
    }

    /** By the names of kube-scheduler's metrics, of which news may have several. */
    @Test
    void newsAreMeasuredByWhatIsNew() {
        assertThat(measured(() -> test.put(waiting))).containsExactly("UnschedulablePodAdd");
        Pod labelled =
                PodBuilder.from(waiting).version("2", 0).label("app", "web").build();
        assertThat(measured(() -> test.put(labelled)))
                .containsExactly("UnschedulablePodUpdatePodLabel", "UnschedulablePodUpdate");
        assertThat(measured(() -> test.put(labelled))).as("told twice").isEmpty();

        Pod inPlace = PodBuilder.from(labelled).version("3", 0).nodeName("n1").build();
        assertThat(measured(() -> test.put(inPlace))).containsExactly("UnschedulablePodDelete", "AssignedPodAdd");
        Pod running = PodBuilder.from(inPlace).version("4", 0).phase("Running").build();
        assertThat(measured(() -> test.put(running))).containsExactly("AssignedPodUpdate");
        assertThat(measured(() -> test.put(PodBuilder.from(running)
                        .version("5", 0)
                        .label("app", "other")
                        .terminating(true)
                        .build())))
                .containsExactly("AssignedPodUpdatePodLabel", "AssignedPodUpdate");
        assertThat(measured(() -> test.remove(running))).containsExactly("AssignedPodDelete");

        test.put(waiting);
        assertThat(measured(() -> test.remove(waiting))).containsExactly("UnschedulablePodDelete");
        assertThat(measured(() -> test.put(NodeBuilder.node("n1")
                        .label("zone", "a")
                        .unschedulable(true)
                        .build())))
                .containsExactlyInAnyOrder("NodeUpdateNodeLabel", "NodeUpdateNodeTaint");
    }

    @Test
    void aPodThatIsDecidedWaitsNoMoreOnceItIsSeenInPlace() {
        test.put(waiting);
        test.schedule();
        assertThat(measured(() -> test.put(placed))).containsExactly("UnschedulablePodDelete", "AssignedPodAdd");
    }

    private List<String> measured(Runnable news) {
        test.handled.clear();
        news.run();
        return List.copyOf(test.handled);
    }

    @Test
    void thePlaceThatAPodLeavesWakesThoseThatItMayHelp() {
        test.put(placed);
        Pod sleeper = sleeping();
        test.put(PodBuilder.from(placed).version("2", 0).phase("Succeeded").build());
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.BACKOFF);
        assertThat(test.handled).endsWith("AssignedPodDelete");
    }

    @Test
    void soDoesThePlaceOfAPodThatWasDecidedAndIsGone() {
        test.put(waiting);
        test.schedule();
        Pod sleeper = sleeping();
        test.remove(waiting);

        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.BACKOFF);
    }

    @Test
    void soDoesALabelThatAPodGotOnItsWay() {
        test.put(waiting);
        test.schedule();
        test.put(PodBuilder.from(placed).version("2", 0).label("app", "other").build());

        assertThat(test.handled).endsWith("AssignedPodAdd", "AssignedPodUpdatePodLabel");
    }

    @Test
    void aPodThatGotNothingOnItsWayIsOnePieceOfNews() {
        test.put(waiting);
        test.schedule();
        test.put(PodBuilder.from(placed).version("2", 0).build());

        assertThat(test.handled)
                .containsExactly("NodeAdd", "UnschedulablePodAdd", "UnschedulablePodDelete", "AssignedPodAdd");
    }

    @Test
    void aNodeThatChangesAsAPluginNamesItWakesThemToo() {
        Pod sleeper = sleeping();
        test.put(NodeBuilder.node("n1").build());
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.UNSCHEDULABLE);
        test.put(NodeBuilder.node("n1").label("a", "b").build());
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.BACKOFF);
        assertThat(test.handled).endsWith("NodeUpdateNodeLabel");
        test.remove(NodeBuilder.node("n1").build());
        assertThat(test.handled).endsWith("NodeDelete");
        test.remove(NodeBuilder.node("n1").build());
        assertThat(test.handled)
                .as("it was gone")
                .filteredOn("NodeDelete"::equals)
                .hasSize(1);
    }

    @Test
    void aPodThatComesToItsNodeIsNewsOnceAndItsUpdatesAreOthers() {
        test.put(waiting);
        test.schedule();
        test.bindLast();
        test.put(placed);
        assertThat(test.handled).endsWith("AssignedPodAdd");

        test.put(PodBuilder.from(placed).version("2", 0).label("a", "b").build());
        assertThat(test.handled)
                .endsWith("AssignedPodUpdatePodLabel", "AssignedPodUpdate")
                .filteredOn("AssignedPodAdd"::equals)
                .hasSize(1);
    }

    @Test
    void nothingIsDecidedBeforeTheClusterIsKnown() {
        PlayedScheduler young = new PlayedScheduler();
        young.put(NodeBuilder.node("n1").build());
        young.put(waiting);
        assertThat(young.scheduler.isSynced()).isFalse();
        assertThat(young.scheduler.awaitedKinds()).containsExactly("Node");
        assertThat(young.scheduler.scheduleNext()).isFalse();

        young.withNodes("n1");
        assertThat(young.scheduler.isSynced()).isTrue();
        assertThat(young.scheduler.scheduleNext()).isTrue();
        assertThat(young.scheduler.scheduleNext()).as("nobody's turn").isFalse();
    }

    /** By their own names, which are no objects that the scheduler knows. */
    @Test
    void anIndexHearsWhatARelistDoesNotShow() {
        List<String> gone = new ArrayList<>();
        test.scheduler.cluster().index(Listening.class, _ -> new Listening(gone));

        test.scheduler.handle(new Relist.Began("Pod"));
        test.put(waiting);
        test.scheduler.handle(new Relist.Ended("Pod"));
        assertThat(gone).as("none can be, as none was there").isEmpty();
        test.scheduler.handle(new Relist.Began("Pod"));
        test.put(waiting);
        assertThat(gone).isEmpty();
        test.scheduler.handle(new Relist.Ended("Pod"));
        assertThat(gone).containsExactly("Pod: never seen");

        test.scheduler.handle(new Relist.Began("Node"));
        test.scheduler.handle(new Relist.Present("Node", Optional.empty()));
        test.scheduler.handle(new Relist.Ended("Node"));
        assertThat(gone).as("it may be any that was there").hasSize(1);
    }

    private record Listening(List<String> gone) implements ClusterIndex {
        @Override
        public Consumer<Predicate<ObjectMeta>> listBegins(String kind) {
            return isGone -> Stream.of("p", "never seen")
                    .filter(name -> isGone.test(ObjectMeta.named("default", name)))
                    .forEach(name -> gone.add(kind + ": " + name));
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {}
    }

    @Test
    void whatARelistDoesNotShowIsGone() {
        Pod stays = ScriptedPlugin.pod("stays");
        Pod unreadable = ScriptedPlugin.pod("unreadable");
        List.of(placed, stays, unreadable).forEach(test::put);
        Pod lost = ScriptedPlugin.pod("lost");
        test.put(lost);

        test.scheduler.handle(new Relist.Ended("Pod"));
        assertThat(test.scheduler.pods()).as("no listing had begun").hasSize(4);
        test.scheduler.handle(new Relist.Began("Pod"));
        test.put(stays);
        test.scheduler.handle(new Relist.Present("Pod", Optional.of(unreadable.meta())));
        test.scheduler.handle(new Relist.Ended("Pod"));
        assertThat(test.scheduler.pods()).containsExactly(stays, unreadable);

        test.scheduler.handle(new Relist.Began("Pod"));
        test.scheduler.handle(new Relist.Present("Pod", Optional.empty()));
        test.scheduler.handle(new Relist.Ended("Pod"));
        assertThat(test.scheduler.pods())
                .as("something unreadable may be any of them")
                .containsExactly(stays, unreadable);
    }

    @Test
    void anEarlierPodOfTheNameOfAnUnreadableOneIsGone() {
        test.put(placed);
        Pod unreadable = PodBuilder.from(placed).uid("next-uid").build();

        test.scheduler.handle(new Relist.Began("Pod"));
        test.scheduler.handle(new Relist.Present("Pod", Optional.of(unreadable.meta())));
        test.scheduler.handle(new Relist.Ended("Pod"));

        assertThat(test.scheduler.pods()).isEmpty();
        assertThat(test.scheduler.cluster().placedPods()).isEmpty();
    }

    @Test
    void theNextThingToDoIsTheQueuesOrTheBindings() {
        assertThat(test.scheduler.nextDeadline()).isEmpty();
        test.put(waiting);
        test.schedule();
        assertThat(test.nextDeadline())
                .as("bindings are looked through each second")
                .isEqualTo(1);

        sleeping();
        assertThat(test.nextDeadline()).isEqualTo(1);
        test.remove(waiting);
        assertThat(test.nextDeadline())
                .as("the backoff of the other, by whole seconds")
                .isEqualTo(2);
    }

    /** A pod that was turned away. */
    private Pod sleeping() {
        Pod sleeper = ScriptedPlugin.pod("sleeper");
        test.plugin.filter = _ -> Status.unschedulable("full");
        test.put(sleeper);
        test.schedule();
        assertThat(test.stateOf(sleeper)).isEqualTo(QueueState.UNSCHEDULABLE);
        return sleeper;
    }
}
