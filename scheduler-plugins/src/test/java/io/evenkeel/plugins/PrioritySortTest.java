package io.evenkeel.plugins;

import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.QueuedPod;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PrioritySortTest {
    private final PrioritySort plugin = new PrioritySort(cluster().context());

    @Test
    void theHigherPriorityComesFirstAndThenTheLongerWait() {
        QueuedPod urgentAndLate = queued("urgent-late", Integer.MAX_VALUE, 3);
        QueuedPod urgentAndEarly = queued("urgent-early", Integer.MAX_VALUE, 2);
        QueuedPod plain = queued("plain", 0, 1);
        QueuedPod filler = queued("filler", Integer.MIN_VALUE, 0);

        assertThat(Stream.of(filler, plain, urgentAndLate, urgentAndEarly).sorted(plugin))
                .containsExactly(urgentAndEarly, urgentAndLate, plain, filler);
    }

    private static QueuedPod queued(String name, int priority, long queuedAtNanos) {
        return new QueuedPod(pod(name).priority(priority).build(), queuedAtNanos);
    }
}
