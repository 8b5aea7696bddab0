package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.JointPlacer.JointTerms;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.OneProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** A cluster with the default plugins, and groups that are placed in it. */
final class GroupScene {
    static final SchedulerConfiguration WITH_POLICIES = OneProfile.with("PlacementPolicy");

    static final String ZONE = "topology.kubernetes.io/zone";
    static final String HOST = "kubernetes.io/hostname";

    final Engine engine;
    int nodes;

    GroupScene() {
        this(SchedulerConfiguration.defaults());
    }

    GroupScene(SchedulerConfiguration configuration) {
        this(configuration, SchedulingCycle.Scoring.WHEN_NEEDED);
    }

    private GroupScene(SchedulerConfiguration configuration, SchedulingCycle.Scoring scoring) {
        engine = new Engine(configuration, InTreePlugins.registry(), new FirstByName(), scoring);
    }

    /** One where all that plugins count by is there once a pod was decided. */
    static GroupScene scoringAlways() {
        return new GroupScene(SchedulerConfiguration.defaults(), SchedulingCycle.Scoring.ALWAYS);
    }

    static NodeBuilder node(String name, int pods) {
        return NodeBuilder.node(name).hostname(name).allocatable("cpu", "64", "pods", Integer.toString(pods));
    }

    GroupScene with(Node node) {
        engine.put(node);
        nodes++;
        return this;
    }

    /** A grid of racks and rows with one place a node, but for so many nodes that are lost by chance. */
    static GroupScene grid(int racks, int rows, int lost, long seed) {
        List<Node> nodes = new ArrayList<>();
        for (int rack = 0; rack < racks; rack++) {
            for (int row = 0; row < rows; row++) {
                nodes.add(node("n" + rack + "-" + row, 1)
                        .label("rack", "r" + rack)
                        .label("row", "w" + row)
                        .build());
            }
        }
        Random random = new Random(seed);
        for (int i = 0; i < lost; i++) {
            nodes.remove(random.nextInt(nodes.size()));
        }
        GroupScene scene = new GroupScene();
        nodes.forEach(scene::with);
        return scene;
    }

    static PodBuilder pod(String name, int maxSkew, String... keys) {
        PodBuilder pod = PodBuilder.pod(name).label("app", "web");
        for (String key : keys) {
            pod.spread(spread(maxSkew, key));
        }
        return pod;
    }

    static TopologySpreadConstraint spread(int maxSkew, String key) {
        return TopologySpreadConstraint.of(
                maxSkew, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.matchingLabels(Labels.of("app", "web")));
    }

    static PodAffinity awayFrom(String shard, String key) {
        PodAffinityTerm term = new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("shard", shard)), key, List.of(), LabelSelector.NOTHING);
        return new PodAffinity(List.of(), List.of(), List.of(term), List.of());
    }

    static List<Pod> pods(int count, String... keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> pod("p" + i, 1, keys).build())
                .toList();
    }

    /** Looks into the group, and that the cluster is as it was. */
    JointPlacer.Found look(List<Pod> pods) {
        return look(pods, JointTerms.MOST);
    }

    JointPlacer.Found look(List<Pod> pods, JointTerms terms) {
        pods.forEach(engine::decide);
        List<String> before = kept();
        JointPlacer.Found found = find(pods, terms);
        assertThat(kept()).isEqualTo(before);
        assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
        return found;
    }

    /** What the cluster's dump holds, but for rankings: whoever is first to choose between nodes makes one. The audit recounts them. */
    List<String> kept() {
        return ClusterDump.of(engine.cluster())
                .lines()
                .filter(line -> !line.startsWith("ranking "))
                .toList();
    }

    /** The cluster as a board. */
    Board board(Budget budget) {
        GroupParts parts = engine.forGroups();
        Map<SchedulingCycle, NodeVerdicts> judges = new HashMap<>();
        return new Board(
                parts.cluster(),
                pod -> judges.computeIfAbsent(parts.cycles().apply(pod.pod()), SchedulingCycle::verdicts),
                budget);
    }

    List<PodInfo> admit(List<Pod> pods) {
        return pods.stream().map(engine.forGroups().cluster()::admit).toList();
    }

    int id(String node) {
        return engine.cluster().nodes().find(node);
    }

    JointPlacer.Found find(List<Pod> pods, JointTerms terms) {
        return new GroupDecisions(engine.forGroups()).find(pods, terms, Budget.usual(pods.size(), nodes));
    }

    JointPlacement place(List<Pod> pods) {
        return new GroupDecisions(engine.forGroups()).place(pods, Budget.usual(pods.size(), nodes));
    }

    JointPlacer.Found placeMost(List<Pod> pods) {
        return new GroupDecisions(engine.forGroups()).placeMost(pods, Budget.usual(pods.size(), nodes));
    }

    /** Places them for good, one by one, each judged by the ordinary cycle. */
    void follow(List<Seat> order) {
        for (Seat seat : order) {
            Decision decision = new GroupDecisions(engine.forGroups()).decideOn(seat, List.of(), same -> same);
            assertThat(decision).as("%s", seat).isInstanceOf(Decision.Placed.class);
            assertThat(engine.assume(seat.pod(), (Decision.Placed) decision)).isInstanceOf(Commitment.Ready.class);
        }
    }
}
