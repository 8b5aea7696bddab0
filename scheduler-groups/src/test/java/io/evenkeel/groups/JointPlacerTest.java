package io.evenkeel.groups;

import static io.evenkeel.groups.GroupScene.HOST;
import static io.evenkeel.groups.GroupScene.ZONE;
import static io.evenkeel.groups.GroupScene.pods;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JointPlacerTest {

    /** Zone a has two nodes, zone b has one. */
    private static GroupScene twoZones() {
        return new GroupScene()
                .with(GroupScene.node("n1", 110).zone("a").build())
                .with(GroupScene.node("n2", 110).zone("a").build())
                .with(GroupScene.node("n3", 110).zone("b").build());
    }

    @Test
    void fivePodsOverTwoZonesAndThreeNodesArePlaced() {
        JointPlacer.Found found = twoZones().look(pods(5, ZONE, HOST));

        assertThat(found.placement()).isInstanceOf(JointPlacement.Placed.class);
    }

    @Test
    void ofSixItIsProvedThatTheConstraintsContradictEachOther() {
        JointPlacer.Found found = twoZones().look(pods(6, ZONE, HOST));

        assertThat(found.placement())
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.certificate().words())
                                .isEqualTo("zones a and b take 5, 6 are asked for: maxSkew 1 over zones"
                                        + " (topology.kubernetes.io/zone) and maxSkew 1 over nodes"
                                        + " (kubernetes.io/hostname) contradict each other; 5 would do, or 7 at"
                                        + " once"));
        assertThat(found.most()).hasSize(5);
    }

    @Test
    void sevenFitAtOnceAndInNoOrder() {
        JointPlacer.Found found = twoZones().look(pods(7, ZONE, HOST));

        assertThat(found.placement()).isInstanceOfSatisfying(JointPlacement.EndStateOnly.class, end -> {
            assertThat(end.orderRuledOut()).isTrue();
            assertThat(byNode(end.seats())).isEqualTo(Map.of("n1", 2, "n2", 2, "n3", 3));
        });
        assertThat(found.most()).hasSize(5);
    }

    /** So many zones of two nodes, but for the first, which has one. */
    private static GroupScene zones(int zones) {
        GroupScene scene = new GroupScene();
        for (int zone = 0; zone < zones; zone++) {
            for (int node = 0; node < (zone == 0 ? 1 : 2); node++) {
                scene.with(
                        GroupScene.node("n" + zone + node, 110).zone("z" + zone).build());
            }
        }
        return scene;
    }

    private static String why(GroupScene scene, int pods, String... keys) {
        return ((JointPlacement.Infeasible) scene.placeMost(pods(pods, keys)).placement()).why();
    }

    @Test
    void domainsThatTakeTooFewAreNamedUpToSix() {
        String rules = " are asked for: maxSkew 1 over zones (topology.kubernetes.io/zone) and maxSkew 1 over nodes"
                + " (kubernetes.io/hostname) contradict each other; ";

        assertThat(why(zones(6), 18, ZONE, HOST))
                .isEqualTo("zones z0, z1, z2, z3, z4 and z5 take 17, 18" + rules + "17 would do, or 23 at once");
        assertThat(why(zones(7), 21, ZONE, HOST))
                .isEqualTo("7 zones take 20, 21" + rules + "20 would do, or 27 at once");
    }

    @Test
    void whereOneRuleIsEnoughOnlyThatOneIsNamed() {
        GroupScene scene = new GroupScene()
                .with(GroupScene.node("n1", 1).zone("a").build())
                .with(GroupScene.node("n2", 110).zone("b").build())
                .with(GroupScene.node("n3", 110).zone("b").build());

        assertThat(why(scene, 4, ZONE, HOST))
                .isEqualTo("4 are asked for: maxSkew 1 over zones (topology.kubernetes.io/zone) and the room there"
                        + " contradict each other; 3 would do");
    }

    /** Zone b is the emptiest and has no room. */
    @Test
    void oneThatIsAskedForIsOne() {
        GroupScene scene = new GroupScene()
                .with(GroupScene.node("n1", 110).zone("a").build())
                .with(GroupScene.node("n2", 1).zone("b").build());
        scene.engine.put(
                PodBuilder.pod("there").label("app", "web").nodeName("n1").build());
        scene.engine.put(PodBuilder.pod("full").nodeName("n2").build());

        assertThat(why(scene, 1, ZONE)).contains("1 is asked for: maxSkew 1 over zones");
    }

    private static Map<String, Integer> byNode(List<Seat> seats) {
        Map<String, Integer> counts = new TreeMap<>();
        seats.forEach(seat -> counts.merge(seat.node(), 1, Integer::sum));
        return counts;
    }

    /** A place on each node, racks and rows cross, and both are spread by maxSkew 1. */
    @Rotated(7)
    @ParameterizedTest(name = "{0} racks, {1} rows, {2} nodes lost, from {3} starts")
    @CsvSource({"3,3,0,20", "3,3,1,60", "8,8,5,60", "12,10,20,20", "20,20,20,5", "70,70,200,1", "3,400,100,1"})
    void onGridsAsManyArePlacedAsFit(int racks, int rows, int lost, int starts) {
        for (int start = 0; start < starts; start++) {
            GroupScene scene = GroupScene.grid(racks, rows, lost, start);
            List<Pod> pods = pods(scene.nodes, "rack", "row");

            List<Seat> most = scene.placeMost(pods).most();

            if (most.size() < pods.size()) {
                assertThat(scene.place(pods.subList(0, most.size() + 1)))
                        .as("start %s: %s are placed, is one more impossible?", start, most.size())
                        .isInstanceOf(JointPlacement.Infeasible.class);
            }
            scene.follow(most);
        }
    }

    @Test
    void onThreeRacksAndThreeRowsAllHaveTheirPlaceWhicheverNodeIsLost() {
        for (int start = 0; start < 20; start++) {
            GroupScene scene = GroupScene.grid(3, 3, 1, start);
            assertThat(scene.look(pods(8, "rack", "row")).placement()).isInstanceOf(JointPlacement.Placed.class);
        }
    }

    @Test
    void oneThatIsMoreThanFitsOfAFullGridIsProvedToBe() {
        GroupScene scene = GroupScene.grid(3, 3, 0, 1);

        assertThat(scene.place(pods(10, "rack", "row")))
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.certificate().words())
                                .isEqualTo(
                                        "the nodes that come into question have room for 9, 10 are asked for; 9 would"
                                                + " do"));
    }

    /** Three shards twice, over three zones of two nodes: nodes differ by 1 at most, zones by 2, no zone has a shard twice. */
    @Test
    void theRedisClusterIsPlacedFromEachStart() {
        for (int first = 0; first < 6; first++) {
            GroupScene scene = new GroupScene();
            for (int node = 0; node < 6; node++) {
                scene.with(GroupScene.node("n" + (node + first) % 6, 110)
                        .zone("z" + (node + first) % 6 / 2)
                        .build());
            }
            List<Pod> pods = IntStream.range(0, 6)
                    .mapToObj(i -> GroupScene.pod("p" + i, 1, HOST)
                            .spread(GroupScene.spread(2, ZONE))
                            .label("shard", "s" + i / 2)
                            .podAffinity(GroupScene.awayFrom("s" + i / 2, ZONE))
                            .build())
                    .toList();

            JointPlacer.Found found = scene.look(pods);

            assertThat(found.placement()).isInstanceOf(JointPlacement.Placed.class);
            scene.follow(found.most());
        }
    }

    @Test
    void thereIsAPlaceOnlyIfSomeBeginWhereItDoesNotLookBest() {
        // b fits on n2 alone, and of a two fit on n1 only if none of them takes n2
        GroupScene scene = new GroupScene()
                .with(GroupScene.node("n1", 2).label("disk", "hdd").build())
                .with(GroupScene.node("n2", 1).label("disk", "ssd").build());
        List<Pod> pods = List.of(
                PodBuilder.pod("a1").build(),
                PodBuilder.pod("a2").build(),
                PodBuilder.pod("b").nodeSelector("disk", "ssd").build());

        assertThat(scene.look(pods).placement()).isInstanceOf(JointPlacement.Placed.class);
    }

    @Test
    void whatIsThereTaintedOrTakenCounts() {
        GroupScene scene = twoZones()
                .with(GroupScene.node("n4", 110)
                        .zone("b")
                        .taint("dedicated", "db", TaintEffect.NO_SCHEDULE)
                        .build());
        scene.engine.put(
                PodBuilder.pod("there").label("app", "web").nodeName("n3").build());

        JointPlacer.Found found = scene.look(pods(6, ZONE, HOST));

        // n4 takes none, and by default its zone counts; so nodes hold 1 at most
        assertThat(found.most()).hasSize(2).noneMatch(seat -> seat.node().equals("n4"));
        assertThat(found.placement()).isInstanceOf(JointPlacement.Infeasible.class);
    }

    @Test
    void aPodThatFitsNowhereIsNamedAndTheOthersArePlacedAllTheSame() {
        List<Pod> pods = new ArrayList<>(pods(3, ZONE, HOST));
        pods.add(PodBuilder.pod("huge").container("cpu", "1000").build());

        JointPlacer.Found found = twoZones().look(pods);

        assertThat(found.placement())
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.certificate().words())
                                .isEqualTo(
                                        "pod default/huge fits nowhere: 0/3 nodes are available: 3 Insufficient cpu."));
        assertThat(found.most()).hasSize(3);
    }

    @Test
    void theSameGroupOnTheSameClusterGetsTheSameAnswer() {
        List<Pod> pods = pods(54, "rack", "row");

        assertThat(GroupScene.grid(8, 8, 5, 3).placeMost(pods))
                .isEqualTo(GroupScene.grid(8, 8, 5, 3).placeMost(pods));
        // of these the first plans fail, so those that are found have been shuffled
        for (int start : List.of(0, 3, 5)) {
            List<Pod> whole = pods(69, "rack", "row");
            GroupScene scene = GroupScene.grid(8, 9, 3, start);
            assertThat(scene.placeMost(whole)).isEqualTo(scene.placeMost(whole));
        }
        for (long seed : Rotation.seeds(20).toArray()) {
            SmallCase small = SmallCase.random(new Random(seed));
            assertThat(small.scene().placeMost(small.pods()))
                    .isEqualTo(small.scene().placeMost(small.pods()));
        }
    }

    @Test
    void aPluginThatHasNothingToSayAboutTheGroupChangesNoAnswer() {
        for (long seed : Rotation.seeds(60).toArray()) {
            SmallCase small = SmallCase.random(new Random(seed));
            GroupScene scene = small.fill(new GroupScene(GroupScene.WITH_POLICIES));
            scene.engine.put(policy("others", "db"));

            assertThat(scene.placeMost(small.pods()))
                    .as("seed %s", seed)
                    .isEqualTo(small.scene().placeMost(small.pods()));
        }
    }

    @Test
    void thoseThatAPolicyIsAboutAreAlikeAndRefusedWithAProof() {
        GroupScene scene = new GroupScene(GroupScene.WITH_POLICIES)
                .with(GroupScene.node("n1", 110).zone("a").build())
                .with(GroupScene.node("n2", 110).zone("b").build());
        scene.engine.put(policy("own", "web"));

        assertThat(scene.place(pods(3, ZONE)))
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.certificate().words())
                                .startsWith("none of all orders and states of these 3 pods is legal"));
        assertThat(scene.placeMost(pods(3, ZONE)).most()).hasSize(2);
    }

    /** A zone has one of the app's pods at most. */
    static PlacementPolicy policy(String name, String app) {
        return new PlacementPolicy(
                ObjectMeta.named("default", name),
                PolicySpec.of(
                        LabelSelector.matchingLabels(Labels.of("app", app)),
                        List.of(PolicyRule.over(ZONE).withMaxPods(1))));
    }

    @Test
    void nothingStaysChangedWhateverIsFound() {
        for (long seed : Rotation.seeds(60).toArray()) {
            SmallCase small = SmallCase.random(new Random(seed));
            small.fill(GroupScene.scoringAlways()).look(small.pods());
        }
    }

    @Test
    void whatIsAskedOnTheWayIsSpentToo() {
        SmallCase small = SmallCase.random(new Random(SmallCase.SEED_OF_A_HARD_ONE));

        assertThat(new GroupDecisions(small.scene().engine.forGroups()).place(small.pods(), new Budget(1_000_000, 300)))
                .isInstanceOfSatisfying(
                        JointPlacement.Unknown.class,
                        unknown -> assertThat(unknown.steps()).isPositive().isLessThan(300));
    }

    @Test
    void theBudgetOfALiveSchedulerIsEnoughForAllOnce() {
        for (int pods : List.of(1, 100, 5_000)) {
            assertThat(Budget.live(pods, 5_000).steps()).isGreaterThan(pods);
            assertThat(Budget.live(pods, 5_000).work()).isBetween(2L * pods, 2L * pods + 2_100);
        }
        GroupScene scene = GroupScene.grid(20, 20, 20, 1);
        List<Pod> pods = pods(300, "rack", "row");

        assertThat(new GroupDecisions(scene.engine.forGroups()).place(pods, Budget.live(300, scene.nodes)))
                .isInstanceOf(JointPlacement.Placed.class);
    }

    /** What an easy group takes is what its pods would take one by one, so nobody saves by giving up. */
    @Test
    void noBudgetIsTooSmallForWhatGoesWithoutASearch() {
        List<Pod> pods = IntStream.range(0, 40)
                .mapToObj(i ->
                        PodBuilder.pod("p" + i).container("cpu", i + 1 + "m").build())
                .toList();

        assertThat(new GroupDecisions(twoZones().engine.forGroups()).place(pods, new Budget(1, 1)))
                .isInstanceOf(JointPlacement.Placed.class);
    }

    @Test
    void aBudgetThatIsSpentIsSaid() {
        SmallCase small = SmallCase.random(new Random(SmallCase.SEED_OF_A_HARD_ONE));

        assertThat(new GroupDecisions(small.scene().engine.forGroups()).place(small.pods(), new Budget(50)))
                .isInstanceOfSatisfying(
                        JointPlacement.Unknown.class,
                        unknown -> assertThat(unknown.soFar()).isEqualTo("no legal order is found yet"));
    }
}
