package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A plugin refuses to reserve: all of them take back what they may have reserved, each once, the last first. */
class ReservationTest {
    private final List<String> calls = new ArrayList<>();

    @Test
    void aRefusedReservationIsTakenBackOnce() {
        schedule(() -> Status.unschedulable("no"));

        assertThat(calls).containsExactly("reserve A", "reserve B", "unreserve C", "unreserve B", "unreserve A");
    }

    @Test
    void soIsOneThatAPluginFailsAt() {
        schedule(() -> {
            throw new IllegalStateException("no luck");
        });

        assertThat(calls).containsExactly("reserve A", "reserve B", "unreserve C", "unreserve B", "unreserve A");
    }

    /** A node, and a pod that is tried there once. */
    private void schedule(Supplier<Status> answerOfB) {
        Scheduler scheduler = OneNodeOnePod.of(
                PluginFactory.of("AsTheyCame", AsTheyCame.class, context -> new AsTheyCame()),
                reserving("A", () -> Status.SUCCESS),
                reserving("B", answerOfB),
                reserving("C", () -> Status.SUCCESS));
        assertThat(scheduler.scheduleNext()).isTrue();
        assertThat(scheduler.cluster().pods().count()).isZero();
    }

    private PluginFactory reserving(String name, Supplier<Status> answer) {
        return PluginFactory.of(name, Reserving.class, context -> new Reserving(name, answer, calls));
    }

    private record AsTheyCame() implements QueueSortPlugin {
        @Override
        public String name() {
            return "AsTheyCame";
        }

        @Override
        public int compare(QueuedPod one, QueuedPod other) {
            return Long.compare(one.queuedAtNanos(), other.queuedAtNanos());
        }
    }

    private record Reserving(String name, Supplier<Status> answer, List<String> calls) implements ReservePlugin {
        @Override
        public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
            calls.add("reserve " + name);
            return answer.get();
        }

        @Override
        public void unreserve(CycleState state, PendingPod pod, String nodeName) {
            calls.add("unreserve " + name);
        }
    }
}
