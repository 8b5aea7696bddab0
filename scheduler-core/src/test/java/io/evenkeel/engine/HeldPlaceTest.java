package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each node takes one pod, n1 has one of the owner "web", and n2 is held for the one that comes in its place; n3 is full. */
class HeldPlaceTest {
    private static final OwnerReference WEB = new OwnerReference("apps/v1", "ReplicaSet", "web", "web-uid");

    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1", "n2", "n3");
    private final Pod going = owned("web-a").nodeName("n1").build();

    HeldPlaceTest() {
        test.plugin.filter = node -> node.podCount() == 0 ? Status.SUCCESS : Status.unschedulable("full");
        test.put(going);
        test.put(PodBuilder.from(pod("other")).nodeName("n3").build());
        test.scheduler.handle(new OfPlace.Held(going, "n2", Duration.ofSeconds(60)));
    }

    private static PodBuilder owned(String name) {
        return PodBuilder.from(pod(name)).controller(WEB).priority(5);
    }

    private static Pod pod(String name) {
        return PodBuilder.from(ScriptedPlugin.pod(name)).priority(5).build();
    }

    @AfterEach
    void nothingOfItIsLeftInTheCluster() {
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    private void put(Pod pod) {
        test.put(pod);
        test.schedule();
    }

    private void assertThatBound(String... pods) {
        assertThat(test.bindings())
                .extracting(bind -> bind.pod().name() + " " + bind.node())
                .containsExactly(pods);
    }

    @Test
    void thePodThatComesInItsPlaceGetsIt() {
        Pod hasty = pod("hasty");
        put(hasty);
        assertThat(test.stateOf(hasty)).isEqualTo(QueueState.UNSCHEDULABLE);

        test.remove(going);
        Pod next = owned("web-b").build();
        put(next);
        // n1 is the first by name of those that are free
        assertThatBound("web-b n2", "hasty n1");
        assertThat(test.scheduler.queue().held().takenBy(going))
                .contains(next.meta().uid());
    }

    @Test
    void aPodOfTheSameNameGetsIt() {
        test.remove(going);
        put(PodBuilder.from(going).nodeName("").uid("another").build());
        assertThatBound("web-a n2");
    }

    @Test
    void onlyTheFirstGetsIt() {
        test.remove(going);
        put(owned("web-b").build());
        put(owned("web-c").build());
        assertThatBound("web-b n2", "web-c n1");
    }

    @Test
    void aMoreImportantPodTakesItAllTheSame() {
        put(PodBuilder.from(pod("important")).priority(6).build());
        assertThatBound("important n2");
    }

    @Test
    void whenItIsReleasedTheOthersGetTheirTurn() {
        put(pod("hasty"));
        test.scheduler.handle(new OfPlace.Released(going));
        test.at(1);
        assertThatBound("hasty n2");
        assertThat(test.scheduler.queue().held().size()).isZero();
    }

    @Test
    void afterItsTimeTheOthersGetTheirTurn() {
        put(pod("hasty"));
        assertThat(test.nextDeadline()).isEqualTo(60);
        test.at(59);
        assertThatBound();
        test.at(60);
        assertThatBound("hasty n2");
        assertThat(test.scheduler.queue().held().isHeld(going)).isFalse();
    }

    @Test
    void thePodThatTookItKeepsItThroughAnAttemptInVain() {
        test.plugin.filter = node -> Status.unschedulable("not yet");
        test.remove(going);
        Pod next = owned("web-b").build();
        put(next);
        assertThat(test.stateOf(next)).isEqualTo(QueueState.UNSCHEDULABLE);

        test.plugin.filter = node -> node.podCount() == 0 ? Status.SUCCESS : Status.unschedulable("full");
        put(pod("hasty"));
        assertThatBound("hasty n1");
        test.scheduler.queue().activate(next.key(), 0);
        test.schedule();
        assertThatBound("hasty n1", "web-b n2");
    }

    @Test
    void whenItIsReleasedThePodThatTookItGoesWhereAnyWould() {
        test.plugin.filter = node -> Status.unschedulable("not yet");
        test.remove(going);
        Pod next = owned("web-b").build();
        put(next);
        test.scheduler.handle(new OfPlace.Released(going));

        test.plugin.filter = node -> node.podCount() == 0 ? Status.SUCCESS : Status.unschedulable("full");
        put(pod("hasty"));
        test.scheduler.queue().activate(next.key(), 0);
        test.schedule();
        assertThatBound("hasty n1", "web-b n2");
        assertThat(test.bindings().getLast().pod().status().nominatedNodeName()).isEmpty();
    }

    @Test
    void noneIsHeldForAPodThatIsNotThere() {
        test.scheduler.handle(new OfPlace.Released(going));
        test.scheduler.handle(
                new OfPlace.Held(PodBuilder.from(going).uid("another").build(), "n2", Duration.ofSeconds(60)));
        put(pod("hasty"));
        assertThatBound("hasty n2");
    }

    @Test
    void noneIsHeldForAPodOfAnotherSchedulerOrOfNoOwner() {
        Pod others = PodBuilder.from(owned("theirs").build())
                .schedulerName("other")
                .nodeName("n4")
                .build();
        Pod bare = PodBuilder.from(pod("bare")).nodeName("n4").build();
        test.put(others);
        test.put(bare);
        test.scheduler.handle(new OfPlace.Released(going));
        test.scheduler.handle(new OfPlace.Held(others, "n2", Duration.ofSeconds(60)));
        test.scheduler.handle(new OfPlace.Held(bare, "n2", Duration.ofSeconds(60)));
        assertThat(test.scheduler.queue().held().size()).isZero();
        assertThat(test.scheduler.nextDeadline()).isEqualTo(OptionalLong.empty());
    }
}
