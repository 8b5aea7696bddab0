package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.HOST;
import static io.evenkeel.groups.turn.LiveScene.ZONE;
import static io.evenkeel.groups.turn.LiveScene.grid;
import static io.evenkeel.groups.turn.LiveScene.node;
import static io.evenkeel.groups.turn.LiveScene.podOf;
import static io.evenkeel.groups.turn.LiveScene.replicaSet;
import static io.evenkeel.groups.turn.LiveScene.spread;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.GroupObserver.Finding;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** For which pods of a group there is a plan, and what becomes of it where the cluster changes under it. */
class LookAheadPlanTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final String WITH_DEFAULT_SPREADS = """
        profiles:
        - plugins: {multiPoint: {enabled: [{name: GroupPlacement}]}}
          pluginConfig:
          - name: PodTopologySpread
            args:
              defaultingType: List
              defaultConstraints:
              - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule}
              - {maxSkew: 1, topologyKey: row, whenUnsatisfiable: DoNotSchedule}
        """;

    private static PodAffinityTerm term(String key) {
        return new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("app", "web")), key, List.of("default"), LabelSelector.NOTHING);
    }

    private static PodAffinity near(String key) {
        return new PodAffinity(List.of(term(key)), List.of(), List.of(), List.of());
    }

    private static PodAffinity apart(String key) {
        return new PodAffinity(List.of(), List.of(), List.of(term(key)), List.of());
    }

    private static PodBuilder onGrid(PodBuilder pod) {
        return pod.spread(spread(1, "rack")).spread(spread(1, "row"));
    }

    private static LiveScene isPlanned(LiveScene scene, int pods, UnaryOperator<PodBuilder> shape) {
        scene.put(replicaSet("web", pods));
        for (int i = 0; i < pods; i++) {
            scene.put(shape.apply(podOf("web", i)).build());
        }
        scene.schedule();
        return scene;
    }

    private static LiveScene onGrid(int pods, UnaryOperator<PodBuilder> shape) {
        return isPlanned(LiveScene.lookingAhead(1).with(grid(3, 3)), pods, shape);
    }

    @Test
    void twoHardRulesOfAnyKindsAreWorthAPlanAndOneIsNot() {
        assertThat(onGrid(2, LookAheadPlanTest::onGrid).findings).containsExactly(Finding.PLACED);
        assertThat(onGrid(2, pod -> pod.spread(spread(1, "rack")).podAffinity(apart("row"))).findings)
                .containsExactly(Finding.PLACED);
        assertThat(onGrid(2, pod -> pod.spread(spread(2, "rack")).podAffinity(near("row"))).findings)
                .containsExactly(Finding.PLACED);
        assertThat(onGrid(2, pod -> pod.podAffinity(apart("row"))).findings).isEmpty();
        assertThat(onGrid(2, pod -> pod.podAffinity(near("row"))).findings).isEmpty();
        assertThat(onGrid(2, pod -> pod).findings).isEmpty();
        assertThat(onGrid(1, LookAheadPlanTest::onGrid).findings)
                .as("it is alone")
                .isEmpty();
    }

    @Test
    void rulesThatTheProfileHasForPodsWithoutAnyOfTheirOwnCount() {
        UnaryOperator<PodBuilder> one = pod -> pod.spread(spread(1, "rack"));
        assertThat(isPlanned(LiveScene.configured(WITH_DEFAULT_SPREADS).with(grid(3, 3)), 2, pod -> pod).findings)
                .containsExactly(Finding.PLACED);
        assertThat(isPlanned(LiveScene.configured(WITH_DEFAULT_SPREADS).with(grid(3, 3)), 2, one).findings)
                .as("those with one of their own")
                .isEmpty();
    }

    @Test
    void forPodsOfTwoKindsOneRuleIsWorthAPlan() {
        LiveScene scene = LiveScene.lookingAhead(1).with(grid(2, 2));
        scene.put(
                podOf("web", 0).spread(spread(1, "rack")).container("cpu", "1").build());
        scene.put(
                podOf("web", 1).spread(spread(1, "rack")).container("cpu", "2").build());
        scene.schedule();
        assertThat(scene.findings).containsExactly(Finding.PLACED);
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void oneThatAnotherSchedulerHasNominatedIsDecidedByItself() {
        LiveScene scene = LiveScene.lookingAhead(1).with(grid(3, 3));
        scene.put(replicaSet("web", 2));
        scene.put(onGrid(podOf("web", 0)).nominatedNodeName("n11").build());
        scene.schedule();
        assertThat(scene.places).containsOnlyKeys("web-0");
        assertThat(scene.findings).isEmpty();
    }

    /** Which may be too late for a plan of all. */
    @Test
    void whereANodeOfThePlanIsTakenMeanwhileTheOthersArePlacedOrToldWhyNot() {
        for (NodeBuilder taken : grid(3, 3)) {
            nobodyIsForgotten(taken.build().name(), 1, (pod, _) -> pod);
        }
    }

    /** The steps are for pods of two kinds, in no order that the queue knows of. */
    @Test
    void soItIsWherePodsAreOfTwoKinds() {
        for (NodeBuilder taken : grid(3, 3)) {
            for (int turns = 1; turns < 7; turns++) {
                nobodyIsForgotten(
                        taken.build().name(),
                        turns,
                        (pod, number) -> pod.container("cpu", number % 2 == 0 ? "1" : "2")
                                .priority(number % 3));
            }
        }
    }

    private static void nobodyIsForgotten(String taken, int turns, BiFunction<PodBuilder, Integer, PodBuilder> shape) {
        LiveScene scene = LiveScene.lookingAhead(turns).with(grid(3, 3));
        for (int i = 0; i < 8; i++) {
            scene.put(shape.apply(onGrid(podOf("web", i)), i).build());
        }
        for (int turn = 0; turn < turns; turn++) {
            scene.scheduler.scheduleNext();
            scene.deliver();
        }
        assertThat(scene.places).isNotEmpty();
        if (!scene.places.containsValue(taken)) {
            scene.put(PodBuilder.pod("other").uid("other").nodeName(taken).build());
        }
        scene.schedule();
        Set<String> known = new HashSet<>(scene.places.keySet());
        known.addAll(scene.conditions().keySet());
        assertThat(known).as("%s is taken after %d turns", taken, turns).hasSize(8);
        assertThat(new HashSet<>(scene.places.values())).hasSameSizeAs(scene.places.values());
    }

    private static LiveScene fiveOfSix() {
        LiveScene scene = LiveScene.lookingAhead(1)
                .with(List.of(
                        node("a1", 9).label(ZONE, "a"),
                        node("a2", 9).label(ZONE, "a"),
                        node("b1", 9).label(ZONE, "b")));
        scene.nanosAPlan = SECOND;
        scene.pass(50);
        return isPlanned(scene, 6, LookAheadPlanTest::overZones);
    }

    private static PodBuilder overZones(PodBuilder pod) {
        return pod.spread(spread(1, ZONE)).spread(spread(1, HOST));
    }

    /** A second of work is a tenth of ten seconds. */
    @Test
    void afterAPlanInVainTheGroupsOfItsNamespaceAreNotPlannedForAWhile() {
        LiveScene scene = fiveOfSix();
        assertThat(scene.places).hasSize(5);
        assertThat(scene.findings).hasSize(1);
        scene.nanosAPlan = 0;
        scene.pass(9);
        scene.put(replicaSet("early", 2));
        scene.put(overZones(podOf("early", 0)).build());
        scene.schedule();
        assertThat(scene.findings).hasSize(1);
        scene.pass(2);
        scene.put(replicaSet("late", 2));
        scene.put(overZones(podOf("late", 0)).build());
        scene.schedule();
        assertThat(scene.findings).hasSizeGreaterThan(1);
    }

    @Test
    void whatWasSaidOfAGroupIsForgottenWhenNoneOfItWaits() {
        LiveScene scene = fiveOfSix();
        String left = scene.conditions().keySet().iterator().next();
        scene.remove(scene.pod(left));
        scene.remove(scene.pod(scene.places.keySet().iterator().next()));
        scene.commands.clear();
        scene.put(podOf("web", 7).nodeSelector("disk", "ssd").build());
        scene.schedule();
        assertThat(scene.conditions()).containsOnlyKeys("web-7");
        assertThat(scene.conditions().get("web-7")).doesNotContain("are asked for");
    }
}
