package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.groups.SearchContext.Twins;
import io.evenkeel.model.Node;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ContentsTest {
    private static final int[] TWINS = {0, 0, 2};

    private static Contents with(int... nodesAndKinds) {
        Contents contents = new Contents(TWINS);
        for (int i = 0; i < nodesAndKinds.length; i += 2) {
            contents.add(nodesAndKinds[i], nodesAndKinds[i + 1]);
        }
        return contents;
    }

    @Test
    void statesAreAlikeWhicheverOfTwinsHoldsWhat() {
        assertThat(with(0, 1).state()).isEqualTo(with(1, 1).state());
        assertThat(with(0, 1, 1, 2).state()).isEqualTo(with(0, 2, 1, 1).state());
        assertThat(with(0, 1).state()).isNotEqualTo(with(2, 1).state());
        assertThat(with(0, 1, 0, 2).state()).isNotEqualTo(with(0, 1, 1, 2).state());
        assertThat(with(0, 1).state()).isNotEqualTo(with(0, 2).state());
    }

    @Test
    void itDoesNotMatterWhichPodCameFirst() {
        assertThat(with(0, 1, 0, 2, 0, 1, 2, 0).state())
                .isEqualTo(with(2, 0, 0, 2, 0, 1, 0, 1).state());
    }

    @Test
    void whatIsTakenBackIsAsIfItHadNeverCome() {
        Contents contents = with(0, 1, 0, 2, 2, 1);
        contents.remove(0, 1);
        assertThat(contents.state()).isEqualTo(with(0, 2, 2, 1).state());
        contents.remove(0, 2);
        contents.remove(2, 1);
        assertThat(contents.state()).isEqualTo(with().state());
    }

    @Test
    void aNodeLooksLikeItsTwinAsLongAsBothHoldTheSame() {
        assertThat(with(2, 0).looksOf(0)).isEqualTo(with().looksOf(1));
        assertThat(with(0, 0).looksOf(0)).isNotEqualTo(with().looksOf(1));
        assertThat(with().looksOf(3)).isNotEqualTo(with().looksOf(4));
        assertThat(with().looksOf(2)).isNotEqualTo(with().looksOf(0));
    }

    private static int[] twins(boolean areAllowed, GroupScene scene, NodeSetView... mayFit) {
        return Twins.find(scene.engine.cluster(), List.of(mayFit), areAllowed);
    }

    private static GroupScene besideAPlainOne(UnaryOperator<NodeBuilder> other) {
        return new GroupScene()
                .with(GroupScene.node("n0", 2).zone("a").build())
                .with(other.apply(GroupScene.node("n1", 2).zone("a")).build());
    }

    @Test
    void twinsDifferInNameAndHostNameAlone() {
        assertThat(twins(true, besideAPlainOne(same -> same))).containsExactly(0, 0);
        assertThat(twins(false, besideAPlainOne(same -> same))).containsExactly(0, 1);
        List<UnaryOperator<NodeBuilder>> others = List.of(
                node -> node.zone("b"),
                node -> node.label("disk", "ssd"),
                node -> node.unschedulable(true),
                node -> node.taint("a", "b", TaintEffect.NO_SCHEDULE),
                node -> node.allocatable("cpu", "64", "pods", "3"),
                node -> node.declaredFeatures(List.of("swap")));
        for (UnaryOperator<NodeBuilder> other : others) {
            Node differs = other.apply(GroupScene.node("n1", 2).zone("a")).build();
            assertThat(twins(true, besideAPlainOne(other))).as("%s", differs).containsExactly(0, 1);
        }
    }

    @Test
    void noTwinIsOneThatHoldsAPodOrThatTheFiltersTellApart() {
        GroupScene scene = besideAPlainOne(same -> same);
        NodeSet first = new NodeSet();
        first.add(0);
        NodeSet both = first.copy();
        both.add(1);

        assertThat(twins(true, scene, both)).containsExactly(0, 0);
        assertThat(twins(true, scene, both, first)).containsExactly(0, 1);
        scene.engine.put(PodBuilder.pod("there").nodeName("n0").build());
        assertThat(twins(true, scene, both)).containsExactly(0, 1);
    }

    @Test
    void whereTwoNodesHaveOneHostNameThereAreNoTwins() {
        GroupScene scene = besideAPlainOne(same -> same)
                .with(GroupScene.node("n2", 2).zone("a").hostname("n1").build());

        assertThat(twins(true, scene)).containsExactly(0, 1, 2);
        GroupScene unnamed = new GroupScene()
                .with(NodeBuilder.node("n0").build())
                .with(NodeBuilder.node("n1").build());
        assertThat(twins(true, unnamed)).containsExactly(0, 0);
    }
}
