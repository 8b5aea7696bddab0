package io.evenkeel.cluster.counting;

import static io.evenkeel.cluster.ClusterDrawing.ZONES;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static io.evenkeel.cluster.ClusterDrawing.draw;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.model.build.NodeBuilder;
import org.junit.jupiter.api.Test;

class TopologyTest {
    private static final Topology.Key HOSTS = new Topology.Key("kubernetes.io/hostname", false);

    @Test
    void nodesWithOneValueAreOneDomain() {
        ClusterState cluster = cluster("a: n1[] n2[]", "b: n3[]");
        Topology zones = cluster.view().counters().acquireTopology(ZONES);

        assertThat(zones.domainCount()).isEqualTo(2);
        int a = zones.domainOf(cluster.view().nodes().find("n1"));
        assertThat(zones.value(a)).isEqualTo("a");
        assertThat(zones.nodeCount(a)).isEqualTo(2);
        assertThat(draw(zones.nodesOf(a), cluster)).isEqualTo("n1 n2");
    }

    @Test
    void aNodeWithoutTheLabelIsInNoDomain() {
        ClusterState cluster = cluster("-: n1[]", "a: n2[]");
        Topology zones = cluster.view().counters().acquireTopology(ZONES);

        assertThat(zones.domainOf(cluster.view().nodes().find("n1"))).isEqualTo(Topology.NO_DOMAIN);
        assertThat(zones.domainCount()).isOne();
    }

    @Test
    void whatIsAskedOfAllNodesAgreesWithWhatIsAskedOfEach() {
        ClusterState cluster = cluster("a: n1[] n2[]", "b: n3[]", "-: n4[]");
        Topology zones = cluster.view().counters().acquireTopology(ZONES);

        assertThat(draw(zones.nodes(), cluster)).isEqualTo("n1 n2 n3");
        assertThat(zones.nodeCount()).isEqualTo(3);
        assertThat(zones.has("b")).isTrue();
        assertThat(zones.has("c")).isFalse();
        int[] domains = new Topology.Column().of(zones, 200);
        for (int node = 0; node < 200; node++) {
            assertThat(domains[node]).isEqualTo(zones.domainOf(node));
        }
        assertThat(zones.domainOf(1_000)).isEqualTo(Topology.NO_DOMAIN);
    }

    @Test
    void unlessAbsentMeansEmpty() {
        ClusterState cluster = cluster("-: n1[]", "a: n2[]");
        cluster.put(NodeBuilder.node("n3").zone("").build());
        Topology zones = cluster.view().counters().acquireTopology(new Topology.Key(ZONES.label(), true));

        int empty = zones.domainOf(cluster.view().nodes().find("n1"));
        assertThat(zones.value(empty)).isEmpty();
        assertThat(draw(zones.nodesOf(empty), cluster)).isEqualTo("n1 n3");
    }

    @Test
    void anIdIsUsedAgainAfterItsDomainLostItsLastNode() {
        ClusterState cluster = cluster("a: n1[]");
        Topology zones = cluster.view().counters().acquireTopology(ZONES);
        for (int i = 0; i < 1000; i++) {
            cluster.put(NodeBuilder.node("n1").zone("zone-" + i).build());
        }

        assertThat(zones.end()).isEqualTo(1);
        assertThat(zones.value(0)).isEqualTo("zone-999");
    }

    @Test
    void nodeSetsAreKeptWhileThereAreFewDomains() {
        ClusterState cluster = new ClusterState();
        Topology hosts = cluster.view().counters().acquireTopology(HOSTS);
        for (int i = 0; i < 64; i++) {
            cluster.put(NodeBuilder.node("n" + i).hostname("h" + i).build());
        }
        assertThat(hosts.hasNodeSets()).isTrue();
        assertThat(draw(hosts.nodesOf(hosts.domainOf(63)), cluster)).isEqualTo("n63");

        cluster.put(NodeBuilder.node("n64").hostname("h64").build());
        assertThat(hosts.hasNodeSets()).isFalse();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();

        cluster.removeNode("n64");
        cluster.removeNode("n0");
        assertThat(hosts.domainCount()).isEqualTo(63);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void aTopologyIsSharedAndGoesWithItsLastUser() {
        ClusterState cluster = cluster("a: n1[]");
        Topology zones = cluster.view().counters().acquireTopology(ZONES);
        assertThat(cluster.view().counters().acquireTopology(ZONES)).isSameAs(zones);

        cluster.view().counters().release(zones);
        assertThat(cluster.view().counters().topologies()).containsExactly(zones);
        cluster.view().counters().release(zones);
        assertThat(cluster.view().counters().topologies()).isEmpty();
    }

    /** As many as a pod may name: they take no room by node, whatever the nodes' other labels are. */
    @Test
    void labelsThatFewNodesHaveTakeNoColumn() {
        ClusterState cluster = cluster();
        for (int i = 0; i < 1_000; i++) {
            NodeBuilder node = NodeBuilder.node("n" + i).zone("z" + i % 3);
            cluster.put((i % 100 == 7 ? node.label("rack", "r" + i % 200) : node).build());
        }
        DomainCounters counters = cluster.view().counters();
        Topology nowhere = counters.acquireTopology(new Topology.Key("absent", false));
        Topology racks = counters.acquireTopology(new Topology.Key("rack", false));
        Topology zones = counters.acquireTopology(ZONES);

        assertThat(nowhere.room()).isZero();
        assertThat(racks.room()).isLessThan(100);
        assertThat(zones.room()).isGreaterThanOrEqualTo(1_000);
        int[] none = new Topology.Column().of(nowhere, 1_000);
        int[] rackOf = new Topology.Column().of(racks, 1_000);
        for (int node = 0; node < 1_000; node++) {
            assertThat(none[node]).isEqualTo(Topology.NO_DOMAIN);
            assertThat(rackOf[node]).isEqualTo(racks.domainOf(node));
        }
        assertThat(racks.domainCount()).isEqualTo(2);

        for (int i = 0; i < 1_000; i++) {
            cluster.put(NodeBuilder.node("n" + i).label("rack", "r" + i % 5).build());
        }
        assertThat(racks.room()).isGreaterThanOrEqualTo(1_000);
        assertThat(zones.room()).isZero();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }
}
