package io.evenkeel.whatif.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.Capacity.Headroom;
import io.evenkeel.whatif.drain.Capacity.Loss;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private final ClusterSnapshot cluster =
            new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

    private static Node node(String name, int cpus) {
        return NodeBuilder.node(name)
                .hostname(name)
                .allocatable("cpu", Integer.toString(cpus), "pods", "110")
                .build();
    }

    private static PodBuilder pod(String name, String node) {
        return PodBuilder.pod(name)
                .controller(new OwnerReference("apps/v1", "ReplicaSet", "web", "uid"))
                .container("cpu", "1")
                .nodeName(node);
    }

    @Test
    void podsOfLostNodesGoElsewhereThoseOfHighPriorityFirst() {
        List.of(node("n1", 2), node("n2", 2)).forEach(cluster::put);
        cluster.put(pod("low", "n1").build());
        cluster.put(pod("high", "n1").priority(5).build());
        cluster.put(pod("there", "n2").build());
        cluster.put(PodBuilder.pod("debug").nodeName("n1").build());

        Loss loss = Capacity.lose(cluster, List.of("n1"));

        assertThat(loss.placed()).isEqualTo(1);
        assertThat(loss.waiting()).extracting(refused -> refused.pod().name()).containsExactly("low");
        assertThat(loss.gone()).extracting(Pod::name).containsExactly("debug");
        assertThat(loss.runsOut()).hasValue("Insufficient cpu");
        assertThat(cluster.podsOn("n1")).hasSize(3);
    }

    @Test
    void theTemplateFitsAsOftenAsThereIsRoom() {
        List.of(node("n1", 2), node("n2", 3)).forEach(cluster::put);
        cluster.put(pod("web", "n1").build());
        Pod template = cluster.pods().getFirst();

        assertThat(Capacity.headroom(cluster, template, 10))
                .isEqualTo(new Headroom(4, "0/2 nodes are available: 2 Insufficient cpu."));
        assertThat(Capacity.headroom(cluster, template, 2)).isEqualTo(new Headroom(2, ""));
        assertThat(Capacity.headroomWithout(cluster, List.of("n1"), template, 10)
                        .pods())
                .isEqualTo(2);
    }

    @Test
    void whatMostNodesLackIsToldAndAResourceFirst() {
        assertThat(Capacity.lack(
                        "0/9 nodes are available: 2 Insufficient cpu, 3 Insufficient memory, 4 node(s) had untolerated"
                                + " taint(s)."))
                .isEqualTo("Insufficient memory");
        assertThat(Capacity.lack("0/3 nodes are available: 2 Insufficient nvidia.com/gpu, 3 Insufficient cpu.a/b."))
                .isEqualTo("Insufficient cpu.a/b");
        assertThat(Capacity.lack("0/9 nodes are available: 9 node(s) didn't match pod topology spread constraints."))
                .isEqualTo("node(s) didn't match pod topology spread constraints");
    }
}
