package io.evenkeel.whatif.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.Consolidation.Alone;
import io.evenkeel.whatif.drain.Consolidation.Replacement;
import io.evenkeel.whatif.drain.Consolidation.Stays;
import io.evenkeel.whatif.drain.Consolidation.Together;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import io.evenkeel.whatif.drain.NaiveDrains.ANode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Small clusters, on which everything can be tried: which nodes can go, how many together, and which offer stands in for one. */
class ConsolidationPropertyTest {
    private static final int CLUSTERS = 1_500;

    private int go;
    private int stay;
    private int held;
    private int more;
    private int replaced;
    private int irreplaceable;

    @Test
    void whatCanGoGoesAndNothingElse() {
        for (int seed = 0; seed < CLUSTERS; seed++) {
            NaiveDrains naive = DrawnClusters.drawn(new Random(seed));
            naive.nodes.removeIf(ANode::isOfSurge);
            ClusterSnapshot cluster = DrawnClusters.snapshot(naive);
            List<Pod> pods = cluster.pods();
            List<Node> nodes = cluster.nodes();
            try (Consolidation consolidation = new Consolidation(cluster)) {
                check(seed, naive, consolidation);
            }
            assertThat(cluster.pods()).as("seed %d", seed).isEqualTo(pods);
            assertThat(cluster.nodes()).as("seed %d", seed).isEqualTo(nodes);
            assertThat(ClusterAudit.differences(cluster.view()))
                    .as("seed %d", seed)
                    .isEmpty();
        }
        assertThat(List.of(go, stay)).as("nodes that go, and that stay").allMatch(nodes -> nodes > CLUSTERS / 2);
        assertThat(held).as("ways that hold places").isPositive();
        assertThat(more).as("sets of two and more").isGreaterThan(CLUSTERS / 10);
        assertThat(List.of(replaced, irreplaceable))
                .as("nodes with a stand-in, and without")
                .allMatch(nodes -> nodes > CLUSTERS / 10);
    }

    private void check(int seed, NaiveDrains naive, Consolidation consolidation) {
        List<String> names = naive.nodes.stream().map(ANode::name).toList();
        Alone alone = consolidation.alone(names);
        for (Step step : alone.go()) {
            assertThat(naive.breachOfGoing(List.of(step)))
                    .as("seed %d: %s", seed, step)
                    .isEmpty();
        }
        for (Stays stays : alone.stay()) {
            int node = names.indexOf(stays.node());
            assertThat(naive.canGo(node)).as("seed %d: %s", seed, stays).isFalse();
            checkReplacement(seed, naive, node, consolidation);
        }
        assertThat(alone.go().size() + alone.stay().size()).isEqualTo(names.size());

        Together together = consolidation.together(names);
        assertThat(naive.breachOfGoing(together.go()))
                .as("seed %d: %s", seed, together)
                .isEmpty();
        assertThat(together.go()).as("seed %d: %s", seed, together).hasSize(naive.mostThatGo());
        assertThat(together.areMost()).as("seed %d", seed).isTrue();
        held += Stream.concat(alone.go().stream(), together.go().stream())
                        .anyMatch(step -> !step.held().isEmpty())
                ? 1
                : 0;
        go += alone.go().size();
        stay += alone.stay().size();
        more += together.go().size() > 1 ? 1 : 0;
    }

    /** Offers of every size, the smallest first: the first that would do is the one. */
    private void checkReplacement(int seed, NaiveDrains naive, int node, Consolidation consolidation) {
        ANode stays = naive.nodes.get(node);
        List<ANode> offers = IntStream.range(0, stays.cpu())
                .mapToObj(cpu -> new ANode("offer" + cpu, stays.zone(), cpu, false))
                .toList();
        Optional<Replacement> found = consolidation.replacement(
                stays.name(), offers.stream().map(DrawnClusters::node).toList());
        List<Integer> does = new ArrayList<>();
        for (ANode offer : offers) {
            naive.nodes.add(new ANode(stays.name() + "-instead", stays.zone(), offer.cpu(), false));
            if (naive.canGo(node)) {
                does.add(offer.cpu());
            }
            if (found.filter(it -> it.offer().name().equals(offer.name())).isPresent()) {
                assertThat(naive.breachOfGoing(List.of(found.orElseThrow().step())))
                        .as("seed %d: %s", seed, found)
                        .isEmpty();
            }
            naive.nodes.removeLast();
        }
        assertThat(found.map(it -> it.offer().name()))
                .as("seed %d: in place of %s", seed, stays)
                .isEqualTo(does.stream().findFirst().map(cpu -> "offer" + cpu));
        replaced += found.isPresent() ? 1 : 0;
        irreplaceable += found.isPresent() ? 0 : 1;
    }
}
