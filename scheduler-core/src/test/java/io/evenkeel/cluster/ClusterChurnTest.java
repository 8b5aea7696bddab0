package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A year of churn does not grow memory: at a constant size every table stays as large as what it holds. */
@Rotated(3)
class ClusterChurnTest {
    private static final int CYCLES = 150_000;
    private static final int NODES = 20;
    private static final int PODS = 60;

    private final ClusterWriters writers = new ClusterWriters(FeatureGates.DEFAULTS, ClusterLimits.USUAL);
    private final ClusterState cluster = new ClusterState(writers);
    private final HeldThings held = new HeldThings(cluster);
    private final Pick pick = new Pick(new SplittableRandom(1));
    private final RandomSelectors selectors = new RandomSelectors(pick);
    private final RandomObjects objects = new RandomObjects(pick, selectors, NODES, PODS / 3);

    @Test
    void tablesStayAsLargeAsWhatTheyHold() {
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            if (cycle % 100 == 0) {
                objects.newTemplates();
            }
            churn();
        }
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        TableSizes sizes = TableSizes.of(cluster);
        assertThat(sizes.reserved().get("node rows")).isLessThanOrEqualTo(NODES + PODS);
        assertThat(sizes.reserved().get("pod rows")).isLessThanOrEqualTo(PODS);
        assertThat(sizes.reserved().get("mentioned keys")).isLessThanOrEqualTo(RandomSelectors.LABEL_KEYS + 9);
        assertThat(sizes.reserved().get("resources")).isLessThanOrEqualTo(3 + 4);
        assertThat(sizes.reserved().get("domains"))
                .isLessThanOrEqualTo(sizes.used().get("topologies") * (NODES + 1));
        List.of("shape", "resource", "toleration", "node", "port", "image", "spread", "affinity")
                .forEach(kind -> assertThat(sizes.reserved().get(kind + " facets"))
                        .as(kind + " facets")
                        .isLessThanOrEqualTo(256 + 256 + PODS + 25));

        held.releaseAll();
        takeEverythingAway();
        assertThat(TableSizes.of(cluster).inUse()).isEmpty();
    }

    private void churn() {
        switch (pick.below(10)) {
            case 0 -> cluster.put(objects.node());
            case 1 -> cluster.remove(objects.node());
            case 2, 3, 4 -> cluster.put(objects.pod());
            case 5, 6 -> cluster.remove(objects.pod());
            case 7 -> cluster.put(objects.namespace());
            case 8 -> held.apply(new ClusterEvent.AcquireGroup(pick.below(8), selectors.group()));
            default -> holdSomethingElse();
        }
    }

    private void holdSomethingElse() {
        Topology.Key topology = selectors.topology();
        switch (pick.below(4)) {
            case 0 -> held.apply(new ClusterEvent.Admit(16 + pick.below(8), objects.pendingPod()));
            case 1 -> held.apply(new ClusterEvent.Release(pick.below(24)));
            case 2 -> held.apply(new ClusterEvent.Derive(16 + pick.below(8), pick.below(5)));
            default ->
                held.apply(new ClusterEvent.AcquireCounter(
                        8 + pick.below(8), pick.below(8), topology, selectors.eligibility(topology), pick.oneIn(2)));
        }
    }

    private void takeEverythingAway() {
        for (int i = 0; i < NODES; i++) {
            cluster.removeNode("n" + i);
        }
        for (int row = 0; row < cluster.view().pods().end(); row++) {
            if (!cluster.view().pods().isFree(row)) {
                cluster.removePod(cluster.view().pods().pod(row).key());
            }
        }
        writers.shapes.dropIdle();
    }
}
