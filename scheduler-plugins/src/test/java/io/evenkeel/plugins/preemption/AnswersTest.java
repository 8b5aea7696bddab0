package io.evenkeel.plugins.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.node.ChangeLog;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.plugins.preemption.Answers.Harm;
import io.evenkeel.rotation.Rotation;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The best of the answers is the best of each block of nodes, however they came, went and changed. */
class AnswersTest {
    private static final int NODES = 200;
    private static final int STEPS = 2_000;

    private final NodeTable nodes = nodes();
    private final ChangeLog changes = new ChangeLog(64);
    private final Answers answers = new Answers(nodes);
    /** By node that is known; nothing where the pod does not fit. */
    private final Map<Integer, Optional<Fixed>> known = new TreeMap<>();

    private record Fixed(long violations, int highestPriority, long prioritySum, int victimCount, String earliestStart)
            implements Harm {}

    private static NodeTable nodes() {
        ClusterState cluster = new ClusterState();
        for (int node = 0; node < NODES; node++) {
            cluster.put(NodeBuilder.node("n" + node).build());
        }
        return cluster.view().nodes();
    }

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theBestIsThatOfAllThatAreAskedFor(long seed) {
        answers.catchUp(changes);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int step = 0; step < STEPS; step++) {
            change(random);
            NodeSet among = new NodeSet();
            known.keySet().stream().filter(_ -> random.nextInt(4) > 0).forEach(among::add);
            assertThat(answers.best(among)).as("seed %d, step %d", seed, step).isEqualTo(best(among));
        }
    }

    private void change(RandomGenerator random) {
        int node = random.nextInt(NODES);
        if (random.nextInt(3) == 0) {
            int often = random.nextInt(100) == 0 ? 65 : 1;
            for (int i = 0; i < often; i++) {
                changes.append(node);
            }
            answers.catchUp(changes);
            if (often > 1) {
                known.clear();
            }
            known.remove(node);
        } else if (random.nextInt(4) == 0) {
            answers.reject(node, NodeDryRun.NO_VICTIMS, 0, "");
            known.put(node, Optional.empty());
        } else {
            Fixed harm = new Fixed(
                    random.nextInt(2),
                    random.nextInt(2) - 1,
                    random.nextInt(2),
                    1 + random.nextInt(2),
                    "2026-01-0" + (1 + random.nextInt(2)));
            answers.put(node, harm);
            known.put(node, Optional.of(harm));
            assertThat(answers.verdict(node)).isEqualTo(Status.SUCCESS);
        }
    }

    private int best(NodeSet among) {
        Comparator<Map.Entry<Integer, Fixed>> least = Map.Entry.comparingByValue(Comparator.comparing(Fixed::violations)
                .thenComparing(Fixed::highestPriority)
                .thenComparing(Fixed::prioritySum)
                .thenComparing(Fixed::victimCount)
                .thenComparing(Fixed::earliestStart, Comparator.reverseOrder()));
        return known.entrySet().stream()
                .filter(entry ->
                        among.contains(entry.getKey()) && entry.getValue().isPresent())
                .map(entry -> Map.entry(entry.getKey(), entry.getValue().orElseThrow()))
                .min(least.thenComparing(entry -> nodes.name(entry.getKey())))
                .map(Map.Entry::getKey)
                .orElse(-1);
    }
}
