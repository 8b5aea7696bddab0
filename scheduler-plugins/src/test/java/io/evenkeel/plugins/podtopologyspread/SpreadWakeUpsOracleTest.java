package io.evenkeel.plugins.podtopologyspread;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pod that fits nowhere is woken by exactly those changes after which it fits somewhere, by a naive recount. */
class SpreadWakeUpsOracleTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 200);
    private static final int NODES = 6;
    /** Too many for a topology to keep a set of nodes for each. */
    private static final int MANY = 80;

    private final PluginHarness cluster = PluginHarness.cluster();
    private final PodTopologySpread plugin = new PodTopologySpread(cluster.context(PodTopologySpreadArgs.defaults()));
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.evenkeel.plugins.podtopologyspread.SpreadOracleTest#seeds")
    void whateverChanges(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int woken = 0;
        for (int step = 0; step < STEPS; step++) {
            Pod waiting = RandomSpread.incoming(random);
            boolean fitBefore = fitsSomewhere(waiting);
            Optional<ClusterChange> change = change(random);
            if (!fitBefore) {
                boolean fits = fitsSomewhere(waiting);
                woken += fits ? 1 : 0;
                assertThat(cluster.wakes(plugin, waiting, change))
                        .as("seed %d step %d: %s after %s", seed, step, waiting, change)
                        .isEqualTo(fits);
            }
        }
        assertThat(woken).isPositive();
    }

    /** Every host has one that counts, or two; there are fewer than asked for, so none may have more than one. */
    @Test
    void whateverGoesWhereDomainsAreMany() {
        Pod waiting = PodBuilder.pod("waiting")
                .label("app", "foo")
                .spread(new TopologySpreadConstraint(
                        1,
                        DrawnCluster.HOSTNAME,
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.matchingLabels(Labels.of("app", "foo")),
                        2 * MANY,
                        NodeInclusionPolicy.IGNORE,
                        NodeInclusionPolicy.IGNORE,
                        List.of()))
                .build();
        for (int i = 0; i < MANY; i++) {
            cluster.put(nodes, NodeBuilder.node("n" + i).hostname("n" + i).build());
            cluster.put(pods, app("p" + i, "foo", i));
            cluster.put(pods, app("q" + i, i % 2 == 0 ? "foo" : "other", i));
        }
        for (int i = 0; i < MANY; i += 13) {
            for (String name : List.of("q" + i, "p" + i)) {
                Pod pod = pods.get(name);
                Optional<ClusterChange> change = cluster.remove(pods, name);

                assertThat(cluster.wakes(plugin, waiting, change)).as(name).isEqualTo(fitsSomewhere(waiting));
                cluster.put(pods, pod);
            }
        }
        assertThat(fitsSomewhere(waiting)).isFalse();
    }

    private static Pod app(String name, String app, int node) {
        return PodBuilder.pod(name).label("app", app).nodeName("n" + node).build();
    }

    private boolean fitsSomewhere(Pod waiting) {
        NaiveSpread naive = new NaiveSpread(nodes.values(), pods.values(), waiting);
        return nodes.values().stream().anyMatch(node -> naive.verdict(node).equals("fits"));
    }

    private Optional<ClusterChange> change(SplittableRandom random) {
        String node = "n" + random.nextInt(NODES);
        String pod = "p" + random.nextInt(2 * NODES);
        return switch (random.nextInt(8)) {
            case 0 -> cluster.put(nodes, RandomSpread.node(random, node));
            case 1 -> cluster.remove(nodes, node);
            case 2, 3 -> cluster.remove(pods, pod);
            default -> {
                PodBuilder placed = RandomSpread.labelled(random, PodBuilder.pod(pod));
                String where = Optional.ofNullable(pods.get(pod))
                        .map(known -> known.spec().nodeName())
                        .orElse(node);
                yield cluster.put(
                        pods,
                        placed.nodeName(where)
                                .terminating(random.nextInt(4) == 0)
                                .build());
            }
        };
    }
}
