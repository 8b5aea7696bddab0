package io.evenkeel.whatif.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.DrainPlan.Impossible;
import io.evenkeel.whatif.drain.DrainPlan.NotFound;
import io.evenkeel.whatif.drain.DrainPlan.Planned;
import io.evenkeel.whatif.drain.NaiveDrains.ANode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Small clusters, on which everything can be tried: a plan is found where there is one, and keeps what it should. */
class DrainPropertyTest {
    private static final int CLUSTERS = 1_500;

    private int planned;
    private int impossible;
    private int held;

    @Test
    void aPlanIsFoundWhereThereIsOneAndKeepsEverything() {
        for (int seed = 0; seed < CLUSTERS; seed++) {
            check(seed);
        }
        assertThat(planned).as("plans").isGreaterThan(CLUSTERS / 5);
        assertThat(impossible).as("clusters without a plan").isGreaterThan(CLUSTERS / 5);
        assertThat(held).as("plans that hold places").isPositive();
    }

    private void check(int seed) {
        NaiveDrains naive = DrawnClusters.drawn(new Random(seed));
        ClusterSnapshot cluster = DrawnClusters.snapshot(naive);
        List<Pod> before = cluster.pods();
        List<Node> nodes = cluster.nodes();
        DrainPlan plan = DrainPlanner.plan(
                cluster,
                new DrainPlanner.Request(
                        naive.nodes.stream()
                                .filter(node -> !node.isOfSurge())
                                .map(ANode::name)
                                .toList(),
                        naive.mostAway,
                        naive.nodes.stream()
                                .filter(ANode::isOfSurge)
                                .map(DrawnClusters::node)
                                .toList(),
                        false));
        assertThat(cluster.pods()).as("seed %d", seed).isEqualTo(before);
        assertThat(cluster.nodes()).as("seed %d", seed).isEqualTo(nodes);
        switch (plan) {
            case Planned(List<DrainPlan.Step> steps) -> {
                assertThat(naive.breach(steps)).as("seed %d", seed).isEmpty();
                planned++;
                held += steps.stream().anyMatch(step -> !step.held().isEmpty()) ? 1 : 0;
            }
            case Impossible(String why) -> {
                assertThat(naive.canBeDrained()).as("seed %d: %s", seed, why).isFalse();
                impossible++;
            }
            case NotFound(String why) -> throw new AssertionError("seed " + seed + ": " + why);
        }
    }
}
