package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.JointPlacer.JointTerms;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.rotation.Rotation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OneDomainTest {
    private static final String RACK = "topology.kubernetes.io/rack";

    /** Racks of nodes with so many places each, and a node that is in none. */
    private static GroupScene racks(int... places) {
        GroupScene scene = new GroupScene().with(GroupScene.node("loose", 110).build());
        for (int rack = 0; rack < places.length; rack++) {
            for (int node = 0; node < 2; node++) {
                scene.with(GroupScene.node("n" + rack + node, places[rack])
                        .label(RACK, "r" + rack)
                        .build());
            }
        }
        return scene;
    }

    private static List<Pod> pods(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> PodBuilder.pod("p" + i).container("cpu", "1").build())
                .toList();
    }

    @Test
    void theFullestRackThatTakesAllIsTaken() {
        GroupScene scene = racks(4, 4, 2);
        scene.engine.put(
                PodBuilder.pod("there").container("cpu", "8").nodeName("n10").build());

        JointPlacer.Found found = scene.find(pods(5), JointTerms.ALL.inOneDomainOf(RACK));

        assertThat(found.domain()).contains("r1");
        assertThat(found.most()).hasSize(5).allMatch(seat -> seat.node().startsWith("n1"));
    }

    @Test
    void ofRacksAlikeTheFirstByNameIs() {
        assertThat(racks(4, 4).find(pods(5), JointTerms.ALL.inOneDomainOf(RACK)).domain())
                .contains("r0");
    }

    @Test
    void whereNoRackTakesAllItIsSaidWhyNotTheFirst() {
        JointPlacer.Found found = racks(2, 1, 2).find(pods(5), JointTerms.ALL.inOneDomainOf(RACK));

        assertThat(found.placement()).isInstanceOfSatisfying(JointPlacement.Infeasible.class, infeasible -> {
            assertThat(infeasible.certificate().words())
                    .isEqualTo("0/3 racks are available (topology.kubernetes.io/rack): rack r0: its nodes have"
                            + " room for at most 4, 5 are asked for");
            assertThat(infeasible.certificate().proof()).isInstanceOf(Proof.NoDomain.class);
        });
        assertThat(found.most()).isEmpty();
    }

    /** Full racks come first, as they are the fullest; that they are full costs nothing of the budget. */
    @Test
    void behindManyFullRacksTheOneWithRoomIsFound() {
        int[] places = new int[60];
        Arrays.fill(places, 1);
        places[59] = 4;

        JointPlacer.Found found = new GroupDecisions(racks(places).engine.forGroups())
                .find(pods(5), JointTerms.ALL.inOneDomainOf(RACK), new Budget(100, 100));

        assertThat(found.domain()).contains("r59");
    }

    @Test
    void whatAPodSaysOfARackIsAboutItsNodesAlone() {
        List<Pod> pods = List.of(
                PodBuilder.pod("huge").container("cpu", "100").build(),
                PodBuilder.pod("p").build());

        assertThat(racks(2).find(pods, JointTerms.ALL.inOneDomainOf(RACK)).placement())
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.certificate().words())
                                .isEqualTo("0/1 racks are available (topology.kubernetes.io/rack): rack r0: pod"
                                        + " default/huge fits nowhere: 0/2 nodes are available: 2 Insufficient"
                                        + " cpu."));
    }

    @Test
    void withoutAnyRackNothingIsAvailable() {
        assertThat(racks(2).find(pods(1), JointTerms.ALL.inDomain(RACK, "r9")).placement())
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.certificate().words())
                                .isEqualTo(
                                        "0/0 racks are available (topology.kubernetes.io/rack): no node has the label"
                                                + " with r9"));
    }

    @Test
    void asManyAsGoAreInOneRackAndEnoughIfAnyTakesEnough() {
        JointPlacer.Found found =
                racks(1, 2, 2).find(pods(5), JointTerms.atLeast(3).inOneDomainOf(RACK));

        assertThat(found.placement()).isInstanceOf(JointPlacement.Infeasible.class);
        assertThat(found.domain()).contains("r1");
        assertThat(found.most()).hasSize(4);
    }

    /** Filled more with fewer: r0 takes two and is full with them, r1 takes three of five and is nearly empty. */
    @Test
    void oneThatTakesEnoughGoesBeforeAFullerOneThatDoesNot() {
        GroupScene scene = racks(1, 110);
        scene.engine.put(
                PodBuilder.pod("a").container("cpu", "61").nodeName("n10").build());
        scene.engine.put(
                PodBuilder.pod("b").container("cpu", "64").nodeName("n11").build());
        GroupScene emptier = racks(1, 110);

        assertThat(scene.find(pods(5), JointTerms.atLeast(3).inOneDomainOf(RACK))
                        .most())
                .hasSize(3);
        assertThat(emptier.find(pods(5), JointTerms.atLeast(1).inOneDomainOf(RACK))
                        .most())
                .hasSize(5);
    }

    /** Zones a and b of docs/groups.md within one region: seven pods are legal there, and none of them can come last. */
    @Test
    void whatFitsAtOnceInADomainIsSaidWithTheDomain() {
        GroupScene scene = new GroupScene()
                .with(GroupScene.node("n0", 110).zone("a").build())
                .with(GroupScene.node("n1", 110).zone("a").label("region", "x").build())
                .with(GroupScene.node("n2", 110).zone("a").label("region", "x").build())
                .with(GroupScene.node("n3", 110).zone("b").label("region", "x").build());
        List<Pod> pods = IntStream.range(0, 7)
                .mapToObj(i -> GroupScene.pod("p" + i, 1, GroupScene.ZONE, GroupScene.HOST)
                        .nodeSelector("region", "x")
                        .build())
                .toList();

        JointPlacer.Found found = scene.find(pods, JointTerms.ALL.inOneDomainOf("region"));

        assertThat(found.placement()).isInstanceOf(JointPlacement.EndStateOnly.class);
        assertThat(found.domain()).contains("x");
    }

    private static GroupScene memory(String first, String second, String takenOfFirst, String takenOfSecond) {
        GroupScene scene = new GroupScene();
        List<String> all = List.of(first, second);
        List<String> taken = List.of(takenOfFirst, takenOfSecond);
        for (int rack = 0; rack < 2; rack++) {
            scene.with(GroupScene.node("n" + rack, 110)
                    .allocatable("cpu", "64", "memory", all.get(rack), "pods", "110")
                    .label(RACK, "r" + rack)
                    .build());
            scene.engine.put(PodBuilder.pod("there-" + rack)
                    .container("cpu", "8", "memory", taken.get(rack))
                    .nodeName("n" + rack)
                    .build());
        }
        return scene;
    }

    private static Optional<String> taken(GroupScene scene, int pods) {
        return scene.find(pods(pods), JointTerms.ALL.inOneDomainOf(RACK)).domain();
    }

    @Test
    void memoryFillsARackAsProcessorsDo() {
        assertThat(taken(memory("100Gi", "100Gi", "10Gi", "20Gi"), 2)).contains("r1");
        assertThat(taken(memory("100Gi", "100Gi", "20Gi", "10Gi"), 2)).contains("r0");
        // a share of what there is
        assertThat(taken(memory("200Gi", "50Gi", "40Gi", "20Gi"), 2)).contains("r1");
        assertThat(taken(memory("100Pi", "200Pi", "60Pi", "100Pi"), 2)).contains("r0");
    }

    @Test
    void whatTheNodesHaveRoomForIsCountedByTheSmallestPod() {
        GroupScene scene = racks(110);
        scene.engine.put(
                PodBuilder.pod("there").container("cpu", "60").nodeName("n00").build());
        List<Pod> pods = IntStream.range(0, 7)
                .mapToObj(i -> PodBuilder.pod("p" + i)
                        .container("cpu", i == 0 ? "10" : "20")
                        .build())
                .toList();

        assertThat(scene.find(pods, JointTerms.ALL.inOneDomainOf(RACK)).placement())
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.why())
                                .endsWith("rack r0: its nodes have room for at most 6, 7 are asked for"));
    }

    @Test
    void aRackWithoutRoomForTheOneIsSaidToHaveNone() {
        GroupScene scene = racks(1);
        scene.engine.put(PodBuilder.pod("a").nodeName("n00").build());
        scene.engine.put(PodBuilder.pod("b").nodeName("n01").build());

        assertThat(scene.find(pods(1), JointTerms.ALL.inOneDomainOf(RACK)).placement())
                .isInstanceOfSatisfying(
                        JointPlacement.Infeasible.class,
                        infeasible -> assertThat(infeasible.why())
                                .endsWith("its nodes have room for at most 0, 1 is asked for"));
    }

    @Test
    void ofRacksThatTakeEnoughTheOneThatIsFilledTheMostByManyIs() {
        // r0 takes four and r1 six of eight, and both are enough
        JointPlacer.Found found =
                racks(2, 3).find(pods(8), JointTerms.atLeast(3).inOneDomainOf(RACK));

        assertThat(found.domain()).contains("r1");
        assertThat(found.most()).hasSize(6).allMatch(seat -> seat.node().startsWith("n1"));
        assertThat(racks(2, 3).find(pods(8), JointTerms.ALL.inOneDomainOf(RACK)).most())
                .isEmpty();
    }

    /** Rack r0 takes two and is full with them, r1 takes three and is nearly empty. */
    @Test
    void aFullerRackThatDoesNotTakeEnoughIsNotTaken() {
        GroupScene scene = racks(110, 2);
        for (String node : List.of("n00", "n01")) {
            scene.engine.put(PodBuilder.pod("there-" + node)
                    .container("cpu", "63")
                    .nodeName(node)
                    .build());
        }
        scene.engine.put(PodBuilder.pod("there").nodeName("n10").build());

        assertThat(scene.find(pods(5), JointTerms.atLeast(3).inOneDomainOf(RACK))
                        .domain())
                .contains("r1");
        assertThat(scene.find(pods(5), JointTerms.atLeast(2).inOneDomainOf(RACK))
                        .domain())
                .contains("r0");
    }

    @Test
    void ofRacksThatTakeAsManyTheOneThatIsFullerWithThemIs() {
        GroupScene scene = new GroupScene();
        for (int rack = 0; rack < 2; rack++) {
            scene.with(GroupScene.node("n" + rack, 3)
                    .allocatable("cpu", rack == 0 ? "64" : "8", "pods", "3")
                    .label("aisle", "r" + rack)
                    .build());
        }

        assertThat(scene.find(pods(5), JointTerms.atLeast(2).inOneDomainOf("aisle"))
                        .domain())
                .contains("r1");
    }

    @Test
    void thatNoRackTakesMoreIsKnownWhereItIsOfEach() {
        JointPlacer.Found found =
                racks(1, 2).find(pods(5), JointTerms.atLeast(3).inOneDomainOf(RACK));

        assertThat(found.isMost()).isTrue();
        assertThat(found.rulesOut(4, 5)).isFalse();
        assertThat(found.rulesOut(5, 5)).isTrue();
        assertThat(racks(1, 2).find(pods(5), JointTerms.ALL.inOneDomainOf(RACK)).isMost())
                .isFalse();
    }

    @Test
    void whereNoRackTakesAnyNoneIsNamed() {
        GroupScene scene = racks(1, 1);
        for (String node : List.of("n00", "n01", "n10", "n11")) {
            scene.engine.put(PodBuilder.pod("there-" + node).nodeName(node).build());
        }

        JointPlacer.Found found = scene.find(pods(3), JointTerms.atLeast(1).inOneDomainOf(RACK));
        assertThat(found.domain()).isEmpty();
        assertThat(found.most()).isEmpty();
    }

    @Test
    void whereTheBudgetIsSpentItIsSaidOfTheRackThatIsNotKnown() {
        SmallCase small = SmallCase.random(new Random(SmallCase.SEED_OF_A_HARD_ONE));
        GroupScene scene = small.scene();
        JointPlacement found = new GroupDecisions(scene.engine.forGroups())
                .find(small.pods(), JointTerms.ALL.inOneDomainOf("zone"), new Budget(4))
                .placement();

        assertThat(found)
                .isInstanceOfSatisfying(
                        JointPlacement.Unknown.class,
                        unknown -> assertThat(unknown.soFar())
                                .matches("zone d[0-9]: (no legal order is found yet|not looked into yet)"));
    }

    @Test
    void nothingStaysChanged() {
        for (long seed : Rotation.seeds(40).toArray()) {
            SmallCase small = SmallCase.random(new Random(seed));
            small.fill(GroupScene.scoringAlways()).look(small.pods(), JointTerms.MOST.inOneDomainOf("rack"));
        }
    }
}
