package io.evenkeel.plugins.podtopologyspread;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Verdicts and scores equal those of a naive recount, whatever has happened to nodes and pods before. */
@Rotated(2)
class SpreadOracleTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 400);
    private static final int MANY = 260;
    private static final int STEPS_AMONG_MANY = 6;

    static LongStream seeds() {
        return Rotation.seeds(6);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithANaiveRecount(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DrawnCluster cluster = DrawnCluster.of("");
        Map<String, Node> nodes = new TreeMap<>();
        Map<String, Pod> pods = new TreeMap<>();
        int mostNodes = random.nextBoolean() ? 12 : 90;
        for (int step = 0; step < STEPS; step++) {
            change(random, cluster, nodes, pods, mostNodes);
            if (random.nextInt(4) == 0) {
                try (WhatIf whatIf = cluster.state.whatIf()) {
                    whatIf.put(RandomSpread.node(random, "n" + random.nextInt(mostNodes)));
                    nodes.keySet().stream().findFirst().ifPresent(whatIf::removeNode);
                    pods.values().stream().findFirst().ifPresent(whatIf::remove);
                }
            }
            compare("seed " + seed + " step " + step, RandomSpread.incoming(random), random, cluster, nodes, pods);
        }
    }

    /** Beyond what a topology keeps a set of nodes for each domain of: 70 racks, and a host each. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWhereDomainsAreMany(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DrawnCluster cluster = DrawnCluster.of("");
        Map<String, Node> nodes = new TreeMap<>();
        Map<String, Pod> pods = new TreeMap<>();
        for (int i = 0; i < MANY; i++) {
            Node node = RandomSpread.node(random, "n" + i);
            nodes.put("n" + i, node);
            cluster.state.putNode(node);
        }
        for (int i = 0; i < MANY; i++) {
            put(
                    RandomSpread.labelled(random, PodBuilder.pod("p" + i))
                            .nodeName("n" + random.nextInt(MANY))
                            .build(),
                    cluster,
                    pods);
        }
        for (int step = 0; step < STEPS_AMONG_MANY; step++) {
            change(random, cluster, nodes, pods, MANY);
            compare("seed " + seed + " step " + step, RandomSpread.incoming(random), random, cluster, nodes, pods);
        }
    }

    /** Where nodes are scored by how many peers they hold, some counts being only on nodes that are not feasible. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWhereManyNodesHoldPeers(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DrawnCluster cluster = DrawnCluster.of("");
        Map<String, Node> nodes = new TreeMap<>();
        Map<String, Pod> pods = new TreeMap<>();
        for (int i = 0; i < MANY; i++) {
            NodeBuilder node = NodeBuilder.node("n" + i).hostname("n" + i);
            nodes.put(
                    "n" + i,
                    random.nextInt(9) == 0
                            ? node.build()
                            : node.zone("z" + random.nextInt(3)).build());
            cluster.state.putNode(nodes.get("n" + i));
            for (int peers = random.nextInt(4) * random.nextInt(4); peers > 0; peers--) {
                put(peer("p" + pods.size()).nodeName("n" + i).build(), cluster, pods);
            }
        }
        LabelSelector peers = LabelSelector.matchingLabels(Labels.of("app", "foo"));
        for (int step = 0; step < 20; step++) {
            PodBuilder incoming = peer("new");
            int keys = 1 + random.nextInt(3);
            if ((keys & 1) != 0) {
                incoming.spread(TopologySpreadConstraint.of(
                        1, DrawnCluster.HOSTNAME, WhenUnsatisfiable.SCHEDULE_ANYWAY, peers));
            }
            if ((keys & 2) != 0) {
                incoming.spread(
                        TopologySpreadConstraint.of(2, DrawnCluster.ZONE, WhenUnsatisfiable.SCHEDULE_ANYWAY, peers));
            }
            compare("seed " + seed + " step " + step, incoming.build(), random, cluster, nodes, pods);
        }
    }

    private static PodBuilder peer(String name) {
        return PodBuilder.pod(name).label("app", "foo");
    }

    private static void compare(
            String place,
            Pod incoming,
            SplittableRandom random,
            DrawnCluster cluster,
            Map<String, Node> nodes,
            Map<String, Pod> pods) {
        NaiveSpread naive = new NaiveSpread(nodes.values(), pods.values(), incoming);
        Map<String, String> expected = new TreeMap<>();
        nodes.forEach((name, node) -> expected.put(name, naive.verdict(node)));
        Map<String, String> got = cluster.filter(incoming);
        got.replaceAll((name, verdict) ->
                verdict.equals("fits") ? "fits" : verdict.contains("missing") ? "missing" : "skewed");
        assertThat(got).as("%s: %s", place, incoming).isEqualTo(expected);

        NodeSet feasible = new NodeSet();
        List<Node> feasibleNodes = new ArrayList<>();
        // Sometimes so few that most counts are only on nodes that are not among them.
        int leftOut = random.nextBoolean() ? 1 : 19;
        nodes.forEach((name, node) -> {
            if (random.nextInt(20) >= leftOut) {
                feasible.add(cluster.state.view().nodes().find(name));
                feasibleNodes.add(node);
            }
        });
        boolean hasSoft = incoming.spec().topologySpread().stream().anyMatch(constraint -> !constraint.isHard());
        assertThat(cluster.score(incoming, feasible))
                .as("%s: %s", place, incoming)
                .isEqualTo(hasSoft ? naive.scores(feasibleNodes) : Map.of());
    }

    private static void change(
            SplittableRandom random,
            DrawnCluster cluster,
            Map<String, Node> nodes,
            Map<String, Pod> pods,
            int mostNodes) {
        String nodeName = "n" + random.nextInt(mostNodes);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                Node node = RandomSpread.node(random, nodeName);
                nodes.put(nodeName, node);
                cluster.state.putNode(node);
            }
            case 3 -> {
                nodes.remove(nodeName);
                cluster.state.removeNode(nodeName);
            }
            case 4 -> {
                String name = "p" + random.nextInt(60);
                pods.remove(name);
                cluster.state.removePod("default/" + name);
            }
            default -> {
                String name = "p" + random.nextInt(60);
                Pod pod = RandomSpread.labelled(random, PodBuilder.pod(name))
                        .terminating(random.nextInt(6) == 0)
                        .nodeName(nodeName)
                        .build();
                put(pod, cluster, pods);
            }
        }
    }

    private static void put(Pod pod, DrawnCluster cluster, Map<String, Pod> pods) {
        pods.put(pod.name(), pod);
        cluster.state.putPod(pod);
    }
}
