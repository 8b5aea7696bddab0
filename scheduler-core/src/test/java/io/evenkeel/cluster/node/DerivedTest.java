package io.evenkeel.cluster.node;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static io.evenkeel.cluster.ClusterDrawing.draw;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDrawing;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link DerivedMask}, {@link DerivedColumn}, {@link DerivedGroups} and the {@link ChangeLog} by which they catch up. */
class DerivedTest {
    private final ClusterState cluster = cluster("a: n1[] n2[]", "b: n3[]");
    private final List<String> evaluated = new ArrayList<>();
    private final DerivedMask inZoneA = cluster.view().derivations().maskOverNodes(node -> {
        evaluated.add(cluster.view().nodes().name(node));
        return cluster.view().nodes().node(node).labels().has(ClusterDrawing.ZONES.label(), "a");
    });

    @Test
    void aMaskIsWorkedOutForAllNodesTheFirstTime() {
        assertThat(draw(inZoneA.current(), cluster)).isEqualTo("n1 n2");
        assertThat(evaluated).containsExactly("n1", "n2", "n3");
    }

    @Test
    void afterThatOnlyForTheNodesThatChanged() {
        inZoneA.current();
        evaluated.clear();
        cluster.put(NodeBuilder.node("n2").zone("b").build());

        assertThat(draw(inZoneA.current(), cluster)).isEqualTo("n1");
        assertThat(draw(inZoneA.current(), cluster)).isEqualTo("n1");
        assertThat(evaluated).containsExactly("n2");
    }

    @Test
    void aMaskKnowsWhetherAllPass() {
        assertThat(inZoneA.passesAll()).isFalse();
        cluster.put(NodeBuilder.node("n3").zone("a").build());
        assertThat(inZoneA.passesAll()).isTrue();
        cluster.put(NodeBuilder.node("n4").zone("b").build());
        assertThat(inZoneA.passesAll()).isFalse();
        cluster.removeNode("n4");
        assertThat(inZoneA.passesAll()).isTrue();
    }

    @Test
    void soItIsWithColumnsAndGroups() {
        DerivedColumn pods = cluster.view().derivations().columnOverUsage(this::podCount);
        DerivedGroups byPods = cluster.view().derivations().groupsOverUsage(this::podCount);
        pods.current();
        byPods.current();
        evaluated.clear();
        cluster.put(app("p", "web").nodeName("n2").build());

        pods.current();
        byPods.current();
        assertThat(evaluated).containsExactly("n2", "n2");
    }

    private int podCount(int node) {
        evaluated.add(cluster.view().nodes().name(node));
        return cluster.view().nodes().podCount(node);
    }

    @Test
    void theVersionOfAColumnIsNewWheneverANumberIs() {
        DerivedColumn pods = cluster.view().derivations().columnOverUsage(this::podCount);
        pods.current();
        long before = pods.version();
        cluster.put(app("p", "web").nodeName("n2").build());
        pods.current();
        long after = pods.version();
        cluster.removePod("default/p");
        cluster.put(app("q", "web").nodeName("n2").build());
        pods.current();

        assertThat(after).isGreaterThan(before);
        assertThat(pods.version()).isEqualTo(after);
    }

    @Test
    void moreChangesThanNodesAreNotReadOneByOne() {
        inZoneA.current();
        evaluated.clear();
        for (int i = 0; i < 100; i++) {
            cluster.put(NodeBuilder.node("n3").zone("zone-" + i).build());
        }

        assertThat(draw(inZoneA.current(), cluster)).isEqualTo("n1 n2");
        assertThat(evaluated).containsExactly("n1", "n2", "n3");
    }

    @Test
    void aRowThatIsUsedAgainIsWorkedOutAgain() {
        inZoneA.current();
        int row = cluster.view().nodes().find("n1");
        cluster.removeNode("n1");
        assertThat(draw(inZoneA.current(), cluster)).isEqualTo("n2");

        cluster.put(NodeBuilder.node("n4").zone("b").build());
        assertThat(cluster.view().nodes().find("n4")).isEqualTo(row);
        assertThat(draw(inZoneA.current(), cluster)).isEqualTo("n2");
    }

    @Test
    void podsChangeOnlyWhatIsDerivedFromUsage() {
        DerivedColumn pods = cluster.view().derivations().columnOverUsage(this::podCount);
        inZoneA.current();
        assertThat(pods.isAllZero()).isTrue();
        evaluated.clear();
        cluster.put(app("p", "web").nodeName("n2").build());

        inZoneA.current();
        assertThat(evaluated).isEmpty();
        assertThat(pods.current()[cluster.view().nodes().find("n2")]).isOne();
        assertThat(pods.isAllZero()).isFalse();

        cluster.removePod("default/p");
        assertThat(pods.isAllZero()).isTrue();
    }

    @Test
    void aNodeIsInTheGroupOfItsNumberAloneAndInNoneWhenItIsGone() {
        DerivedGroups groups = cluster.view().derivations().groupsOverUsage(this::podCount);
        int n2 = cluster.view().nodes().find("n2");
        assertThat(groups.current().getFirst().contains(n2)).isTrue();

        cluster.put(app("p", "web").nodeName("n2").build());
        assertThat(groups.current().getFirst().contains(n2)).isFalse();
        assertThat(groups.current().get(1).contains(n2)).isTrue();

        cluster.removeNode("n2");
        assertThat(groups.current()).noneMatch(group -> group.contains(n2));
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void aColumnHasAPlaceForPodsOnNodesThatNobodyHasSeen() {
        DerivedColumn taints = cluster.view()
                .derivations()
                .columnOverNodes(
                        node -> cluster.view().nodes().node(node).taints().size());
        taints.current();
        for (int i = 0; i < 100; i++) {
            cluster.put(app("p" + i, "web").nodeName("unknown-" + i).build());
        }

        assertThat(taints.current().length)
                .isGreaterThanOrEqualTo(cluster.view().nodes().end());
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }
}
