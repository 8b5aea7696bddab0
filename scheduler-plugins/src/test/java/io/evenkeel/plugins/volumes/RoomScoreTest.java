package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.capacity;
import static io.evenkeel.plugins.volumes.StorageObjects.driver;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.StorageObjects.nodesWith;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.config.PluginArgs.VolumeBindingArgs;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import io.evenkeel.plugins.volumes.NodeSearch.VolumePlan;
import io.evenkeel.rotation.Rotated;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How nodes are scored by the room that there is for a pod's volumes. */
class RoomScoreTest {
    private static final String DRIVER = "disk.example";
    private static final FeatureGates ON = FeatureGates.with(Map.of("StorageCapacityScoring", true));

    private final PluginHarness cluster = PluginHarness.cluster(ON, late("late", DRIVER), driver(DRIVER, true));
    private final Pod pod = pod("p").claim("c").build();

    private void put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            cluster.put(object);
        }
    }

    private void putNodes(String... names) {
        for (String name : names) {
            put(node(name).label("name", name).build());
        }
    }

    private Map<String, Integer> scores(Pod of) {
        return scores(new VolumeBinding(cluster.context()), of);
    }

    /** Of the nodes that the pod may go to. */
    private Map<String, Integer> scores(VolumeBinding plugin, Pod of) {
        ClusterView view = cluster.state().view();
        return Verdicts.with(cluster.state(), of, info -> {
            CycleState state = new CycleState();
            NodeSet feasible = view.nodes().present().copy();
            PreFilterResult result = plugin.preFilter(state, info);
            if (result instanceof PreFilterResult.Rejected) {
                return Map.of();
            }
            if (!(result instanceof PreFilterResult.Skip)) {
                plugin.filterAll(state, info, feasible, Rejections.create().rejections());
            }
            assertThat(plugin.preScore(state, info, view.nodeInfos(feasible))).isEqualTo(Status.SUCCESS);
            NodeScores scores = new NodeScores();
            plugin.scoreAll(state, info, feasible, scores);
            Map<String, Integer> byName = new TreeMap<>();
            Verdicts.ids(feasible).forEach(node -> byName.put(view.nodes().name(node), scores.of(node)));
            return byName;
        });
    }

    @Test
    void theLessOfTheRoomIsTakenTheBetter() {
        putNodes("n1", "n2", "n3", "n4");
        put(claim("c").size("5Gi").build());
        put(volume("v1").size("5Gi").on("name", "n1").build());
        put(volume("v2").size("10Gi").on("name", "n2").build());
        put(capacity("k3", "late", nodesWith("name", "n3"), "100Gi", ""));
        put(capacity("k4", "late", nodesWith("name", "n4"), "", "100Gi"));

        assertThat(scores(pod)).isEqualTo(Map.of("n1", 0, "n2", 50, "n3", 95, "n4", 0));
    }

    @Test
    void theRoomOfAClassIsThereOnceForAllOfThePodsVolumes() {
        putNodes("n");
        put(claim("c").size("30Gi").build(), claim("d").size("20Gi").build());
        put(capacity("k", "late", nodesWith("name", "n"), "100Gi", ""));

        assertThat(scores(pod("p").claim("c").claim("d").build())).containsEntry("n", 50);
    }

    @Test
    void classesCountAlikeAndHalvesAreRoundedUp() {
        putNodes("n");
        put(late("other", DRIVER), claim("c").size("10Gi").build());
        put(claim("d").storageClass("other").size("1Gi").build());
        put(capacity("k", "late", nodesWith("name", "n"), "100Gi", ""));
        put(capacity("o", "other", nodesWith("name", "n"), "4Gi", ""));

        assertThat(scores(pod("p").claim("c").claim("d").build())).containsEntry("n", 83);
    }

    @Test
    void whereOneVolumeIsThereThoseToBeMadeDoNotCount() {
        putNodes("n");
        put(claim("c").size("5Gi").build(), claim("d").size("90Gi").build());
        put(volume("v").size("10Gi").on("name", "n").build());
        put(capacity("k", "late", nodesWith("name", "n"), "100Gi", ""));

        assertThat(scores(pod("p").claim("c").claim("d").build())).containsEntry("n", 50);
    }

    @Test
    void theShapeIsTheOperators() {
        putNodes("n");
        put(claim("c").size("25Gi").build());
        put(capacity("k", "late", nodesWith("name", "n"), "100Gi", ""));
        VolumeBinding fullestFirst = new VolumeBinding(cluster.context(
                new VolumeBindingArgs(600, Optional.of(List.of(new ShapePoint(0, 0), new ShapePoint(100, 10))))));

        assertThat(scores(fullestFirst, pod)).containsEntry("n", 25);
    }

    @Test
    void aPodWithNothingToBindHasNoPreference() {
        putNodes("n");
        assertThat(scores(pod("p").build())).containsEntry("n", 0);
    }

    @Test
    void nothingIsScoredWithoutTheGate() {
        PluginHarness without = PluginHarness.cluster(node("n").build());
        assertThat(without.preScore(new VolumeBinding(without.context()), pod)).isEqualTo(Status.SKIP);
    }

    @Rotated(3)
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsScoredForAllNodesAtOnceIsWhatEachIsWorth(long seed) {
        RandomStorage storage = new RandomStorage(seed, 6);
        for (int i = 0; i < 6; i++) {
            put(storage.node("n" + i));
        }
        VolumeBinding plugin = new VolumeBinding(cluster.context());
        int between = 0;
        for (int step = 0; step < 4_000; step++) {
            put(storage.anything());
            Pod asking = storage.modestPod("asking");
            Map<String, Integer> scores = scores(plugin, asking);
            for (Map.Entry<String, Integer> each : scores.entrySet()) {
                assertThat(each.getValue())
                        .as("seed %s, step %s: %s on %s", seed, step, asking, each.getKey())
                        .isEqualTo(worth(asking, each.getKey()));
                between += each.getValue() > 0 && each.getValue() < 100 ? 1 : 0;
            }
        }
        assertThat(between).isGreaterThan(20);
    }

    /** One class at a time, and from the plan for this one node. */
    private int worth(Pod asking, String name) {
        ClusterView view = cluster.state().view();
        KnownVolumes known = new KnownVolumes(view);
        VolumeBook book = VolumeBook.of(view);
        if (!(new ClaimReader(known, book).read(asking) instanceof PodClaims claims)) {
            return 0;
        }
        NodeSearch search = new NodeSearch(view, known, book, new Reach(view));
        int node = view.nodes().find(name);
        VolumePlan plan = search.search(claims, node).plan();
        Map<String, long[]> classes = new TreeMap<>();
        for (VolumePlan.Match match : plan.matches()) {
            long[] sum = classes.computeIfAbsent(match.claim().terms().storageClass(), _ -> new long[2]);
            sum[0] += NodeSearch.sizeOf(match.claim()).value();
            sum[1] += match.volume().capacity().value();
        }
        if (plan.matches().isEmpty()) {
            for (PersistentVolumeClaim claim : plan.toMake()) {
                String storageClass = claim.terms().storageClass();
                if (search.needsRoom(claim, known.storageClass(storageClass).orElseThrow())) {
                    room(claim, node).ifPresent(room -> {
                        long[] sum = classes.computeIfAbsent(storageClass, _ -> new long[2]);
                        sum[0] += NodeSearch.sizeOf(claim).value();
                        sum[1] = room;
                    });
                }
            }
        }
        return (int) Math.round(classes.values().stream()
                .mapToLong(sum -> sum[1] == 0 || sum[0] > sum[1] ? 0 : (1000 - 10 * (sum[0] * 100 / sum[1])) / 10)
                .average()
                .orElse(0));
    }

    private Optional<Long> room(PersistentVolumeClaim claim, int node) {
        ClusterView view = cluster.state().view();
        return view.objects().all(Kinds.CSI_STORAGE_CAPACITY).stream()
                .filter(capacity -> capacity.storageClass().equals(claim.terms().storageClass()))
                .filter(capacity -> capacity.limit()
                        .filter(limit ->
                                limit.value() >= NodeSearch.sizeOf(claim).value())
                        .isPresent())
                .filter(capacity -> capacity.nodes()
                        .filter(selector ->
                                selector.matches(view.nodes().node(node).labels()))
                        .isPresent())
                .min(Comparator.comparingLong((CsiStorageCapacity capacity) ->
                                -capacity.limit().orElseThrow().value())
                        .thenComparing(capacity -> capacity.meta().key()))
                .flatMap(CsiStorageCapacity::capacity)
                .map(capacity -> capacity.value());
    }
}
