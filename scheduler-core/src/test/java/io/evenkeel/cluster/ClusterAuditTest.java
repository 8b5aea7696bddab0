package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.ZONES;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.counting.CountingRoom;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the audit says where something is wrong; that it finds what goes wrong is the oracle test's to show. */
class ClusterAuditTest {
    private final ClusterState cluster = cluster("a: n1[web web]", "b: n2[web]");
    private final SelectorGroup web = cluster.view()
            .selectors()
            .acquire(new SelectorGroup.Key(
                    List.of(new PodMatch(
                            NamespaceScope.only("default"), LabelSelector.matchingLabels(Labels.of("app", "web")))),
                    true));

    @Test
    void whereAllIsWellItSaysNothing() {
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void aDifferenceHasBothSides() {
        CountingRoom.miscount(web.tally(), cluster.view().nodes().find("n1"));

        assertThat(ClusterAudit.differences(cluster.view()))
                .singleElement()
                .asString()
                .startsWith("group Key[")
                .endsWith("on node n1: kept 3, recounted 2");
    }

    @Test
    void aCounterThatDiffersIsNamed() {
        DomainCounter byZone =
                cluster.view().counters().acquire(web.tally(), ZONES, NodeEligibility.Key.having(ZONES.label()), true);
        CountingRoom.miscount(byZone, cluster.view().nodes().find("n2"));

        assertThat(ClusterAudit.differences(cluster.view()))
                .anyMatch(
                        line -> line.startsWith("counter by") && line.endsWith("sum of domain b: kept 2, recounted 1"))
                .anyMatch(line -> line.endsWith("total: kept 4, recounted 3"))
                .anyMatch(line -> line.endsWith("minimum: kept 2, recounted 1"));
    }

    @Test
    void aNodeColumnThatDiffersIsNamed() {
        ClusterWriters writers = new ClusterWriters(FeatureGates.DEFAULTS, ClusterLimits.USUAL);
        ClusterState miscounted = new ClusterState(writers);
        miscounted.putNode(NodeBuilder.node("n2").build());
        miscounted.putPod(
                PodBuilder.pod("p0").container("cpu", "100m").nodeName("n2").build());
        int row = writers.pods.table().find("default/p0");
        writers.nodes.addPod(
                writers.nodes.table().find("n2"),
                writers.pods.table().shape(row).value().resources().value());

        assertThat(ClusterAudit.differences(miscounted.view()))
                .contains("requested cpu of node n2: kept 200, recounted 100")
                .contains("number of pods of node n2: kept 2, recounted 1");
    }
}
