package io.evenkeel.engine.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.engine.decision.SchedulingCycle.NodeSampler;
import io.evenkeel.model.build.NodeBuilder;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NodeSamplerTest {
    @Test
    void withoutASettingAllNodesStay() {
        assertThat(sampled(new NodeSampler(cluster(500), OptionalInt.empty()), 500)
                        .size())
                .isEqualTo(500);
        assertThat(sampled(new NodeSampler(cluster(500), OptionalInt.of(0)), 500)
                        .size())
                .isEqualTo(500);
        assertThat(sampled(new NodeSampler(cluster(500), OptionalInt.of(100)), 500)
                        .size())
                .isEqualTo(500);
    }

    @Test
    void aShareOfTheNodesStaysButNeverFewerThanAHundred() {
        assertThat(sampled(new NodeSampler(cluster(500), OptionalInt.of(50)), 500)
                        .size())
                .isEqualTo(250);
        assertThat(sampled(new NodeSampler(cluster(500), OptionalInt.of(5)), 500)
                        .size())
                .isEqualTo(100);
        assertThat(sampled(new NodeSampler(cluster(80), OptionalInt.of(5)), 80).size())
                .isEqualTo(80);
    }

    @Test
    void eachPodGoesOnWhereTheOneBeforeItStopped() {
        NodeSampler sampler = new NodeSampler(cluster(300), OptionalInt.of(50));
        NodeSet first = sampled(sampler, 300);
        NodeSet second = sampled(sampler, 300);

        assertThat(first.intersects(second)).isFalse();
        assertThat(sampled(sampler, 300)).isEqualTo(first);
    }

    private static NodeSet sampled(NodeSampler sampler, int nodes) {
        NodeSet feasible = new NodeSet();
        for (int node = 0; node < nodes; node++) {
            feasible.add(node);
        }
        sampler.sample(feasible, 0);
        return feasible;
    }

    private static ClusterView cluster(int nodes) {
        ClusterState cluster = new ClusterState();
        for (int node = 0; node < nodes; node++) {
            cluster.putNode(NodeBuilder.node("n" + node).build());
        }
        return cluster.view();
    }
}
