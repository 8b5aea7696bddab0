package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import org.junit.jupiter.api.Test;

class ClusterStateTest {
    private final ClusterState cluster = cluster("a: n1[web] n2[]");

    private NodeInfo node(String name) {
        return cluster.view().nodeInfo(cluster.view().nodes().find(name));
    }

    @Test
    void whatPodsRequestIsCountedOnTheirNode() {
        cluster.put(app("p1", "db").container("memory", "64").nodeName("n1").build());

        assertThat(node("n1").requested("cpu")).isEqualTo(200);
        assertThat(node("n1").requested("memory")).isEqualTo(64);
        assertThat(node("n1").podCount()).isEqualTo(2);
    }

    @Test
    void aPodThatComesBeforeItsNodeCountsOnceTheNodeIsThere() {
        cluster.put(app("early", "web").nodeName("late").build());
        assertThat(cluster.view().nodes().count()).isEqualTo(2);

        cluster.put(NodeBuilder.node("late").allocatable("cpu", "1").build());
        assertThat(node("late").requested("cpu")).isEqualTo(100);
    }

    @Test
    void aNodeThatGoesLeavesItsPodsUntilTheyGoToo() {
        cluster.removeNode("n1");
        assertThat(cluster.view().pods().count()).isOne();
        assertThat(cluster.view().nodes().find("n1")).isNotNegative();

        cluster.removePod("default/p0");
        assertThat(cluster.view().nodes().find("n1")).isNegative();
    }

    @Test
    void theLastPodOfANodeThatIsNotThereCanChangeWithoutTheRowMoving() {
        cluster.put(app("early", "web").nodeName("late").build());
        int row = cluster.view().nodes().find("late");
        cluster.put(app("early", "db").nodeName("late").build());

        assertThat(cluster.view().nodes().find("late")).isEqualTo(row);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void aFinishedPodUsesNothing() {
        cluster.put(app("p0", "web").nodeName("n1").phase("Succeeded").build());

        assertThat(node("n1").requested("cpu")).isZero();
        assertThat(cluster.view().pods().count()).isZero();
    }

    @Test
    void anAssumedPodCountsUntilItsBindingIsConfirmedOrItIsForgotten() {
        Pod pending = app("new", "web").build();
        cluster.assume(pending, cluster.view().nodes().find("n2"));
        cluster.put(pending);
        assertThat(node("n2").podCount()).isOne();

        cluster.put(PodBuilder.from(pending).nodeName("n2").build());
        assertThat(cluster.view().isAssumed("default/new")).isFalse();
        assertThat(node("n2").podCount()).isOne();
        cluster.removePod("default/new");
        assertThat(node("n2").podCount()).isZero();
    }

    @Test
    void anAssumedPodThatSomebodyElseBoundElsewhereMoves() {
        Pod pending = app("new", "web").build();
        cluster.assume(pending, cluster.view().nodes().find("n2"));
        cluster.put(PodBuilder.from(pending).nodeName("n1").build());

        assertThat(node("n2").podCount()).isZero();
        assertThat(node("n1").podCount()).isEqualTo(2);
    }

    @Test
    void aPodThatWasCreatedAnewUnderTheSameNameIsNotTheOneThatWasAssumed() {
        cluster.assume(
                app("web-0", "web").uid("1").build(), cluster.view().nodes().find("n2"));
        cluster.put(app("web-0", "web").uid("2").build());

        assertThat(node("n2").podCount()).isZero();
    }

    @Test
    void nobodyIsAssumedOnANodeThatDoesNotExist() {
        assertThatThrownBy(() -> cluster.assume(app("new", "web").build(), 2))
                .hasMessageContaining("no node has id 2 to assume default/new on");
        cluster.removeNode("n2");
        assertThatThrownBy(() -> cluster.assume(app("new", "web").build(), 1))
                .hasMessageContaining("no node has id 1 to assume default/new on");
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void resourcesThatNobodyHeardOfBeforeGetAColumn() {
        cluster.put(NodeBuilder.node("n9").allocatable("example.com/gpu", "4").build());
        cluster.put(PodBuilder.pod("p9")
                .container("example.com/gpu", "1", "example.com/other", "2")
                .nodeName("n9")
                .build());

        assertThat(node("n9").allocatable("example.com/gpu")).isEqualTo(4);
        assertThat(node("n9").requested("example.com/gpu")).isEqualTo(1);
        assertThat(node("n1").requested("example.com/other")).isZero();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void podsAreCountedNotSummedUpLikeAResource() {
        cluster.put(PodBuilder.pod("p9").container("pods", "50").nodeName("n1").build());

        assertThat(node("n1").requested("pods")).isEqualTo(2);
        assertThat(node("n1").allocatable("pods")).isEqualTo(110);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void objectsGoByKindAndName() {
        Pod pod = cluster.view().pods().pod(0);
        cluster.remove(pod);
        cluster.remove(pod);
        assertThat(node("n1").podCount()).isZero();

        cluster.remove(NodeBuilder.node("n1").build());
        cluster.remove(NodeBuilder.node("n1").build());
        assertThat(cluster.view().nodes().count()).isOne();
    }

    @Test
    void whateverComesChangesAndGoesLeavesNothingBehind() {
        ClusterWriters writers = new ClusterWriters(FeatureGates.DEFAULTS, ClusterLimits.USUAL);
        ClusterState passing = new ClusterState(writers);
        passing.putNode(NodeBuilder.node("n1").build());
        passing.put(app("p", "web").nodeName("n1").build());
        passing.put(app("p", "web").nodeName("n1").phase("Running").build());
        passing.put(app("p", "db").nodeName("n1").build());
        passing.assume(app("new", "web").build(), 0);
        passing.dismiss(passing.admit(app("waiting", "web").build()));
        passing.removePod("default/p");
        passing.removePod("default/new");
        passing.removeNode("n1");
        writers.shapes.dropIdle();

        assertThat(TableSizes.of(passing).inUse()).isEmpty();
    }

    @Test
    void aRowThatIsUsedAgainKeepsNothingOfTheNodeBefore() {
        int row = cluster.view().nodes().find("n2");
        cluster.removeNode("n2");
        cluster.put(NodeBuilder.node("n3").build());

        assertThat(cluster.view().nodes().find("n3")).isEqualTo(row);
        assertThat(node("n3").allocatable("cpu")).isZero();
        assertThat(cluster.view().nodes().allowedPods(row)).isZero();
    }
}
