package io.evenkeel.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs.DefaultingType;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Profile;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.shard.Reach.ToOverseer;
import io.evenkeel.shard.Reach.ToShards;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReachTest {
    private static final String POOL = "example.com/pool";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final ShardMap HASHED = new ShardMap(new ShardSettings("", List.of(), 4, false));
    private static final ShardMap POOLS = new ShardMap(new ShardSettings(POOL, List.of("a", "b"), 1, false));

    /** The same, without an overseer. */
    private static final ShardMap ALONE = new ShardMap(new ShardSettings(POOL, List.of("a", "b"), 1, true));

    private final Known known = new Known();

    @Test
    void aPodOfItsOwnGoesRoundTheRing() {
        for (ShardMap map : List.of(HASHED, POOLS)) {
            Pod pod = pod().build();
            assertThat(shards(map, pod))
                    .isEqualTo(Arrays.stream(map.ring(pod)).boxed().toList());
        }
    }

    @Test
    void whatOneShardCannotJudgeGoesToTheOverseer() {
        assertThat(reason(pod().resourceClaim("gpu").build())).isEqualTo("it claims devices");
        assertThat(reason(pod().spread(spread(ZONE, NodeInclusionPolicy.HONOR)).build()))
                .isEqualTo("it is to be spread by topology.kubernetes.io/zone");
        assertThat(reason(pod().podAffinity(affinity(List.of(term(POOL)), List.of()))
                        .build()))
                .isEqualTo("it has required affinity to pods");
        assertThat(reason(pod().podAffinity(affinity(List.of(), List.of(term(ZONE))))
                        .build()))
                .isEqualTo("it has required anti-affinity by topology.kubernetes.io/zone");
        known.foreignTerm = Optional.of(ZONE);
        assertThat(reason(pod().build()))
                .isEqualTo("the required anti-affinity by topology.kubernetes.io/zone of another pod matches it");
        known.underPolicy = true;
        assertThat(reason(pod().build())).isEqualTo("a PlacementPolicy is about it");
        known.asksForDevices = true;
        assertThat(reason(pod().build())).isEqualTo("it claims devices");
        known.inGang = true;
        assertThat(reason(pod().build())).isEqualTo("it is in a gang");
    }

    @Test
    void softConstraintsAreWeighedWhereThePodIsDecided() {
        TopologySpreadConstraint soft =
                spread(ZONE, NodeInclusionPolicy.HONOR).whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY);
        WeightedPodAffinityTerm near = new WeightedPodAffinityTerm(1, term(ZONE));
        assertThat(shards(
                        HASHED,
                        pod().spread(soft)
                                .podAffinity(new PodAffinity(List.of(), List.of(near), List.of(), List.of(near)))
                                .build()))
                .hasSize(4);
    }

    @Test
    void antiAffinityWhoseDomainsLieInOneShardStaysThere() {
        assertThat(shards(
                        HASHED,
                        pod().podAffinity(affinity(List.of(), List.of(term("kubernetes.io/hostname"))))
                                .build()))
                .hasSize(4);
        assertThat(shards(
                        POOLS,
                        pod().podAffinity(affinity(List.of(), List.of(term(POOL))))
                                .build()))
                .hasSize(3);
        assertThat(reason(
                        HASHED,
                        pod().podAffinity(affinity(List.of(), List.of(term(POOL))))
                                .build()))
                .isNotEmpty();
    }

    @Test
    void claimsThatAreNotBoundOrOfOnePodGoToTheOverseer() {
        known.claims.put("free", claim("free", false));
        known.claims.put("bound", claim("bound", true));
        known.claims.put("single", claim("single", true, VolumeTerms.READ_WRITE_ONCE_POD));
        known.claims.put("p-scratch", claim("p-scratch", false));
        assertThat(reason(pod().claim("bound").claim("free").build())).isEqualTo("its claim free is not bound");
        assertThat(reason(pod().claim("single").build())).isEqualTo("its claim single is ReadWriteOncePod");
        assertThat(reason(pod().volume("scratch", PodVolume.Source.EPHEMERAL).build()))
                .isEqualTo("its claim p-scratch is not bound");
        assertThat(shards(HASHED, pod().claim("bound").build())).hasSize(4);
        assertThat(shards(HASHED, pod().claim("missing").build())).hasSize(4);
    }

    @Test
    void itsWordsAboutTheLabelLeaveTheShardsThatMayHaveIt() {
        assertThat(left(pod().nodeSelector(POOL, "b"))).containsOnly(1);
        assertThat(left(pod().nodeSelector(POOL, "c"))).containsOnly(2);
        assertThat(left(pod().nodeSelector("other", "b"))).containsOnly(0, 1, 2);
        assertThat(left(with(term(in("b"))))).containsOnly(1);
        assertThat(left(with(term(in("b", "c"))))).containsOnly(1, 2);
        assertThat(left(with(term(in("a", "b"))))).containsOnly(0, 1);
        assertThat(left(with(term(in("b"))).nodeSelector(POOL, "b"))).containsOnly(1);
        assertThat(left(with(term(in("a")), term(in("b"))))).containsOnly(0, 1);
        assertThat(left(with(term(in("a", "c"), in("c", "d"))))).containsOnly(2);
        assertThat(left(with(term(of(Operator.NOT_IN, "a"))))).containsOnly(1, 2);
        assertThat(left(with(term(of(Operator.NOT_IN, "c"))))).containsOnly(0, 1, 2);
        assertThat(left(with(term(of(Operator.EXISTS))))).containsOnly(0, 1, 2);
        assertThat(left(with(term(of(Operator.DOES_NOT_EXIST))))).containsOnly(2);
        assertThat(left(with(term(in("a")), term()))).containsOnly(0);
    }

    @Test
    void aPodOfOneNodeGoesToItsShard() {
        known.shards.put("n", 1);
        assertThat(shards(POOLS, daemon("n"))).containsExactly(1);
        assertThat(shards(POOLS, daemon("unheard"))).containsExactly(POOLS.fallbackOf("unheard"));
        assertThat(shards(HASHED, daemon("n")))
                .containsExactly(HASHED.ofName("n").getAsInt());
    }

    @Test
    void aPodThatNoShardCanHaveIsRefusedByOne() {
        Pod pod = with(term(in("a"))).nodeSelector(POOL, "b").build();
        assertThat(shards(POOLS, pod)).containsExactly(POOLS.ring(pod)[0]);
    }

    @Test
    void podsOfOneShardAreSpreadThereUnlessOthersCount() {
        Pod spreads = pod().nodeSelector(POOL, "b")
                .spread(spread(ZONE, NodeInclusionPolicy.HONOR))
                .build();
        assertThat(shards(ALONE, spreads)).containsExactly(1);
        assertThat(reason(POOLS, spreads))
                .as("where an overseer asks for places")
                .isNotEmpty();
        assertThat(reason(
                        ALONE,
                        pod().nodeSelector(POOL, "b")
                                .spread(spread(ZONE, NodeInclusionPolicy.IGNORE))
                                .build()))
                .isNotEmpty();
        assertThat(reason(
                        ALONE,
                        pod().nodeSelector(POOL, "b")
                                .podAffinity(affinity(List.of(), List.of(term(ZONE))))
                                .build()))
                .isNotEmpty();
    }

    @Test
    void aProfileThatSpreadsByDefaultSendsItsPodsToTheOverseer() {
        Profile spreading = Profile.completed(
                "spreading",
                OptionalInt.empty(),
                Plugins.NONE,
                Map.of(
                        "PodTopologySpread",
                        new PodTopologySpreadArgs(
                                DefaultingType.LIST, List.of(spread(ZONE, NodeInclusionPolicy.HONOR)))));
        Reach reach = new Reach(ALONE, List.of(Profile.defaults(), spreading), known);
        assertThat(reach.of(pod().schedulerName("spreading").build()))
                .isEqualTo(new ToOverseer("it is to be spread by default"));
        assertThat(reach.of(
                        pod().schedulerName("spreading").nodeSelector(POOL, "a").build()))
                .isEqualTo(new ToShards(List.of(0)));
        assertThat(reach.of(pod().build())).isInstanceOf(ToShards.class);
    }

    @Test
    void aPodForWhichOthersWentIsOfTheShardOfThatNode() {
        known.shards.put("n", 1);
        Reach reach = new Reach(POOLS, List.of(), known);
        assertThat(reach.nominatedShard(pod().nominatedNodeName("n").build())).hasValue(1);
        assertThat(reach.nominatedShard(pod().build())).isEmpty();
    }

    @Test
    void sixtyFourShardsAreAllInTheRing() {
        ShardMap most = new ShardMap(new ShardSettings("", List.of(), 64, false));
        assertThat(shards(most, pod().build())).hasSize(64);
        List<String> values = IntStream.range(0, 63).mapToObj(i -> "v" + i).toList();
        ShardMap pools = new ShardMap(new ShardSettings(POOL, values, 1, false));
        assertThat(shards(pools, with(term(of(Operator.NOT_IN, "v7"))).build()))
                .hasSize(63)
                .doesNotContain(7);
        assertThat(shards(pools, pod().nodeSelector(POOL, "x").build())).containsExactly(63);
    }

    private Set<Integer> left(PodBuilder pod) {
        return Set.copyOf(shards(POOLS, pod.build()));
    }

    private List<Integer> shards(ShardMap map, Pod pod) {
        return ((ToShards) new Reach(map, List.of(Profile.defaults()), known).of(pod)).shards();
    }

    private String reason(Pod pod) {
        return reason(HASHED, pod);
    }

    private String reason(ShardMap map, Pod pod) {
        return ((ToOverseer) new Reach(map, List.of(Profile.defaults()), known).of(pod)).reason();
    }

    private static PodBuilder pod() {
        return PodBuilder.pod("p").uid("7c1e");
    }

    private static PodBuilder with(NodeSelectorTerm... terms) {
        return pod().nodeAffinity(new NodeAffinity(Optional.of(new NodeSelector(List.of(terms))), List.of()));
    }

    private static Pod daemon(String node) {
        return with(new NodeSelectorTerm(
                        List.of(), List.of(new NodeSelectorRequirement("metadata.name", Operator.IN, List.of(node)))))
                .build();
    }

    private static NodeSelectorTerm term(NodeSelectorRequirement... labels) {
        return new NodeSelectorTerm(List.of(labels), List.of());
    }

    private static NodeSelectorRequirement in(String... values) {
        return of(Operator.IN, values);
    }

    private static NodeSelectorRequirement of(Operator operator, String... values) {
        return new NodeSelectorRequirement(POOL, operator, List.of(values));
    }

    private static TopologySpreadConstraint spread(String key, NodeInclusionPolicy policy) {
        return new TopologySpreadConstraint(
                1,
                key,
                WhenUnsatisfiable.DO_NOT_SCHEDULE,
                LabelSelector.EVERYTHING,
                1,
                policy,
                NodeInclusionPolicy.IGNORE,
                List.of());
    }

    private static PodAffinity affinity(List<PodAffinityTerm> near, List<PodAffinityTerm> away) {
        return new PodAffinity(near, List.of(), away, List.of());
    }

    private static PodAffinityTerm term(String key) {
        return new PodAffinityTerm(LabelSelector.EVERYTHING, key, List.of(), LabelSelector.NOTHING);
    }

    private static PersistentVolumeClaim claim(String name, boolean bound, String... modes) {
        ObjectMeta meta = ObjectMeta.named("default", name);
        return new PersistentVolumeClaim(
                bound ? meta.withAnnotations(Labels.of(Annotations.BIND_COMPLETED, "yes")) : meta,
                new VolumeTerms("", Set.of(modes), VolumeTerms.FILESYSTEM, ""),
                Optional.empty(),
                Optional.empty(),
                bound ? "pv-" + name : "",
                false);
    }

    /** What the test says. */
    private static final class Known implements Reach.Facts {
        boolean inGang;
        boolean asksForDevices;
        boolean underPolicy;
        Optional<String> foreignTerm = Optional.empty();
        final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
        final Map<String, Integer> shards = new HashMap<>();

        @Override
        public boolean isInGang(Pod pod) {
            return inGang;
        }

        @Override
        public boolean asksForDevices(Pod pod) {
            return asksForDevices;
        }

        @Override
        public boolean isUnderPolicy(Pod pod) {
            return underPolicy;
        }

        @Override
        public Optional<PersistentVolumeClaim> claim(String namespace, String name) {
            return Optional.ofNullable(claims.get(name));
        }

        @Override
        public OptionalInt shardOf(String node) {
            Integer shard = shards.get(node);
            return shard == null ? OptionalInt.empty() : OptionalInt.of(shard);
        }

        @Override
        public Optional<String> foreignTerm(Pod pod) {
            return foreignTerm;
        }
    }
}
