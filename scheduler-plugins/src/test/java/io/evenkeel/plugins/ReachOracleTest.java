package io.evenkeel.plugins;

import static io.evenkeel.plugins.RandomCluster.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.counting.Namespaces;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.volumes.ClaimBuilder;
import io.evenkeel.plugins.volumes.RandomStorage;
import io.evenkeel.plugins.volumes.VolumeBuilder;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.shard.ForeignTerms;
import io.evenkeel.shard.OtherNodes;
import io.evenkeel.shard.Reach;
import io.evenkeel.shard.Reach.ToOverseer;
import io.evenkeel.shard.Reach.ToShards;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardTrace;
import io.evenkeel.shard.ShardTrace.Attempt;
import io.evenkeel.shard.ShardTrace.Tried;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of docs/adr/019-shards.md: where a pod goes to shards, an engine that knows one shard alone finds it the nodes that an engine
 * which knows all would there, and in shards that its words leave out there are none. {@code -Devenkeel.seed=7} runs one seed,
 * {@code -Devenkeel.seeds=200} more of them.
 */
class ReachOracleTest {
    private static final int ROUNDS = Integer.getInteger("evenkeel.steps", 60);
    private static final int NODES = 9;
    private static final String POOL = "pool";
    private static final String[] KEYS = {"zone", "zone", Node.HOSTNAME, POOL};
    private static final String[] APPS = {"a", "b", "c"};

