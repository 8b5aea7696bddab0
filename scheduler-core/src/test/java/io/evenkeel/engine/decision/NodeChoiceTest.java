package io.evenkeel.engine.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.build.NodeBuilder;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeChoiceTest {
    private final ClusterState cluster = new ClusterState();
    private final NodeSet feasible = new NodeSet();

    @Test
    void theHighestTotalWins() {
        nodes("c", "b", "a");
        long[] totals = {1, 3, 2};

        assertThat(chosenBy(new FirstByName(), totals)).isEqualTo("b");
        assertThat(chosenBy(new AtRandom(new SplittableRandom(1)), totals)).isEqualTo("b");
    }

    @Test
    void amongEqualsTheFirstByNameWins() {
        nodes("c", "b", "a", "d");

        assertThat(chosenBy(new FirstByName(), new long[] {5, 7, 7, 7})).isEqualTo("a");
    }

    @Test
    void nodesThatAreNotFeasibleAreNotChosen() {
        nodes("a", "b", "c");
        feasible.remove(0);

        assertThat(chosenBy(new FirstByName(), new long[] {9, 1, 1})).isEqualTo("b");
        assertThat(chosenBy(new AtRandom(new SplittableRandom(1)), new long[] {9, 1, 0}))
                .isEqualTo("b");
    }

    @Test
    void amongEqualsEachHasTheSameChance() {
        nodes("a", "b", "c", "d");
        AtRandom choice = new AtRandom(new SplittableRandom(1));
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < 30_000; i++) {
            counts.merge(chosenBy(choice, new long[] {7, 7, 5, 7}), 1, Integer::sum);
        }

        assertThat(counts).containsOnlyKeys("a", "b", "d");
        assertThat(counts.values()).allMatch(count -> Math.abs(count - 10_000) < 400);
    }

    private void nodes(String... names) {
        for (String name : names) {
            cluster.putNode(NodeBuilder.node(name).build());
            feasible.add(cluster.view().nodes().find(name));
        }
    }

    private String chosenBy(NodeChoice choice, long[] totals) {
        return cluster.view()
                .nodes()
                .name(choice.choose(feasible, totals, cluster.view().nodes()));
    }
}
