package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import org.junit.jupiter.api.Test;

class NodeInfoTest {
    private final ClusterState cluster = cluster("a: n0[web db]");

    @Test
    void itIsAWindowOnWhatTheNodeIsNow() {
        NodeInfo node = cluster.view().nodeInfo(0);
        cluster.put(app("late", "web").nodeName("n0").build());

        assertThat(LiveNode.idOf(node)).isZero();
        assertThat(node.name()).isEqualTo("n0");
        assertThat(node.node().name()).isEqualTo("n0");
        assertThat(node.podCount()).isEqualTo(3);
        assertThat(node.pods()).extracting(Pod::name).containsExactly("late", "p1", "p0");
        assertThat(node.allocatable("cpu")).isEqualTo(4000);
        assertThat(node.requested("cpu")).isEqualTo(300);
    }

    @Test
    void thereIsOneForEachNodeHoweverManyThereAre() {
        for (int i = 1; i < 300; i++) {
            cluster.put(NodeBuilder.node("n" + i).build());
        }
        NodeInfo last = cluster.view().nodeInfo(299);
        for (int i = 0; i < 300; i++) {
            assertThat(cluster.view().nodeInfo(i).name()).isEqualTo("n" + i);
            assertThat(cluster.view().nodeInfo(i)).isSameAs(cluster.view().nodeInfo(i));
        }

        assertThat(cluster.view().nodeInfo(299)).isSameAs(last);
    }
}