    /** One profile spreads by default, one adds an affinity, one filters in another order. */
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - schedulerName: default-scheduler
        - schedulerName: spreading
          pluginConfig:
          - name: PodTopologySpread
            args:
              defaultingType: List
              defaultConstraints:
              - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
        - schedulerName: adding
          pluginConfig:
          - name: NodeAffinity
            args:
              addedAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: zone, operator: In, values: [x]}]
                  - matchExpressions: [{key: pool, operator: NotIn, values: [z, "7"]}]
                    matchFields: [{key: metadata.name, operator: NotIn, values: [n2]}]
        - schedulerName: reordering
          plugins:
            filter:
              enabled: [{name: NodeAffinity}, {name: TaintToleration}]
        """);

    private static final String[] PROFILES = {
        "default-scheduler", "default-scheduler", "default-scheduler", "spreading", "adding", "adding", "reordering"
    };

    private final Map<String, KubernetesObject> objects = new TreeMap<>();
    private final Map<String, Integer> toOverseer = new TreeMap<>();
    private int toShards;
    private int pinned;
    private int placeable;
    private int refusedEverywhere;
    private int refusedWhereItMayGo;
    private int saidOfNobody;

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aShardFindsWhatAllWouldFindThere(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomStorage storage = new RandomStorage(seed, NODES);
        for (int round = 0; round < ROUNDS; round++) {
            drawCluster(random, storage);
            ShardMap map = map(random);
            Shards shards = new Shards(map);
            for (int i = 0; i < 25; i++) {
                shards.check(
                        waitingPod("p" + i, random, storage), "seed " + seed + "L, round " + round + ", " + map.text());
            }
        }
        assertThat(toShards).as("to shards").isGreaterThan(5 * ROUNDS);
        assertThat(pinned).as("to one shard by its words").isGreaterThan(ROUNDS);
        assertThat(placeable).as("of which there are nodes for").isGreaterThan(ROUNDS);
        assertThat(refusedEverywhere).as("of which there are none for").isGreaterThan(ROUNDS);
        assertThat(refusedWhereItMayGo)
                .as("of which there are none for in the shards that its words leave")
                .isGreaterThan(ROUNDS);
        assertThat(saidOfNobody).as("of which these have no nodes").isGreaterThan(ROUNDS / 10);
        assertThat(toOverseer.keySet().stream().map(reason -> reason.replaceAll("c\\d|p\\d+-scratch", "x")))
                .as("reasons for the overseer")
                .contains(
                        "its claim x is not bound",
                        "its claim x is ReadWriteOncePod",
                        "it is to be spread by zone",
                        "it is to be spread by default",
                        "it has required affinity to pods",
                        "it has required anti-affinity by zone",
                        "the required anti-affinity by zone of another pod matches it");
    }

    /** Engines of each shard and one of all, over the same objects. */
    private final class Shards implements Reach.Facts {
        private final ShardMap map;
        private final Engine whole = engine();
        private final List<Engine> parts = new ArrayList<>();
        private final Reach reach;
        private final ForeignTerms foreign;

        Shards(ShardMap map) {
            this.map = map;
            reach = new Reach(map, CONFIGURATION.profiles(), this);
            Namespaces.Writer namespaces = Namespaces.create();
            foreign = new ForeignTerms(map, namespaces.namespaces());
            for (int shard = 0; shard < map.count(); shard++) {
                parts.add(engine());
            }
            for (KubernetesObject object : objects.values()) {
                whole.put(object);
                for (int shard = 0; shard < map.count(); shard++) {
                    if (isKnownIn(shard, object)) {
                        parts.get(shard).put(object);
                    }
                }
                if (object instanceof Namespace) {
                    namespaces.objectChanged(Optional.empty(), Optional.of(object));
                }
                if (object instanceof Pod pod && !pod.status().isFinished()) {
                    foreign.put(pod);
                }
            }
        }

        private boolean isKnownIn(int shard, KubernetesObject object) {
            return switch (object) {
                case Node node -> map.ofNode(node) == shard;
                case Pod pod ->
                    shardOf(pod.spec().nodeName())
                                    .orElseGet(() -> map.fallbackOf(pod.spec().nodeName()))
                            == shard;
                default -> true;
            };
        }

        void check(Pod pod, String where) {
            switch (reach.of(pod)) {
                case ToOverseer(String reason) -> toOverseer.merge(reason, 1, Integer::sum);
                case ToShards(List<Integer> order) -> check(pod, order, where + ": " + pod);
            }
        }

        private void check(Pod pod, List<Integer> order, String where) {
            assertThat(order).as(where).isNotEmpty().doesNotHaveDuplicates();
            Set<String> everywhere = feasible(whole, pod);
            for (int shard = 0; shard < map.count(); shard++) {
                int each = shard;
                Set<String> there = new TreeSet<>(everywhere);
                there.removeIf(name -> map.ofNode((Node) objects.get("Node " + name)) != each);
                assertThat(order.contains(shard) ? feasible(parts.get(shard), pod) : Set.of())
                        .as("shard %d of %s, %s", shard, order, where)
                        .isEqualTo(there);
            }
            toShards++;
            pinned += order.size() == 1 ? 1 : 0;
            placeable += everywhere.isEmpty() ? 0 : 1;
            if (everywhere.isEmpty()) {
                refusedEverywhere += order.size() == map.count() ? 1 : 0;
                refusedWhereItMayGo += order.size() < map.count() ? 1 : 0;
                Tried tried = ShardTrace.NONE;
                for (int shard : order) {
                    tried = tried.with(new Attempt(shard, ShardTrace.FIRST_ROUND, message(parts.get(shard), pod)));
                }
                OtherNodes others = new OtherNodes(order.getFirst(), map, CONFIGURATION.profiles());
                objects.values().stream().filter(Node.class::isInstance).forEach(node -> others.put((Node) node));
                String joint = tried.message(order, others.whyNot(pod, order, parts.get(order.getFirst())));
                assertThat(joint).as(where).isEqualTo(message(whole, pod));
                saidOfNobody += order.stream()
                                .allMatch(shard ->
                                        parts.get(shard).cluster().nodes().count() == 0)
                        ? 1
                        : 0;
            }
        }

        @Override
        public boolean isInGang(Pod pod) {
            return false;
        }

        @Override
        public boolean asksForDevices(Pod pod) {
            return false;
        }

        @Override
        public boolean isUnderPolicy(Pod pod) {
            return false;
        }

        @Override
        public Optional<PersistentVolumeClaim> claim(String namespace, String name) {
            return Optional.ofNullable(
                    (PersistentVolumeClaim) objects.get("PersistentVolumeClaim " + namespace + "/" + name));
        }

        @Override
        public OptionalInt shardOf(String node) {
            return objects.get("Node " + node) instanceof Node known
                    ? OptionalInt.of(map.ofNode(known))
                    : OptionalInt.empty();
        }

        @Override
        public Optional<String> foreignTerm(Pod pod) {
            return foreign.matching(pod);
        }
    }

    private Set<String> feasible(Engine engine, Pod pod) {
        Set<String> names = new TreeSet<>();
        for (KubernetesObject object : objects.values()) {
            if (object instanceof Node node
                    && !(engine.assess(pod, node.name(), List.of()) instanceof Assessment.Rejected)) {
                names.add(node.name());
            }
        }
        return names;
    }

    private static String message(Engine engine, Pod pod) {
        return ((Decision.Unschedulable) engine.decide(pod)).diagnosis().message();
    }

    private static Engine engine() {
        return new Engine(
                CONFIGURATION, InTreePlugins.registry(), new FirstByName(), SchedulingCycle.Scoring.WHEN_NEEDED);
    }

    private static ShardMap map(SplittableRandom random) {
        return new ShardMap(
                random.nextBoolean()
                        ? new ShardSettings("", List.of(), 1 + random.nextInt(4), false)
                        : new ShardSettings(
                                POOL,
                                oneOf(random, List.of("x"), List.of("x", "y"), List.of("", "y")),
                                1,
                                random.nextBoolean()));
    }

    private void drawCluster(SplittableRandom random, RandomStorage storage) {
        objects.clear();
        for (String name : List.of("default", "other")) {
            ObjectMeta meta = ObjectMeta.named("", name);
            put(new Namespace(meta.withLabels(Labels.of("team", oneOf(random, "red", "blue")))));
        }
        for (int i = 0; i < NODES; i++) {
            if (random.nextInt(8) > 0) {
                put(node("n" + i, random, storage));
            }
        }
        for (int i = 0; i < 60; i++) {
            KubernetesObject object = storage.anything();
            if (!(object instanceof Node) && !(object instanceof Pod)) {
                put(object);
            }
        }
        put(ClaimBuilder.claim("c9")
                .boundTo("v9")
                .modes(VolumeTerms.READ_WRITE_ONCE_POD)
                .build());
        put(VolumeBuilder.volume("v9")
                .reservedFor("default", "c9", "c9-uid")
                .modes(VolumeTerms.READ_WRITE_ONCE_POD)
                .build());
        put(new Service(ObjectMeta.named("default", "s"), Labels.of("app", "a")));
        put(new Service(ObjectMeta.named("other", "s"), Labels.of("app", "b")));
        int carriers = random.nextInt(4);
        for (int i = 0; i < 14; i++) {
            put(placedPod("q" + i, i < carriers, random, storage));
        }
    }

    private void put(KubernetesObject object) {
        objects.put(object.kindName() + " " + object.meta().key(), object);
    }

    private static Node node(String name, SplittableRandom random, RandomStorage storage) {
        NodeBuilder node = NodeBuilder.from(storage.node(name))
                .hostname(name)
                .label("zone", oneOf(random, "x", "y", "z"))
                .allocatable("cpu", oneOf(random, "2", "4"), "pods", oneOf(random, "3", "9"));
        if (random.nextInt(4) > 0) {
            node.label(POOL, oneOf(random, "x", "y", "z", "7", ""));
        }
        if (random.nextInt(5) == 0) {
            node.taint("t", "", TaintEffect.NO_SCHEDULE);
        }
        return node.unschedulable(random.nextInt(9) == 0).build();
    }

    private static Pod placedPod(String name, boolean carries, SplittableRandom random, RandomStorage storage) {
        PodBuilder pod = PodBuilder.from(
                        random.nextInt(3) == 0
                                ? storage.pod(name)
                                : PodBuilder.pod(name).build())
                .namespace(oneOf(random, "default", "default", "other"))
                .nodeName("n" + random.nextInt(NODES + 1))
                .phase(random.nextInt(10) == 0 ? "Succeeded" : "Running")
                .terminating(random.nextInt(10) == 0)
                .label("app", oneOf(random, APPS))
                .container("cpu", oneOf(random, "0", "1"));
        if (random.nextInt(3) == 0) {
            pod.hostPort(80);
        }
        if (random.nextInt(30) == 0) {
            pod.claim("c9");
        }
        if (carries) {
            pod.podAffinity(
                    new PodAffinity(List.of(), List.of(), List.of(term(oneOf(random, KEYS), random)), List.of()));
        }
        return pod.build();
    }

    private static Pod waitingPod(String name, SplittableRandom random, RandomStorage storage) {
        boolean hasVolumes = random.nextInt(4) == 0;
        PodBuilder pod = PodBuilder.from(
                        hasVolumes ? storage.pod(name) : PodBuilder.pod(name).build())
                .namespace(oneOf(random, "default", "other"))
                .schedulerName(oneOf(random, PROFILES))
                .uid(name + random.nextInt())
                .label("app", oneOf(random, APPS))
                .container("cpu", oneOf(random, "0", "1", "2", "5"))
                .preempts(random.nextBoolean());
        if (random.nextInt(5) == 0) {
            pod.hostPort(80);
        }
        if (random.nextInt(12) == 0) {
            pod.namespace("default").claim("c9");
        }
        switch (random.nextInt(6)) {
            case 0, 1 -> pod.nodeSelector(POOL, oneOf(random, "x", "y", "z", "7", ""));
            case 2, 3 -> pod.nodeAffinity(nodeAffinity(random));
            default -> {}
        }
        switch (random.nextInt(6)) {
            case 0, 1 -> pod.spread(spread(random));
            case 2 ->
                pod.podAffinity(
                        new PodAffinity(List.of(), List.of(), List.of(term(oneOf(random, KEYS), random)), List.of()));
            case 3 ->
                pod.podAffinity(new PodAffinity(
                        random.nextBoolean() ? List.of(term(oneOf(random, KEYS), random)) : List.of(),
                        List.of(),
                        List.of(term(Node.HOSTNAME, random)),
                        List.of()));
            case 4 ->
                pod.nodeSelector(POOL, oneOf(random, "x", "y"))
                        .spread(spread(random))
                        .container("cpu", "0");
            default -> {}
        }
        return pod.build();
    }

    private static NodeAffinity nodeAffinity(SplittableRandom random) {
        List<NodeSelectorTerm> terms = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            List<NodeSelectorRequirement> labels = new ArrayList<>();
            for (int j = random.nextInt(3); j > 0; j--) {
                labels.add(requirement(random));
            }
            List<NodeSelectorRequirement> fields = random.nextInt(3) > 0
                    ? List.of()
                    : List.of(new NodeSelectorRequirement(
                            oneOf(random, NodeSelectorTerm.NAME_FIELD, NodeSelectorTerm.NAME_FIELD, "metadata.other"),
                            oneOf(random, Operator.IN, Operator.IN, Operator.NOT_IN, Operator.EXISTS),
                            oneOf(random, List.of("n" + random.nextInt(NODES)), List.of("n1", "n2"), List.of("n3"))));
            terms.add(new NodeSelectorTerm(labels, fields));
        }
        return new NodeAffinity(Optional.of(new NodeSelector(terms)), List.of());
    }

    private static NodeSelectorRequirement requirement(SplittableRandom random) {
        Operator operator = oneOf(random, Operator.values());
        List<String> values = switch (operator) {
            case IN, NOT_IN ->
                oneOf(
                        random,
                        List.of("x"),
                        List.of("y"),
                        List.of("x", "y"),
                        List.of("z", "x"),
                        List.of(""),
                        List.of("a/b"));
            case GT, LT -> List.of(oneOf(random, "6", "7", "x"));
            case EXISTS, DOES_NOT_EXIST -> random.nextInt(6) == 0 ? List.of("x") : List.of();
        };
        return new NodeSelectorRequirement(oneOf(random, POOL, POOL, "zone"), operator, values);
    }

    private static TopologySpreadConstraint spread(SplittableRandom random) {
        return new TopologySpreadConstraint(
                1,
                oneOf(random, KEYS),
                oneOf(random, WhenUnsatisfiable.DO_NOT_SCHEDULE, oneOf(random, WhenUnsatisfiable.values())),
                selector(random),
                1 + random.nextInt(3),
                oneOf(random, NodeInclusionPolicy.values()),
                oneOf(random, NodeInclusionPolicy.values()),
                List.of());
    }

    private static PodAffinityTerm term(String key, SplittableRandom random) {
        LabelSelector teams = random.nextInt(3) == 0
                ? LabelSelector.matchingLabels(Labels.of("team", oneOf(random, "red", "blue")))
                : LabelSelector.NOTHING;
        return new PodAffinityTerm(
                selector(random), key, random.nextInt(3) == 0 ? List.of("default") : List.of(), teams);
    }

    private static LabelSelector selector(SplittableRandom random) {
        return LabelSelector.matchingLabels(Labels.of("app", oneOf(random, APPS)));
    }
}
