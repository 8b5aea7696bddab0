package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.queue.ClusterChanges;
import io.evenkeel.rotation.Rotation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Verdicts and scores equal those of a naive recount, and whoever fits by a change is woken by it, whatever has happened before. */
class PolicyOracleTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 120);
    private static final int PODS = 30;
    private static final int POLICIES = 4;

    private final PluginHarness harness = PluginHarness.cluster();
    private final ClusterState cluster = harness.state();
    private final PlacementPolicyPlugin plugin = new PlacementPolicyPlugin(harness.context());
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, PolicyObject> policies = new TreeMap<>();
    private final Map<String, Labels> namespaces = new TreeMap<>();

    static LongStream seeds() {
        return Rotation.seeds(6);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithANaiveRecount(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomPolicies drawn = new RandomPolicies(random);
        int mostNodes = seed % 2 == 0 ? 12 : 100;
        int woken = 0;
        int rejected = 0;
        for (int step = 0; step < STEPS; step++) {
            String place = "seed " + seed + " step " + step;
            Pod incoming = drawn.pod("new").build();
            Map<String, String> before = verdicts(incoming);
            Optional<ClusterChange> change = change(random, drawn, mostNodes);
            if (random.nextInt(4) == 0) {
                supposeAndTakeBack(random, drawn, mostNodes);
            }
            Map<String, String> after = verdicts(incoming);
            NaivePolicies naive =
                    new NaivePolicies(nodes.values(), pods.values(), policies.values(), namespaces, incoming);
            assertThat(after)
                    .as("%s: %s by %s", place, incoming, policies.values())
                    .isEqualTo(nodes.values().stream().collect(Collectors.toMap(Node::name, naive::verdict)));
            rejected += after.containsValue("fits") ? 0 : 1;
            if (!before.containsValue("fits") && after.containsValue("fits")) {
                woken++;
                assertThat(harness.wakes(plugin, incoming, change))
                        .as("%s: %s after %s", place, incoming, change)
                        .isTrue();
            }
        }
        assertThat(woken).isPositive();
        assertThat(rejected).isPositive();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void prefersNodesAsANaiveRecountDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomPolicies drawn = new RandomPolicies(random);
        int mostScores = 0;
        for (int step = 0; step < STEPS; step++) {
            change(random, drawn, seed % 2 == 0 ? 12 : 100);
            String soft = "soft" + random.nextInt(POLICIES);
            harness.remove(policies, soft);
            harness.put(policies, drawn.softPolicy(soft));
            Pod incoming = drawn.pod("new").build();
            List<Node> feasible =
                    nodes.values().stream().filter(_ -> random.nextInt(3) > 0).toList();
            Map<String, Integer> scores = scores(incoming, feasible);
            assertThat(scores)
                    .as("seed %d step %d: %s by %s", seed, step, incoming, policies.values())
                    .isEqualTo(new NaivePolicies(nodes.values(), pods.values(), policies.values(), namespaces, incoming)
                            .scores(feasible));
            mostScores = Math.max(mostScores, Set.copyOf(scores.values()).size());
        }
        assertThat(mostScores).isGreaterThan(2);
    }

    /** None where the plugin has nothing to say. */
    private Map<String, Integer> scores(Pod incoming, List<Node> feasible) {
        return harness.preScore(plugin, incoming).isSkip()
                ? Map.of()
                : harness.scores(
                        plugin, incoming, feasible.stream().map(Node::name).collect(Collectors.toSet()));
    }

    /** As in thought, so for real: pods leave a node one by one. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void foreseesWhatComesOfPodsThatLeave(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomPolicies drawn = new RandomPolicies(random);
        for (int step = 0; step < STEPS / 2; step++) {
            change(random, drawn, 6);
            Pod incoming = drawn.pod("new").build();
            for (Node node : List.copyOf(nodes.values())) {
                List<Pod> there = pods.values().stream()
                        .filter(pod -> pod.spec().nodeName().equals(node.name()))
                        .toList();
                boolean said = harness.with(incoming, info -> saysWhetherItMayChange(info, node, there));
                assertThat(said).as("seed %d: %s on %s", seed, incoming, node).isTrue();
            }
        }
    }

    private boolean saysWhetherItMayChange(PodInfo info, Node node, List<Pod> there) {
        FilterDryRun run = plugin.dryRun(info);
        boolean mayChange = run.begin(cluster.view().nodes().find(node.name()));
        String first = run.verdict().message();
        try (WhatIf whatIf = cluster.whatIf()) {
            there.forEach(pod -> run.count(cluster.view().pods().find(pod.key()), -1));
            String foreseen = run.verdict().message();
            there.forEach(whatIf::remove);
            assertThat(foreseen)
                    .as("%s on %s without %s", info.pod(), node, there)
                    .isEqualTo(one(info, node).message());
            return mayChange || foreseen.equals(first);
        }
    }

    private Map<String, String> verdicts(Pod incoming) {
        return harness.with(incoming, this::verdicts);
    }

    private Map<String, String> verdicts(PodInfo info) {
        Map<String, String> verdicts = new TreeMap<>();
        CycleState cycle = new CycleState();
        NodeSet candidates = cluster.view().nodes().present().copy();
        PreFilterResult result = plugin.preFilter(cycle, info);
        if (result.equals(PreFilterResult.PROCEED)) {
            plugin.filterAll(cycle, info, candidates, Rejections.create().rejections());
        } else {
            assertThat(result).isEqualTo(PreFilterResult.SKIP);
        }
        nodes.values().forEach(node -> {
            Status status = one(info, node);
            assertThat(candidates.contains(cluster.view().nodes().find(node.name())))
                    .as("one by one and all at once on " + node)
                    .isEqualTo(status.isSuccess());
            verdicts.put(node.name(), status.isSuccess() ? "fits" : brief(status.message()));
        });
        return verdicts;
    }

    private Status one(PodInfo info, Node node) {
        CycleState cycle = new CycleState();
        return plugin.preFilter(cycle, info).equals(PreFilterResult.SKIP)
                ? Status.SUCCESS
                : plugin.filter(
                        cycle,
                        info,
                        cluster.view().nodeInfo(cluster.view().nodes().find(node.name())));
    }

    /** Of "node(s) didn't satisfy PlacementPolicy one (maxPods 2 over zone)" which policy, and what of it. */
    private static String brief(String message) {
        return message.replaceAll(".*Policy (\\S+) \\((?:missing )?(\\w+).*", "$1: $2");
    }

    private void supposeAndTakeBack(SplittableRandom random, RandomPolicies drawn, int mostNodes) {
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.put(drawn.node("n" + random.nextInt(mostNodes)));
            pods.values().stream().findFirst().ifPresent(whatIf::remove);
            policies.values().stream()
                    .findFirst()
                    .ifPresent(policy ->
                            whatIf.change(policy.with(drawn.policy("another").spec())));
            verdicts(drawn.pod("supposed").build());
        }
    }

    private Optional<ClusterChange> change(SplittableRandom random, RandomPolicies drawn, int mostNodes) {
        String node = "n" + random.nextInt(mostNodes);
        String pod = "p" + random.nextInt(PODS);
        String policy = "p" + random.nextInt(POLICIES);
        return switch (random.nextInt(15)) {
            case 0, 1, 2 -> harness.put(nodes, drawn.node(node));
            case 3 -> harness.remove(nodes, node);
            case 4, 5 -> harness.remove(pods, pod);
            case 6 -> {
                harness.remove(policies, policy);
                yield harness.put(policies, drawn.policy(policy));
            }
            case 7 -> harness.remove(policies, policy);
            case 8 -> {
                String name = drawn.namespace();
                Labels labels = drawn.namespaceLabels();
                Optional<KubernetesObject> before = cluster.view().objects().find("Namespace", name);
                Namespace after = new Namespace(ObjectMeta.named("", name).withLabels(labels));
                namespaces.put(name, labels);
                cluster.put(after);
                yield ClusterChanges.between(before, Optional.of(after));
            }
            case 9 ->
                pods.containsKey(pod) ? harness.put(pods, RandomPolicies.toldToGo(pods.get(pod))) : Optional.empty();
            default -> {
                harness.remove(pods, pod);
                yield harness.put(pods, drawn.placed(pod, node));
            }
        };
    }
}
