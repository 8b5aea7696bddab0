package io.evenkeel.plugins;

import static io.evenkeel.model.build.ContainerBuilder.container;
import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodePortsTest {

    @Test
    void aPodWithoutHostPortsIsSkipped() {
        PluginHarness cluster = cluster(node("n").build());
        NodePorts plugin = new NodePorts(cluster.context());

        assertThat(cluster.preFilter(plugin, pod("p").container().build())).isEqualTo(PreFilterResult.SKIP);
        assertThat(cluster.preFilter(plugin, pod("p").hostPort(80).build())).isEqualTo(PreFilterResult.PROCEED);
    }

    @Test
    void aPortCanBeHadOncePerNode() {
        PluginHarness cluster = cluster(
                node("busy").build(),
                node("free").build(),
                pod("web").hostPort(80).nodeName("busy").build(),
                pod("other").hostPort(81).nodeName("free").build());

        assertThat(cluster.filterAll(
                        new NodePorts(cluster.context()), pod("p").hostPort(80).build()))
                .isEqualTo(Map.of(
                        "busy",
                        Status.unschedulable("node(s) didn't have free ports for the requested pod ports"),
                        "free",
                        Status.SUCCESS));
    }

    @Test
    void thePortIsFreeAgainOnceThePodIsGone() {
        Pod web = pod("web").hostPort(80).nodeName("n").build();
        PluginHarness cluster = cluster(node("n").build(), web);
        NodePorts plugin = new NodePorts(cluster.context());
        Pod pod = pod("p").hostPort(80).build();
        assertThat(cluster.passing(plugin, pod)).isEmpty();

        cluster.remove(web);

        assertThat(cluster.passing(plugin, pod)).containsExactly("n");
    }

    @Test
    void addressesConflictWhereTheyAreEqualOrOneIsEveryAddress() {
        assertThat(conflict("0.0.0.0", "TCP", 80, "10.0.0.1", "TCP", 80)).isTrue();
        assertThat(conflict("10.0.0.1", "TCP", 80, "0.0.0.0", "TCP", 80)).isTrue();
        assertThat(conflict("10.0.0.1", "TCP", 80, "10.0.0.1", "TCP", 80)).isTrue();
        assertThat(conflict("10.0.0.1", "TCP", 80, "10.0.0.2", "TCP", 80)).isFalse();
        assertThat(conflict("0.0.0.0", "TCP", 80, "0.0.0.0", "UDP", 80)).isFalse();
        assertThat(conflict("0.0.0.0", "TCP", 80, "0.0.0.0", "TCP", 81)).isFalse();
    }

    @Test
    void portsOfSidecarsCountAndThoseOfOtherInitContainersDoNot() {
        HostPort port = new HostPort(HostPort.EVERY_ADDRESS, "TCP", 80);
        PluginHarness cluster = cluster(
                node("setup").build(),
                node("sidecar").build(),
                pod("setup")
                        .initContainer(container("i").hostPort(port).build())
                        .nodeName("setup")
                        .build(),
                pod("sidecar")
                        .initContainer(
                                container("i").hostPort(port).sidecar(true).build())
                        .nodeName("sidecar")
                        .build());

        assertThat(cluster.passing(
                        new NodePorts(cluster.context()), pod("p").hostPort(80).build()))
                .containsExactly("setup");
    }

    @Test
    void bothFormsAgree() {
        RandomCluster any = RandomCluster.withTheSeed((random, node) -> {});
        PluginHarness cluster = any.harness();
        NodePorts plugin = new NodePorts(cluster.context());

        any.rounds(1_000, () -> {
            for (int i = 0; i < 3; i++) {
                PodBuilder placed = anyPod("p" + any.random().nextInt(60), any.random());
                cluster.put(placed.nodeName("n" + any.random().nextInt(70)).build());
                cluster.remove(pod("p" + any.random().nextInt(60)).build());
            }
            Pod pod = anyPod("waiting", any.random()).build();

            assertThat(cluster.filterAll(plugin, pod)).isEqualTo(cluster.filterEach(plugin, pod));
            if (cluster.preFilter(plugin, pod) instanceof PreFilterResult.Skip) {
                assertThat(cluster.passing(plugin, pod)).isEqualTo(cluster.names());
            }
        });
    }

    private static PodBuilder anyPod(String name, SplittableRandom random) {
        PodBuilder pod = pod(name);
        for (int i = random.nextInt(3); i > 0; i--) {
            HostPort port = new HostPort(
                    RandomCluster.oneOf(random, "0.0.0.0", "10.0.0.1", "10.0.0.2"),
                    random.nextBoolean() ? "TCP" : "UDP",
                    80 + random.nextInt(3));
            switch (random.nextInt(3)) {
                case 0 -> pod.initContainer(container("i" + i).hostPort(port).build());
                case 1 ->
                    pod.initContainer(
                            container("s" + i).hostPort(port).sidecar(true).build());
                default -> pod.container(container("c" + i).hostPort(port).build());
            }
        }
        return pod;
    }

    private static boolean conflict(
            String takenIp, String takenProtocol, int takenPort, String ip, String protocol, int port) {
        Pod taking = pod("taking")
                .container(container("c")
                        .hostPort(new HostPort(takenIp, takenProtocol, takenPort))
                        .build())
                .nodeName("n")
                .build();
        Pod wanting = pod("wanting")
                .container(container("c")
                        .hostPort(new HostPort(ip, protocol, port))
                        .build())
                .build();
        PluginHarness cluster = cluster(node("n").build(), taking);
        return cluster.passing(new NodePorts(cluster.context()), wanting).isEmpty();
    }
}
