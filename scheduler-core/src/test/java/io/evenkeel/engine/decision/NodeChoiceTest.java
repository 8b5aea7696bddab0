package io.evenkeel.engine.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.model.build.NodeBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeChoiceTest {
    private final ClusterState cluster = new ClusterState();
    private final NodeSet best = new NodeSet();

    @Test
    void theOnlyOneIsChosen() {
        best("b");

        assertThat(chosenBy(new FirstByName())).isEqualTo("b");
        assertThat(chosenBy(new AtRandom(new SplittableRandom(1)))).isEqualTo("b");
    }

    @Test
    void amongEqualsTheFirstByNameWins() {
        best("c", "b", "a", "d");

        assertThat(chosenBy(new FirstByName())).isEqualTo("a");
    }

    @Test
    void amongEqualsEachHasTheSameChance() {
        best(IntStream.range(0, 200).mapToObj(Integer::toString).toArray(String[]::new));
        best.remove(cluster.view().nodes().find("70"));
        AtRandom choice = new AtRandom(new SplittableRandom(1));
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 199_000; i++) {
            counts.merge(chosenBy(choice), 1, Integer::sum);
        }

        assertThat(counts).hasSize(199).doesNotContainKey("70");
        assertThat(counts.values()).allMatch(count -> Math.abs(count - 1_000) < 150);
    }

    private void best(String... names) {
        for (String name : names) {
            cluster.putNode(NodeBuilder.node(name).build());
            best.add(cluster.view().nodes().find(name));
        }
    }

    private String chosenBy(NodeChoice choice) {
        return cluster.view().nodes().name(choice.choose(best, cluster.view().nodes()));
    }
}
