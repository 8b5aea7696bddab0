package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.Pick;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is derived from nodes, beside plain maps, while nodes and pods come, change, go and are supposed to. Some readers
 * look after each change, others so seldom that they have missed more changes than there are nodes and start again; all
 * see the same, and none works a node out twice for one look.
 */
class DerivedOracleTest {
    private static final int STEPS = 800;
    private static final int NODE_NAMES = 80;

    private final ClusterState cluster = new ClusterState();
    private final NodeTable nodes = cluster.view().nodes();
    private final Map<String, Integer> allowedPods = new HashMap<>();
    private final Map<String, String> nodesOfPods = new HashMap<>();
    private final List<DerivedReader> overNodes;
    private final List<DerivedReader> overUsage;
    private Pick pick = new Pick(new SplittableRandom(0));
    private int workedOut;

    DerivedOracleTest() {
        ClusterView view = cluster.view();
        IntUnaryOperator allowed = counted(nodes::allowedPods);
        IntUnaryOperator used = counted(nodes::podCount);
        overNodes = List.of(
                DerivedReader.of(view.derivations().maskOverNodes(isOdd(allowed))),
                DerivedReader.of(view.derivations().columnOverNodes(allowed)));
        overUsage = List.of(
                DerivedReader.of(view.derivations().maskOverUsage(isOdd(used))),
                DerivedReader.of(view.derivations().columnOverUsage(used)),
                DerivedReader.of(view.derivations().groupsOverUsage(used)),
                DerivedReader.of(view.derivations().groupsOverUsage(used, this::podsOnEach)));
    }

    /** How many pods each node of the block has, where that is told of all. */
    private int podsOnEach(int block) {
        IntSummaryStatistics pods = new IntSummaryStatistics();
        for (long bits = nodes.present().word(block); bits != 0; bits &= bits - 1) {
            pods.accept(nodes.podCount(64 * block + Long.numberOfTrailingZeros(bits)));
        }
        return pods.getMin() == pods.getMax() ? pods.getMin() : DerivedGroups.NONE;
    }

    private IntUnaryOperator counted(IntUnaryOperator numberOf) {
        return node -> {
            workedOut++;
            return numberOf.applyAsInt(node);
        };
    }

    private static IntPredicate isOdd(IntUnaryOperator numberOf) {
        return node -> numberOf.applyAsInt(node) % 2 == 1;
    }

    /** Each of them looks after one change in so many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 30, 150})
    void readersSeeWhatThereIsHoweverSeldomTheyLook(int pace) {
        pick = new Pick(new SplittableRandom(pace));
        for (int step = 0; step < STEPS; step++) {
            if (pick.oneIn(30)) {
                suppose(pace);
            } else {
                change();
            }
            lookAfterOneChangeIn(pace);
        }
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    private void change() {
        Node node = NodeBuilder.node(nodeName())
                .allocatable("pods", "" + pick.below(4))
                .build();
        Pod pod = PodBuilder.pod("p" + pick.below(100)).nodeName(nodeName()).build();
        switch (pick.below(8)) {
            case 0, 1, 2 -> {
                cluster.put(node);
                allowedPods.put(node.name(), allowedPodsOf(node));
            }
            case 3 -> {
                cluster.remove(node);
                allowedPods.remove(node.name());
            }
            case 4 -> {
                cluster.remove(pod);
                nodesOfPods.remove(pod.name());
            }
            default -> {
                cluster.put(pod);
                nodesOfPods.put(pod.name(), pod.spec().nodeName());
            }
        }
    }

    private void suppose(int pace) {
        Map<String, Integer> allowedBefore = Map.copyOf(allowedPods);
        Map<String, String> podsBefore = Map.copyOf(nodesOfPods);
        try (WhatIf whatIf = cluster.whatIf()) {
            pick.exactly(pick.below(6), this::nodeName).forEach(name -> {
                supposeGoneOrFilled(whatIf, name);
                lookAfterOneChangeIn(pace);
            });
        }
        allowedPods.clear();
        allowedPods.putAll(allowedBefore);
        nodesOfPods.clear();
        nodesOfPods.putAll(podsBefore);
    }

    private void supposeGoneOrFilled(WhatIf whatIf, String node) {
        if (pick.oneIn(2) || !allowedPods.containsKey(node)) {
            whatIf.removeNode(node);
            allowedPods.remove(node);
        } else {
            Pod pod = PodBuilder.pod("p" + pick.below(100)).build();
            whatIf.place(pod, nodes.find(node));
            nodesOfPods.put(pod.name(), node);
        }
    }

    private String nodeName() {
        return "n" + pick.below(NODE_NAMES);
    }

    private static int allowedPodsOf(Node node) {
        return (int) node.allocatable().get("pods").value();
    }

    private void lookAfterOneChangeIn(int pace) {
        Map<String, Integer> used = new HashMap<>();
        allowedPods.keySet().forEach(name -> used.put(name, 0));
        nodesOfPods.values().forEach(name -> used.computeIfPresent(name, (absent, pods) -> pods + 1));
        overNodes.stream().filter(reader -> pick.oneIn(pace)).forEach(reader -> look(reader, allowedPods));
        overUsage.stream().filter(reader -> pick.oneIn(pace)).forEach(reader -> look(reader, used));
    }

    private void look(DerivedReader reader, Map<String, Integer> numbers) {
        workedOut = 0;
        Map<String, Integer> seen = new HashMap<>();
        Map<String, Integer> expected = new HashMap<>();
        for (int node = 0; node < nodes.end(); node++) {
            seen.put(nodes.name(node), reader.seenAt().applyAsInt(node));
            expected.put(nodes.name(node), 0);
        }
        numbers.forEach((name, number) -> expected.put(name, reader.expectedOf().applyAsInt(number)));

        assertThat(seen).isEqualTo(expected);
        assertThat(workedOut).isLessThanOrEqualTo(nodes.count());
    }
}
