package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.RandomCluster.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.rotation.Rotation;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where there is room, found for all nodes and kept, is where there is some by a look at every capacity and node. */
class CapacitiesTest {
    private static final int STEPS = 2_000;

    private final ClusterState cluster = new ClusterState();
    private final Capacities capacities = Capacities.of(cluster.view());
    private final NodeSet found = new NodeSet();
    private int roomy;

    static LongStream seeds() {
        return Rotation.seeds(4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsKeptOfASizeIsRightAfterEachChange(long seed) {
        RandomStorage storage = new RandomStorage(seed, 6);
        for (int step = 0; step < STEPS; step++) {
            switch (storage.random().nextInt(6)) {
                case 0 -> cluster.put(storage.node());
                case 1 -> cluster.removeNode(storage.nodeName());
                case 2 -> cluster.remove(storage.capacity());
                case 3 -> {
                    try (WhatIf whatIf = cluster.whatIf()) {
                        whatIf.put(storage.node());
                        check(storage);
                    }
                }
                default -> cluster.put(storage.capacity());
            }
            check(storage);
            assertThat(ClusterAudit.differences(cluster.view()))
                    .as("seed %dL, step %d", seed, step)
                    .isEmpty();
        }
        assertThat(roomy).isGreaterThan(STEPS / 4);
    }

    private void check(RandomStorage storage) {
        String storageClass = oneOf(storage.random(), "late", "ebs");
        long size = Quantity.parse(oneOf(storage.random(), "0", "1Gi", "2147483648", "3Gi", "6Gi"))
                .value();
        capacities.select(storageClass, size, found);
        for (int node : Verdicts.ids(cluster.view().nodes().present())) {
            boolean naively = cluster.view().objects().all(Kinds.CSI_STORAGE_CAPACITY).stream()
                    .anyMatch(
                            capacity -> capacity.storageClass().equals(storageClass) && suffices(capacity, size, node));
            assertThat(found.contains(node)).isEqualTo(naively);
            assertThat(capacities.suffices(storageClass, size, node)).isEqualTo(naively);
            roomy += naively ? 1 : 0;
        }
    }

    private boolean suffices(CsiStorageCapacity capacity, long size, int node) {
        return capacity.limit().filter(limit -> limit.value() >= size).isPresent()
                && capacity.nodes()
                        .filter(near ->
                                near.matches(cluster.view().nodes().node(node).labels()))
                        .isPresent();
    }
}
