package io.evenkeel.kube.patch;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchWriter.PatchQueue;
import io.evenkeel.kube.patch.PatchWriter.PatchQueue.Sending;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PatchQueueTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final PatchQueue queue = new PatchQueue(new Pace(10, Duration.ofSeconds(5)), 0);

    @Test
    void theNewestPatchOfAnObjectIsSentWhenItsTurnComes() {
        queue.put(Patches.patch("a", "1"), 0);
        assertThat(sent(0)).containsExactly("a 1");
        queue.put(Patches.patch("a", "2"), SECOND);
        queue.put(Patches.patch("b", "1"), SECOND);
        assertThat(sent(SECOND)).containsExactly("b 1");
        queue.put(Patches.patch("a", "3"), 3 * SECOND);
        assertThat(sent(5 * SECOND - 1)).isEmpty();
        assertThat(queue.nanosUntilNext(3 * SECOND)).isEqualTo(2 * SECOND);
        assertThat(sent(5 * SECOND)).containsExactly("a 3");
        assertThat(queue.nanosUntilNext(5 * SECOND)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void noMoreAreSentThanThePaceAllows() {
        for (int i = 0; i < 100; i++) {
            queue.put(Patches.patch("p" + i, "1"), 0);
        }

        assertThat(sent(0)).hasSize(10).startsWith("p0 1", "p1 1");
        assertThat(sent(SECOND)).hasSize(10).startsWith("p10 1");
    }

    @Test
    void whatFailedIsSentAgainUnlessANewerOneIsThere() {
        queue.put(Patches.patch("a", "1"), 0);
        Sending failed = queue.take(0).orElseThrow();
        queue.again(failed, 6 * SECOND, 0);
        assertThat(sent(5 * SECOND)).isEmpty();
        Sending second = queue.take(6 * SECOND).orElseThrow();
        assertThat(second).isEqualTo(new Sending(failed.patch(), 1));

        queue.put(Patches.patch("a", "2"), 7 * SECOND);
        queue.again(second, 30 * SECOND, 8 * SECOND);
        assertThat(sent(37 * SECOND)).isEmpty();
        assertThat(queue.take(38 * SECOND)).contains(new Sending(Patches.patch("a", "2"), 2));
        assertThat(queue.size()).isZero();
    }

    private List<String> sent(long now) {
        return Stream.generate(() -> queue.take(now))
                .takeWhile(one -> one.isPresent())
                .map(one -> Patches.inWords(one.orElseThrow().patch()))
                .toList();
    }
}
