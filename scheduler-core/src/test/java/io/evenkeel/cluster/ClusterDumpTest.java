package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be read of a cluster is in its dump. That equal states have equal dumps is the oracle test's to show. */
class ClusterDumpTest {
    private final ClusterState cluster = cluster("a: n1[web db] n2[]");
    private final NodeTable nodes = cluster.view().nodes();

    private List<String> linesAbout(String what) {
        return ClusterDump.of(cluster.view())
                .lines()
                .filter(line -> line.startsWith(what))
                .toList();
    }

    @Test
    void aNodeHasItsRecordAndItsSums() {
        cluster.put(
                PodBuilder.pod("big").container("memory", "64").nodeName("n1").build());

        assertThat(linesAbout("node n1 #0 Node[meta=ObjectMeta[namespace=, name=n1,"))
                .hasSize(1);
        assertThat(linesAbout("  "))
                .containsExactly(
                        "  allocatable {cpu=4000} pods=110",
                        "  requested {cpu=200, memory=64} pods=3 nonZeroCpu=300 nonZeroMemory=419430464",
                        "  allocatable {cpu=4000} pods=110",
                        "  requested {} pods=0 nonZeroCpu=0 nonZeroMemory=0");
    }

    @Test
    void aNodeThatPodsNameAndNobodyHasSeenIsAbsent() {
        cluster.put(app("early", "web").nodeName("late").build());
        assertThat(linesAbout("node late")).containsExactly("node late #2 absent");

        cluster.removePod("default/early");
        assertThat(linesAbout("node ")).hasSize(2);
    }

    @Test
    void podsComeInTheOrderInWhichTheyAreWalkedOnTheirNode() {
        cluster.assume(app("new", "web").build(), nodes.find("n1"));

        assertThat(linesAbout("pod on "))
                .extracting(line -> line.replaceAll("Pod.meta=ObjectMeta.namespace=default, name=(\\w+),.*", "$1"))
                .containsExactly("pod on n1, assumed, new", "pod on n1 p1", "pod on n1 p0");
    }

    @Test
    void whoClaimsAPortAndWhoHoldsAnImageIsInIt() {
        HostPort port = new HostPort("0.0.0.0", "TCP", 80);
        cluster.put(PodBuilder.pod("front")
                .container(ContainerBuilder.container("c").hostPort(port).build())
                .nodeName("n2")
                .build());
        cluster.put(NodeBuilder.node("n3").image(7, "web").build());

        assertThat(linesAbout("claims")).containsExactly("claims on " + port + " {n2=1}");
        assertThat(linesAbout("image")).containsExactly("image web of 7 bytes on {2}");
    }

    @Test
    void whatReadersDerivedIsInIt() {
        cluster.view().derivations().columnOverUsage(nodes::podCount);
        cluster.view().derivations().groupsOverUsage(nodes::podCount);
        cluster.view().derivations().maskOverUsage(node -> nodes.podCount(node) > 0);

        assertThat(linesAbout("column")).containsExactly("column {n1=2} all zero false");
        assertThat(linesAbout("groups")).containsExactly("groups [{1}, {0}]");
        assertThat(linesAbout("mask")).containsExactly("mask {0}");
    }
}
