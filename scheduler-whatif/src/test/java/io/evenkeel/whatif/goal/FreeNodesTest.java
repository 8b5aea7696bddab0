package io.evenkeel.whatif.goal;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.rebalance.MovePlan;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Empty nodes in clusters that are too large for all sets of moves to be tried. */
class FreeNodesTest {
    private final ClusterSnapshot cluster =
            new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

    private void node(String name, int cpus, int pods, boolean mayMove) {
        cluster.put(NodeBuilder.node(name)
                .hostname(name)
                .allocatable("cpu", String.valueOf(cpus), "pods", "110")
                .build());
        for (int i = 0; i < pods; i++) {
            PodBuilder pod =
                    PodBuilder.pod(name + "-" + i).container("cpu", "1").nodeName(name);
            cluster.put(
                    mayMove
                            ? pod.controller(new OwnerReference("apps/v1", "ReplicaSet", "web", "u"))
                                    .build()
                            : pod.build());
        }
    }

    /** Seven pods need two nodes of four beside those that are full of pods that cannot move. */
    @Test
    void nodesWhosePodsCannotMoveCountForWhatTheyHaveRoomFor() {
        for (int i = 0; i < 6; i++) {
            node("full-" + i, 100, 100, false);
        }
        node("a", 4, 3, true);
        node("b", 4, 2, true);
        node("c", 4, 2, true);
        node("small", 1, 1, false);

        MovePlan plan = GoalPlanner.plan(cluster, new Goal.EmptyNodes(Set.of()));

        assertThat(plan.moves()).hasSize(2);
        assertThat(plan.violationsBefore()).isEqualTo(10);
        assertThat(plan.violationsAfter()).isEqualTo(9);
        assertThat(plan.optimal()).isTrue();
    }
}
