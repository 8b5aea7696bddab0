package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

class BackoffQueueTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final SchedulingProfile PROFILE = QueueHarness.profile();

    private final BackoffQueue queue = queue(10, true);

    @Test
    void aPodWithoutFailuresIsDueWhenItReturns() {
        assertThat(queue.endOf(returned(5 * SECOND, 0, 0))).isEqualTo(5 * SECOND);
    }

    @Test
    void withoutAMaximumThereIsNoBackoff() {
        assertThat(queue(0, true).endOf(returned(5 * SECOND, 3, 0))).isEqualTo(5 * SECOND);
    }

    @Test
    void theBackoffOfRejectionsEndsWithTheSecondInWhichItEnds() {
        assertThat(queue.endOf(returned(5 * SECOND, 1, 0))).isEqualTo(7 * SECOND);
        assertThat(queue.endOf(returned(5 * SECOND - 1, 1, 0))).isEqualTo(6 * SECOND);
        assertThat(queue.endOf(returned(5 * SECOND, 3, 0))).isEqualTo(10 * SECOND);
    }

    @Test
    void errorsCountBeforeRejections() {
        assertThat(queue.endOf(returned(5 * SECOND, 3, 1))).isEqualTo(7 * SECOND);
    }

    @Test
    void wherePodsAreNotTakenOutEarlyItEndsToTheNanosecond() {
        assertThat(queue(10, false).endOf(returned(5 * SECOND + 7, 2, 0))).isEqualTo(7 * SECOND + 7);
    }

    @Test
    void bothKindsOfPodsAreDueAndCounted() {
        QueueEntry rejected = waiting(QueueState.BACKOFF, 3 * SECOND);
        QueueEntry erroneous = waiting(QueueState.ERROR_BACKOFF, 2 * SECOND);
        assertThat(queue.nextEnd()).isEmpty();
        queue.add(rejected);
        queue.add(erroneous);

        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.nextEnd()).hasValue(2 * SECOND);
        assertThat(queue.firstDue(2 * SECOND - 1)).isEmpty();
        assertThat(queue.firstDue(2 * SECOND)).containsSame(erroneous);
        assertThat(queue.firstDue(3 * SECOND)).containsSame(rejected);
        assertThat(queue.firstEarly()).containsSame(rejected);

        queue.remove(rejected);
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.firstEarly()).isEmpty();
    }

    @Test
    void whoseTimeHasChangedTakesItsNewPlace() {
        QueueEntry first = waiting(QueueState.BACKOFF, 2 * SECOND);
        QueueEntry second = waiting(QueueState.BACKOFF, 3 * SECOND);
        queue.add(first);
        queue.add(second);

        second.dueAt = SECOND;
        queue.reorder(second);
        assertThat(queue.firstEarly()).containsSame(second);
        assertThat(queue.nextEnd()).hasValue(SECOND);
    }

    private static BackoffQueue queue(int maxSeconds, boolean popsFromBackoff) {
        QueueSettings settings = new QueueSettings(
                Duration.ofSeconds(1), Duration.ofSeconds(maxSeconds), Duration.ofMinutes(5), popsFromBackoff);
        return new BackoffQueue(
                settings, Comparator.comparingInt(entry -> -entry.pod().spec().priority()));
    }

    private static QueueEntry returned(long at, int rejections, int errors) {
        QueueEntry entry = new QueueEntry(PodBuilder.pod("p").build(), new ClusterState(), PROFILE, false, at);
        entry.rejections = rejections;
        entry.consecutiveErrors = errors;
        return entry;
    }

    private static QueueEntry waiting(QueueState state, long dueAt) {
        QueueEntry entry = returned(0, 1, 0);
        entry.state = state;
        entry.dueAt = dueAt;
        return entry;
    }
}
