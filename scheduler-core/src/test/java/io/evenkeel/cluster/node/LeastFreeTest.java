package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import org.junit.jupiter.api.Test;

class LeastFreeTest {
    private final ClusterState cluster = new ClusterState();

    LeastFreeTest() {
        for (int i = 0; i < 100; i++) {
            cluster.put(NodeBuilder.node("n" + i)
                    .allocatable("cpu", i == 3 ? "2" : "4", "memory", "8", "pods", i == 99 ? "10" : "20")
                    .build());
        }
    }

    @Test
    void eachBlockHasTheLeastOfItsOwnNodes() {
        assertThat(cpuOf(0)).isEqualTo(2_000);
        assertThat(cpuOf(1)).isEqualTo(4_000);
        assertThat(least().places(0)).isEqualTo(20);
        assertThat(least().places(1)).isEqualTo(10);
    }

    @Test
    void whatPodsTakeAndGiveBackCounts() {
        cluster.put(PodBuilder.pod("p").container("cpu", "3").nodeName("n70").build());
        assertThat(cpuOf(1)).isEqualTo(1_000);
        assertThat(cpuOf(0)).isEqualTo(2_000);

        cluster.removePod("default/p");
        assertThat(cpuOf(1)).isEqualTo(4_000);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void nodesThatAreGoneCountNoMore() {
        cluster.removeNode("n3");

        assertThat(cpuOf(0)).isEqualTo(4_000);
    }

    private long cpuOf(int block) {
        return least().of(ResourceNames.CPU, block);
    }

    private LeastFree least() {
        return cluster.view().derivations().leastFree();
    }
}
