package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Interest;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.Change.PolicyLimit.Field;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.queue.ClusterChanges;
import io.evenkeel.rotation.Rotation;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
            if (!after.containsValue("fits")
                    && change.filter(PolicyOracleTest::isOfPodsOrNodes).isPresent()) {
                assertThat(harness.wakes(plugin, incoming, change))
                        .as("%s: %s in vain after %s", place, incoming, change)
                        .isFalse();
            }
            Pod another = drawn.pod("another").build();
            if (likeness(incoming).equals(likeness(another))) {
                assertThat(verdicts(another))
                        .as("%s: alike to %s", place, incoming)
                        .isEqualTo(after);
            }
            if (!before.containsValue("fits") && after.containsValue("fits")) {
                woken++;
                assertThat(harness.wakes(plugin, incoming, change))
                        .as("%s: %s after %s", place, incoming, change)
                        .isTrue();
                change.stream()
                        .flatMap(some -> Stream.of(some.before(), some.after()))
                        .flatMap(Optional::stream)
                        .filter(Pod.class::isInstance)
                        .findFirst()
                        .ifPresent(pod -> assertThat(isFiledBy(incoming, (Pod) pod))
                                .as("%s: %s is filed by %s", place, incoming, pod)
                                .isTrue());
            }
        }
        assertThat(woken).isPositive();
        assertThat(rejected).isPositive();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    private static boolean isOfPodsOrNodes(ClusterChange change) {
        return Stream.of(change.before(), change.after())
                .flatMap(Optional::stream)
                .anyMatch(object -> object instanceof Pod || object instanceof Node);
    }

    /** By each wake-up that has one, what the pod has in common with others. */
    private List<Object> likeness(Pod waiting) {
        return harness.with(
                waiting,
                info -> plugin.wakeUps().stream()
                        .flatMap(wakeUp -> wakeUp.likeness().stream())
                        .map(likeness -> likeness.apply(info))
                        .toList());
    }

    private boolean isFiledBy(Pod waiting, Pod changed) {
        Labels namespace = namespaces.getOrDefault(changed.namespace(), Labels.EMPTY);
        return harness.with(
                waiting,
                info -> plugin.wakeUps().stream()
                        .filter(wakeUp -> wakeUp.kinds().contains(ChangeKind.ASSIGNED_POD_DELETED))
                        .flatMap(wakeUp -> wakeUp.interest().stream())
                        .flatMap(interest -> interest.apply(info).parts().stream())
                        .map(Interest.Part.Selected.class::cast)
                        .anyMatch(part -> part.pods().matches(changed.labels())
                                && (part.namespaces().contains(changed.namespace())
                                        || part.ofNamespaces().matches(namespace))));
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

    /** By the change, the limit is in the way no longer; by a smaller one it still is. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void eachRemedyIsTheSmallestChangeOfTheFirstLimitInTheWay(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomPolicies drawn = new RandomPolicies(random);
        Map<Field, Integer> remedied = new EnumMap<>(Field.class);
        for (int step = 0; step < STEPS; step++) {
            change(random, drawn, 8);
            replaceAPolicy(random, drawn);
            for (int i = 0; i < 4; i++) {
                Pod incoming = drawn.pod("new").build();
                for (Node node : nodes.values()) {
                    String verdict = naive(policies.values(), incoming).verdict(node);
                    Optional<Field> field = Arrays.stream(Field.values())
                            .filter(one -> verdict.endsWith(": " + one.fieldName()))
                            .findFirst();
                    List<List<Change>> remedies = harness.with(incoming, pod -> plugin.remedies(pod, info(node)));
                    String place = "seed " + seed + " step " + step + ": " + verdict + " " + remedies;
                    if (field.isEmpty()) {
                        assertThat(remedies.isEmpty()).as(place).isEqualTo(!verdict.endsWith(": label"));
                    } else {
                        PolicyLimit change = (PolicyLimit) remedies.getFirst().getFirst();
                        assertThat(remedies).as(place).hasSize(1);
                        assertThat(remedies.getFirst()).as(place).hasSize(1);
                        assertThat(change.field()).as(place).isEqualTo(field.get());
                        assertThat(verdictBy(change, incoming, node)).as(place).isNotEqualTo(verdict);
                        assertThat(verdictBy((PolicyLimit) change.ofSize(change.size() - 1), incoming, node))
                                .as(place)
                                .isNotEqualTo("fits");
                        remedied.merge(field.get(), 1, Integer::sum);
                    }
                }
            }
        }
        assertThat(remedied).hasSizeGreaterThan(2);
    }

    /** By the one rule that is changed. */
    private String verdictBy(PolicyLimit change, Pod incoming, Node node) {
        PolicyObject policy =
                policies.values().stream().filter(change::isOf).findFirst().orElseThrow();
        assertThat(change.topologyKey())
                .isEqualTo(policy.spec().rules().get(change.rule()).topologyKey());
        PolicyObject changed = change.applied(policy);
        List<PolicyRule> one = List.of(changed.spec().rules().get(change.rule()));
        return naive(List.of(changed.with(changed.spec().with(one))), incoming).verdict(node);
    }

    /** It is said of a pod in place for which domains it would have waited, had these not been relaxed. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void remarksTellOfDomainsThatThePodWouldHaveWaitedFor(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomPolicies drawn = new RandomPolicies(random);
        int remarked = 0;
        for (int step = 0; step < STEPS; step++) {
            change(random, drawn, 12);
            harness.put(policies, drawn.relaxedPolicy(drawn.namespace()));
            for (int i = 0; i < 8; i++) {
                Pod incoming = drawn.pod("new").build();
                NaivePolicies naive = naive(policies.values(), incoming);
                for (Node node : nodes.values()) {
                    if (naive.verdict(node).equals("fits")) {
                        List<PodCondition> remarks = remarksOncePlaced(incoming, node);
                        assertThat(remarks.stream().map(PodCondition::message))
                                .as("seed %d step %d: %s on %s by %s", seed, step, incoming, node, policies.values())
                                .containsExactlyElementsOf(naive.remarks(node));
                        assertThat(remarks).allMatch(one -> one.reason().equals("NoRoom"));
                        remarked += remarks.size();
                    }
                }
            }
        }
        assertThat(remarked).isPositive();
    }

    private List<PodCondition> remarksOncePlaced(Pod incoming, Node node) {
        Pod placed = PodBuilder.from(incoming).nodeName(node.name()).build();
        cluster.put(placed);
        try {
            return harness.with(placed, pod -> plugin.remarks(new CycleState(), pod, node.name()));
        } finally {
            cluster.remove(placed);
        }
    }

    private NaivePolicies naive(Collection<PolicyObject> some, Pod incoming) {
        return new NaivePolicies(nodes.values(), pods.values(), some, namespaces, incoming);
    }

    private NodeInfo info(Node node) {
        return cluster.view().nodeInfo(cluster.view().nodes().find(node.name()));
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
            replaceAPolicy(random, drawn);
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

    private void replaceAPolicy(SplittableRandom random, RandomPolicies drawn) {
        String policy = "p" + random.nextInt(POLICIES);
        harness.remove(policies, policy);
        harness.put(policies, drawn.policy(policy));
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
