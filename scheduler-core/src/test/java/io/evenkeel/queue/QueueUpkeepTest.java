package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the queue tells of its pods, and that it keeps their order and forgets them when they change or go. */
class QueueUpkeepTest {
    private final QueueHarness queue = new QueueHarness();

    @Test
    void anActivePodTakesThePlaceOfItsNewPriority() {
        queue.add(pod("a", 1).build());
        queue.add(pod("b", 2).build());
        queue.update(pod("a", 3).version("2", 1).build());

        assertThat(queue.next()).isEqualTo("a");
        assertThat(queue.next()).isEqualTo("b");
    }

    @Test
    void addingAPodThatIsKnownUpdatesIt() {
        queue.add(pod("a", 1).build());
        queue.add(pod("b", 2).build());
        queue.add(pod("a", 3).version("2", 1).build());

        assertThat(queue.queue.pods()).extracting(Pod::name).containsExactly("a", "b");
        assertThat(queue.next()).isEqualTo("a");
    }

    @Test
    void aPodInBackoffTakesThePlaceOfItsNewPriority() {
        for (String name : new String[] {"a", "b"}) {
            queue.add(pod(name, 0).build());
            Attempt attempt = queue.pop();
            queue.reject(attempt, QueueHarness.TAINTS);
        }
        queue.change(QueueHarness.tainted());
        queue.update(pod("b", 7).version("2", 1).build());

        assertThat(queue.next()).isEqualTo("b");
        assertThat(queue.next()).isEqualTo("a");
    }

    @Test
    void updatingAPodThatIsUnknownAddsIt() {
        queue.update(pod("a", 1).build());

        assertThat(queue.queue.find("default/a").isPresent()).isTrue();
        assertThat(queue.queue.find("default/b").isPresent()).isFalse();
        assertThat(queue.next()).isEqualTo("a");
    }

    @Test
    void whoKeepsAPodIsForgottenWithIt() {
        queue.add(pod("a", 1).build());
        queue.reject(queue.pop(), QueueHarness.TAINTS);
        assertThat(queue.queue.counts().rejected()).hasSize(1);

        queue.queue.remove("default/a", "", queue.now());
        assertThat(queue.queue.counts().rejected()).isEmpty();
        assertThat(queue.queue.pods()).isEmpty();
    }

    @Test
    void aGateThatHasOpenedKeepsNobody() {
        queue.add(pod("a", 1).label(QueueHarness.HELD, "yes").build());
        assertThat(queue.queue.counts().gated()).isEqualTo(1);
        assertThat(queue.queue.counts().rejected()).hasSize(1);

        queue.update(pod("a", 1).version("2", 1).build());
        assertThat(queue.queue.counts().gated()).isZero();
        assertThat(queue.queue.counts().rejected()).isEmpty();
        assertThat(queue.stateOf("a")).isEqualTo(QueueState.ACTIVE);
    }

    @Test
    void aGateThatOpensUnseenIsAskedAgainEveryFiveMinutes() {
        queue.heldUnseen.add("a");
        queue.add(pod("a", 1).build());
        assertThat(queue.gatesAsked).containsExactly("a");
        assertThat(queue.queue.nextDeadline()).hasValue(Duration.ofMinutes(5).toNanos());

        queue.at(299);
        assertThat(queue.gatesAsked).hasSize(1);
        queue.at(300);
        queue.at(599);
        assertThat(queue.gatesAsked).hasSize(2);
        assertThat(queue.stateOf("a")).isEqualTo(QueueState.GATED);

        queue.heldUnseen.clear();
        queue.at(600);
        assertThat(queue.stateOf("a")).isEqualTo(QueueState.ACTIVE);
        assertThat(queue.pop().afterFlush()).isTrue();
    }

    /** Only a pod that is tried then tells that a hint was missed. */
    @Test
    void whoAGateHoldsWhenItsTimeComesIsNotCountedAsFlushed() {
        queue.add(pod("a", 1).build());
        queue.reject(queue.pop(), QueueHarness.TAINTS);
        queue.heldUnseen.add("a");
        queue.at(300);
        assertThat(queue.stateOf("a")).isEqualTo(QueueState.GATED);

        queue.heldUnseen.clear();
        queue.update(pod("a", 1).version("2", 1).schedulingGate("shut").build());
        queue.update(pod("a", 1).version("3", 1).build());
        assertThat(queue.pop().afterFlush()).isFalse();
    }

    @Test
    void aGateIsNotAskedAllTheTimeThoughPodsMayWaitNoTime() {
        QueueHarness hasty =
                new QueueHarness(new QueueSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ZERO, true));
        hasty.heldUnseen.add("a");
        hasty.add(pod("a", 1).build());
        hasty.at(29);
        assertThat(hasty.gatesAsked).hasSize(1);
        hasty.at(30);
        assertThat(hasty.gatesAsked).hasSize(2);
    }

    @Test
    void withTheGateOffPreEnqueueIsAskedWhenTheBackoffHasEnded() {
        QueueHarness late = new QueueHarness(
                new QueueSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), false));
        late.add(pod("a", 1).build());
        Attempt attempt = late.pop();
        late.update(pod("a", 1).version("2", 1).label(QueueHarness.HELD, "yes").build());
        late.fail(attempt);
        assertThat(late.stateOf("a")).isEqualTo(QueueState.ERROR_BACKOFF);

        late.at(2);
        assertThat(late.stateOf("a")).isEqualTo(QueueState.GATED);
    }

    @Test
    void theNextDeadlineIsTheEarliestOfBackoffAndFlush() {
        assertThat(queue.queue.nextDeadline()).isEmpty();
        queue.add(pod("a", 1).build());
        queue.reject(queue.pop(), QueueHarness.TAINTS);
        long flush = Duration.ofMinutes(5).toNanos();
        assertThat(queue.queue.nextDeadline()).hasValue(flush);

        queue.add(pod("b", 1).build());
        queue.fail(queue.pop());
        assertThat(queue.queue.nextDeadline()).hasValue(Duration.ofSeconds(2).toNanos());

        queue.queue.remove("default/b", "", queue.now());
        assertThat(queue.queue.nextDeadline()).hasValue(flush);
    }

    @Test
    void onlyAPodThatWaitsForATimeHasOne() {
        queue.add(pod("a", 1).build());
        assertThat(queue.viewOf("a").orElseThrow().nextTryNanos()).isEmpty();
        queue.reject(queue.pop(), QueueHarness.TAINTS);
        assertThat(queue.viewOf("a").orElseThrow().nextTryNanos())
                .hasValue(Duration.ofMinutes(5).toNanos());
        queue.change(QueueHarness.tainted());
        assertThat(queue.viewOf("a").orElseThrow().nextTryNanos())
                .hasValue(Duration.ofSeconds(2).toNanos());
        queue.fail(queue.pop());
        assertThat(queue.viewOf("a").orElseThrow().nextTryNanos()).isPresent();
    }

    @Test
    void onlyAnAttemptAfterAFlushIsOne() {
        queue.add(pod("a", 1).build());
        Attempt first = queue.pop();
        assertThat(first.afterFlush()).isFalse();
        queue.reject(first, QueueHarness.TAINTS);
        queue.at(301);

        Attempt second = queue.pop();
        assertThat(second.afterFlush()).isTrue();
        queue.queue.bound(second);
        assertThat(queue.boundAfterFlush).isEqualTo(1);
    }

    private static PodBuilder pod(String name, int priority) {
        return PodBuilder.pod(name).priority(priority).version("1", 1);
    }
}
