package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.testing.OneProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineTest {
    @Test
    void aPlacedPodCountsUntilItIsRemoved() {
        Engine engine = engine(Status.SUCCESS);
        Pod pod = PodBuilder.pod("p").build();

        Decision.Placed placed = (Decision.Placed) engine.decide(pod);
        assertThat(engine.assume(pod, placed)).isInstanceOf(Commitment.Ready.class);
        assertThat(engine.cluster().isAssumed(pod.key())).isTrue();

        engine.put(PodBuilder.from(pod).nodeName("n1").build());
        assertThat(engine.cluster().isAssumed(pod.key())).isFalse();
        engine.remove(pod);
        assertThat(engine.cluster().pods().count()).isZero();
    }

    @Test
    void aRefusedReservationLeavesTheClusterAsItWas() {
        Engine engine = engine(Status.unschedulable("no room in the books"));
        Pod pod = PodBuilder.pod("p").build();

        Decision.Placed placed = (Decision.Placed) engine.decide(pod);
        assertThat(engine.assume(pod, placed))
                .isEqualTo(
                        new Commitment.Refused(new Objection("Keeper", Status.unschedulable("no room in the books"))));
        assertThat(engine.cluster().pods().count()).isZero();
        assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
    }

    @Test
    void aPodThatFitsNowhereSaysWhy() {
        Engine engine = engine(Status.SUCCESS);
        engine.remove(NodeBuilder.node("n1").build());

        Decision decision = engine.decide(PodBuilder.pod("p").build());
        assertThat(((Decision.Unschedulable) decision).diagnosis().message())
                .isEqualTo("no nodes available to schedule pods");
    }

    @Test
    void aPodOfAnotherSchedulerIsNotForUs() {
        Engine engine = engine(Status.SUCCESS);
        Pod pod = PodBuilder.pod("p").schedulerName("other").build();

        assertThat(engine.profileOf(pod)).isEmpty();
        assertThat(engine.profileOf(PodBuilder.pod("p").build()).orElseThrow().schedulerName())
                .isEqualTo("default-scheduler");
        assertThat(engine.profileNames()).containsExactly("default-scheduler");
        assertThatThrownBy(() -> engine.decide(pod)).hasMessageContaining("asks for scheduler \"other\"");
    }

    private static Engine engine(Status reservation) {
        PluginFactory keeper = PluginFactory.of("Keeper", Keeper.class, context -> new Keeper(reservation));
        Engine engine = new Engine(
                OneProfile.only("Keeper"),
                new PluginRegistry(List.of(keeper)),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        engine.put(NodeBuilder.node("n1").build());
        return engine;
    }

    /** Sorts the queue and keeps books. */
    private record Keeper(Status reservation) implements QueueSortPlugin, ReservePlugin {
        @Override
        public String name() {
            return "Keeper";
        }

        @Override
        public int compare(QueuedPod a, QueuedPod b) {
            return Long.compare(a.queuedAtNanos(), b.queuedAtNanos());
        }

        @Override
        public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
            return reservation;
        }

        @Override
        public void unreserve(CycleState state, PendingPod pod, String nodeName) {}
    }
}
