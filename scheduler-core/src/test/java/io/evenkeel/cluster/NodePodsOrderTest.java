package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pods of a node are in the reference's order, the newest first, whatever is supposed in between. */
class NodePodsOrderTest {
    private static final int NODES = 3;
    private static final int PODS = 12;

    private final ClusterState cluster = new ClusterState();
    /** By node, as the reference has them: the newest is the last. */
    private final Map<String, List<String>> expected = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isTheReferencesOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int node = 0; node < NODES; node++) {
            cluster.put(NodeBuilder.node("n" + node).build());
            expected.put("n" + node, new ArrayList<>());
        }
        for (int i = 0; i < 400; i++) {
            Pod pod = PodBuilder.pod("p" + random.nextInt(PODS))
                    .nodeName("n" + random.nextInt(NODES))
                    .label("app", random.nextInt(2) == 0 ? "a" : "b")
                    .build();
            switch (random.nextInt(5)) {
                case 0 -> {
                    cluster.remove(pod);
                    leave(pod);
                }
                case 1 -> suppose(random);
                default -> {
                    cluster.put(pod);
                    leave(pod);
                    expected.get(pod.spec().nodeName()).add(pod.key());
                }
            }
            expected.forEach((node, pods) -> assertThat(podsOf(node)).isEqualTo(pods.reversed()));
            assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        }
    }

    private List<String> podsOf(String node) {
        return cluster.view().nodeInfo(cluster.view().nodes().find(node)).pods().stream()
                .map(Pod::key)
                .toList();
    }

    private void leave(Pod pod) {
        for (List<String> pods : expected.values()) {
            int place = pods.indexOf(pod.key());
            if (place >= 0) {
                pods.set(place, pods.getLast());
                pods.removeLast();
            }
        }
    }

    private void suppose(SplittableRandom random) {
        try (WhatIf whatIf = cluster.whatIf()) {
            for (int i = 0; i < 6; i++) {
                Pod pod = PodBuilder.pod("p" + random.nextInt(PODS)).build();
                if (random.nextBoolean()) {
                    whatIf.remove(pod);
                } else {
                    whatIf.place(pod, random.nextInt(NODES));
                }
            }
        }
    }
}
