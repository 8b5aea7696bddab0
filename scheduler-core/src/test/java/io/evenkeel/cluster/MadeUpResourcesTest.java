package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.node.NodeRoom;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import org.junit.jupiter.api.Test;

/** Whoever may create pods may make up resource names: they cost what the pods say, and are gone with them. */
class MadeUpResourcesTest {
    private static final int NODES = 5_000;
    private static final int NAMES = 12_000;
    /** Of cpu, memory and ephemeral storage. */
    private static final int COLUMNS = 3;

    private final ClusterWriters writers = new ClusterWriters(FeatureGates.DEFAULTS, ClusterLimits.USUAL);
    private final ClusterState cluster = new ClusterState(writers);

    private static Node node(int number, String... more) {
        return NodeBuilder.node("n" + number)
                .allocatable("cpu", "64", "memory", "256Gi", "pods", "110")
                .allocatable(more)
                .build();
    }

    private void putNodes(int count) {
        for (int number = 0; number < count; number++) {
            cluster.putNode(node(number));
        }
    }

    private static Pod pod(String name, int firstName, int names) {
        String[] requests = new String[2 * names];
        for (int i = 0; i < names; i++) {
            requests[2 * i] = "x.io/r" + (firstName + i);
            requests[2 * i + 1] = "1";
        }
        return PodBuilder.pod(name)
                .container(ContainerBuilder.container("c").requests(requests).build())
                .nodeName("n1")
                .build();
    }

    private int columns() {
        return NodeRoom.columns(cluster.view().nodes());
    }

    private int entries() {
        return NodeRoom.rareAmounts(cluster.view().nodes());
    }

    private int names() {
        return cluster.view().resources().count();
    }

    private void assertNothingIsLeft() {
        writers.shapes.dropIdle();
        assertThat(entries()).isZero();
        assertThat(columns()).isEqualTo(COLUMNS);
        assertThat(names()).isEqualTo(COLUMNS);
    }

    @Test
    void aPodWithTwelveThousandOfThemCostsAnEntryForEach() {
        putNodes(NODES);
        cluster.putPod(pod("p", 0, NAMES));

        assertThat(columns()).isEqualTo(COLUMNS);
        assertThat(entries()).isEqualTo(NAMES);
        assertThat(names()).isEqualTo(COLUMNS + NAMES);

        cluster.removePod("default/p");
        assertNothingIsLeft();
    }

    @Test
    void aThousandPodsWithTwelveEachCostAnEntryForEach() {
        putNodes(NODES);
        for (int i = 0; i < 1_000; i++) {
            cluster.putPod(pod("p" + i, 12 * i, 12));
        }

        assertThat(columns()).isEqualTo(COLUMNS);
        assertThat(entries()).isEqualTo(NAMES);

        for (int i = 0; i < 1_000; i++) {
            cluster.removePod("default/p" + i);
        }
        assertNothingIsLeft();
    }

    /** What lies idle for the next pod of its kind is limited by how much it is, not by how many pods there were. */
    @Test
    void podsThatComeAndGoLeaveLittleBehind() {
        putNodes(10);
        for (int i = 0; i < 300; i++) {
            cluster.putPod(pod("p", 1_000 * i, 1_000));
        }
        cluster.removePod("default/p");

        assertThat(cluster.view().resources().end()).isLessThan(15_000);
        assertNothingIsLeft();
    }

    @Test
    void aNodeThatOffersThousandsCostsAnEntryForEach() {
        putNodes(NODES);
        String[] offers = new String[2 * NAMES];
        for (int i = 0; i < NAMES; i++) {
            offers[2 * i] = "x.io/r" + i;
            offers[2 * i + 1] = "1";
        }
        cluster.putNode(node(7, offers));
        assertThat(columns()).isEqualTo(COLUMNS);
        assertThat(cluster.view().nodeInfo(7).allocatable("x.io/r" + (NAMES - 1)))
                .isOne();

        cluster.putNode(node(7));
        assertNothingIsLeft();
    }

    @Test
    void whatIsInPlaceCountsWhenANodeBeginsToOfferIt() {
        putNodes(10);
        cluster.putPod(pod("p", 5, 2));
        NodeInfo node = cluster.view().nodeInfo(1);
        assertThat(node.allocatable("x.io/r5")).isZero();
        assertThat(node.requested("x.io/r5")).isOne();

        for (int number = 0; number < 10; number++) {
            cluster.putNode(node(number, "x.io/r5", "4"));
            assertThat(node.requested("x.io/r5")).isOne();
        }
        assertThat(columns()).isEqualTo(COLUMNS + 1);
        assertThat(node.allocatable("x.io/r5")).isEqualTo(4);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();

        putNodes(10);
        assertThat(node.requested("x.io/r5")).isOne();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        cluster.removePod("default/p");
        assertNothingIsLeft();
    }

    /** A plugin may ask a node for anything. */
    @Test
    void askingForANameThatNobodyKnowsDoesNotMakeItKnown() {
        putNodes(1);

        assertThat(cluster.view().nodeInfo(0).allocatable("x.io/unheard-of")).isZero();
        assertThat(cluster.view().nodeInfo(0).requested("x.io/unheard-of")).isZero();
        assertThat(names()).isEqualTo(COLUMNS);
    }

    @Test
    void whatAnAuditReadsItForgets() {
        putNodes(2);
        cluster.putPod(pod("p", 0, 20));
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        cluster.removePod("default/p");

        assertNothingIsLeft();
    }
}
