package io.evenkeel.plugins;

import static io.evenkeel.model.TaintEffect.NO_EXECUTE;
import static io.evenkeel.model.TaintEffect.NO_SCHEDULE;
import static io.evenkeel.model.TaintEffect.PREFER_NO_SCHEDULE;
import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Status;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.Toleration.Operator;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TaintTolerationTest {
    private static final Status UNTOLERATED = Status.unresolvable("node(s) had untolerated taint(s)");

    @Test
    void noScheduleAndNoExecuteKeepPodsAway() {
        PluginHarness cluster = cluster(
                node("drained").taint("a", "1", NO_EXECUTE).build(),
                node("reserved").taint("a", "1", NO_SCHEDULE).build(),
                node("unloved").taint("a", "1", PREFER_NO_SCHEDULE).build());

        assertThat(cluster.filterAll(new TaintToleration(cluster.context()), pod("p").build()))
                .isEqualTo(Map.of("drained", UNTOLERATED, "reserved", UNTOLERATED, "unloved", Status.SUCCESS));
    }

    @Test
    void everyTaintMustBeTolerated() {
        PluginHarness cluster = cluster(
                node("one").taint("a", "1", NO_SCHEDULE).build(),
                node("two")
                        .taint("a", "1", NO_SCHEDULE)
                        .taint("b", "1", NO_SCHEDULE)
                        .build());
        TaintToleration plugin = new TaintToleration(cluster.context());

        assertThat(cluster.passing(plugin, tolerating("a", Operator.EXISTS, "", Optional.of(NO_SCHEDULE))))
                .containsExactly("one");
        assertThat(cluster.passing(plugin, tolerating("", Operator.EXISTS, "", Optional.empty())))
                .containsExactly("one", "two");
        assertThat(cluster.passing(plugin, tolerating("a", Operator.EXISTS, "", Optional.of(NO_EXECUTE))))
                .isEmpty();
        assertThat(cluster.passing(plugin, tolerating("a", Operator.GT, "0", Optional.empty())))
                .as("comparison of taints is off by default")
                .isEmpty();
    }

    @Test
    void taintsAreComparedWhereTheGateIsOn() {
        PluginHarness cluster = cluster(
                FeatureGates.with(Map.of("TaintTolerationComparisonOperators", true)),
                node("likely").taint("failure-probability", "20", NO_SCHEDULE).build(),
                node("unlikely").taint("failure-probability", "3", NO_SCHEDULE).build(),
                node("worse")
                        .taint("failure-probability", "20", PREFER_NO_SCHEDULE)
                        .build(),
                node("unknown").taint("failure-probability", "low", NO_SCHEDULE).build());
        TaintToleration plugin = new TaintToleration(cluster.context());
        Pod careful = tolerating("failure-probability", Operator.LT, "5", Optional.empty());
        Pod daring = tolerating("failure-probability", Operator.GT, "5", Optional.empty());

        assertThat(cluster.passing(plugin, careful)).containsExactly("unlikely", "worse");
        assertThat(cluster.passing(plugin, daring)).containsExactly("likely", "worse");
        assertThat(cluster.scores(plugin, careful, Set.of("unlikely", "worse")))
                .isEqualTo(Map.of("unlikely", 100, "worse", 0));
        assertThat(cluster.scores(plugin, daring, Set.of("likely", "worse")))
                .isEqualTo(Map.of("likely", 100, "worse", 100));
        assertThat(cluster.filterAll(plugin, daring)).isEqualTo(cluster.filterEach(plugin, daring));
    }

    @Test
    void aNodeWhoseTaintCanBeComparedWakesPodsOnlyWhereTheGateIsOn() {
        Pod daring = tolerating("failure-probability", Operator.GT, "5", Optional.empty());
        ClusterChange change = ClusterChange.added(
                ChangeKind.NODE_ADDED,
                node("likely").taint("failure-probability", "20", NO_SCHEDULE).build());
        PluginHarness on = cluster(FeatureGates.with(Map.of("TaintTolerationComparisonOperators", true)));
        PluginHarness off = cluster();

        assertThat(on.wakes(new TaintToleration(on.context()), daring, Optional.of(change)))
                .isTrue();
        assertThat(off.wakes(new TaintToleration(off.context()), daring, Optional.of(change)))
                .isFalse();
    }

    @Test
    void fewerUntoleratedPreferNoScheduleTaintsScoreHigher() {
        PluginHarness cluster = cluster(
                node("none").taint("a", "", NO_SCHEDULE).build(),
                node("one").taint("a", "", PREFER_NO_SCHEDULE).build(),
                node("three")
                        .taint("a", "", PREFER_NO_SCHEDULE)
                        .taint("b", "", PREFER_NO_SCHEDULE)
                        .taint("c", "", PREFER_NO_SCHEDULE)
                        .build());
        TaintToleration plugin = new TaintToleration(cluster.context());

        assertThat(cluster.scores(plugin, pod("p").build())).isEqualTo(Map.of("none", 100, "one", 67, "three", 0));
        assertThat(cluster.scores(plugin, pod("p").build(), Set.of("none", "one")))
                .as("the maximum is over the feasible nodes")
                .isEqualTo(Map.of("none", 100, "one", 0));
        assertThat(cluster.scores(plugin, tolerating("a", Operator.EXISTS, "", Optional.of(PREFER_NO_SCHEDULE))))
                .isEqualTo(Map.of("none", 100, "one", 100, "three", 0));
        assertThat(cluster.scores(plugin, tolerating("a", Operator.EXISTS, "", Optional.of(NO_SCHEDULE))))
                .as("a toleration for another effect does not count")
                .isEqualTo(Map.of("none", 100, "one", 67, "three", 0));
    }

    @Test
    void withoutSuchTaintsAllScoreTheMost() {
        PluginHarness cluster = cluster(node("a").build(), node("b").build());

        assertThat(cluster.scores(new TaintToleration(cluster.context()), pod("p").build()))
                .isEqualTo(Map.of("a", 100, "b", 100));
    }

    @Test
    void bothFormsAgreeAndScoresFollowTheFormula() {
        RandomCluster any = RandomCluster.withTheSeed((random, node) -> {
            for (int i = random.nextInt(4); i > 0; i--) {
                node.taint(anyTaint(random));
            }
        });
        PluginHarness cluster = any.harness();
        TaintToleration plugin = new TaintToleration(cluster.context());

        any.rounds(1_000, () -> {
            Pod pod = anyPod(any.random());
            Set<String> feasible = any.someNodes();

            assertThat(cluster.filterAll(plugin, pod)).isEqualTo(cluster.filterEach(plugin, pod));
            assertThat(cluster.scores(plugin, pod, feasible)).isEqualTo(naiveScores(cluster, pod, feasible));
        });
    }

    private static Map<String, Integer> naiveScores(PluginHarness cluster, Pod pod, Set<String> feasible) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String name : feasible) {
            List<Taint> taints = cluster.state()
                    .view()
                    .nodes()
                    .node(cluster.state().view().nodes().find(name))
                    .taints();
            counts.put(name, (int) taints.stream()
                    .filter(taint -> taint.effect() == PREFER_NO_SCHEDULE)
                    .filter(taint ->
                            pod.spec().tolerations().stream().noneMatch(toleration -> toleration.tolerates(taint)))
                    .count());
        }
        int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        counts.replaceAll((name, count) -> most == 0 ? 100 : 100 - 100 * count / most);
        return counts;
    }

    private static Taint anyTaint(SplittableRandom random) {
        return new Taint("k" + random.nextInt(3), "v" + random.nextInt(2), anyEffect(random));
    }

    private static Pod anyPod(SplittableRandom random) {
        PodBuilder pod = pod("p");
        for (int i = random.nextInt(3); i > 0; i--) {
            Operator operator = RandomCluster.oneOf(random, Operator.values());
            pod.toleration(new Toleration(
                    random.nextInt(6) == 0 ? "" : "k" + random.nextInt(3),
                    operator,
                    "v" + random.nextInt(2),
                    random.nextBoolean() ? Optional.empty() : Optional.of(anyEffect(random))));
        }
        return pod.build();
    }

    private static TaintEffect anyEffect(SplittableRandom random) {
        return RandomCluster.oneOf(random, TaintEffect.values());
    }

    private static Pod tolerating(String key, Operator operator, String value, Optional<TaintEffect> effect) {
        return pod("p").toleration(new Toleration(key, operator, value, effect)).build();
    }
}
