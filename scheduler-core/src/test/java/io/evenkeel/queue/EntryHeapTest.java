package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heap beside a list that is sorted anew whenever somebody looks. */
class EntryHeapTest {
    private static final SchedulingProfile PROFILE = QueueHarness.profile();
    private static final Comparator<QueueEntry> BY_TIME = Comparator.comparingLong(entry -> entry.dueAt);
    /** Few, so that many compare equal. */
    private static final int TIMES = 20;

    private final EntryHeap heap = new EntryHeap(BY_TIME);
    private final List<QueueEntry> twin = new ArrayList<>();
    private long sequence;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theFirstIsTheSmallestWhateverCameWentOrChanged(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 1_000; step++) {
            // grows beyond its first capacity, and is nearly emptied now and then
            boolean growing = step % 400 < 250;
            switch (random.nextInt(growing ? 4 : 6)) {
                case 0, 1 -> add(random.nextInt(TIMES));
                case 2 -> change(random);
                default -> {
                    if (!growing || random.nextInt(4) == 0) {
                        remove(random);
                    }
                }
            }
            assertSame();
        }
        while (!twin.isEmpty()) {
            remove(heap.first());
            assertSame();
        }
    }

    private void add(long dueAt) {
        QueueEntry entry =
                new QueueEntry(PodBuilder.pod("p" + sequence).build(), new ClusterState(), PROFILE, false, 0);
        entry.sequence = sequence++;
        entry.dueAt = dueAt;
        heap.add(entry);
        twin.add(entry);
    }

    private void change(Random random) {
        if (!twin.isEmpty()) {
            QueueEntry entry = any(random);
            entry.dueAt = random.nextInt(TIMES);
            heap.reorder(entry);
        }
    }

    private void remove(Random random) {
        if (!twin.isEmpty()) {
            remove(any(random));
        }
    }

    private void remove(QueueEntry entry) {
        heap.remove(entry);
        twin.remove(entry);
        assertThat(entry.heapIndex).isEqualTo(EntryHeap.NOWHERE);
    }

    private QueueEntry any(Random random) {
        return twin.get(random.nextInt(twin.size()));
    }

    private void assertSame() {
        assertThat(heap.size()).isEqualTo(twin.size());
        assertThat(heap.isEmpty()).isEqualTo(twin.isEmpty());
        twin.stream()
                .min(BY_TIME.thenComparingLong(entry -> entry.sequence))
                .ifPresent(smallest -> assertThat(heap.first()).isSameAs(smallest));
    }
}
