package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.RoomScene.ZONE;
import static io.evenkeel.groups.turn.RoomScene.budget;
import static io.evenkeel.groups.turn.RoomScene.gang;
import static io.evenkeel.groups.turn.RoomScene.inUnits;
import static io.evenkeel.groups.turn.RoomScene.low;
import static io.evenkeel.groups.turn.RoomScene.pods;
import static io.evenkeel.groups.turn.RoomScene.spread;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.turn.GangPreemption.Gang;
import io.evenkeel.groups.turn.GangPreemption.Room;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.rotation.Rotated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GangPreemptionTest {
    private static Optional<String> byName(Pod pod) {
        return pod.name().startsWith("job") ? Optional.of(pod.name().substring(0, 4)) : Optional.empty();
    }

    /** Three nodes of 4 cpus, full. */
    private static RoomScene threeNodes() {
        return new RoomScene()
                .node("n1", "a", 4, "a:3:2", "b:1:2")
                .node("n2", "a", 4, "c:2:2", "d:1:2")
                .node("n3", "b", 4, "e:9:4");
    }

    @Test
    void theLeastImportantGoSoThatAllFit() {
        assertThat(threeNodes().victims(gang(pods(1, "2")))).isEqualTo("d");
        assertThat(threeNodes().victims(gang(pods(2, "2")))).isEqualTo("b d");
        assertThat(threeNodes().victims(gang(pods(3, "2")))).isEqualTo("c b d");
    }

    @Test
    void whereNotAllFitNobodyGoes() {
        assertThat(threeNodes().victims(gang(pods(5, "2")))).startsWith("even without all that are less important: ");
        assertThat(threeNodes().victims(gang(pods(5, "2"), 4))).isEqualTo("a c b d");
    }

    @Test
    void aGangThatFitsAsItIsLetsNobodyGo() {
        RoomScene scene = threeNodes().node("n4", "b", 4, "f:0:1");

        assertThat(scene.victims(gang(pods(1, "3")))).isEmpty();
        assertThat(scene.victims(gang(pods(2, "3"))))
                .as("a node has to be free; n4 has 3 cpus beside f")
                .isEqualTo("c d");
    }

    @Test
    void theMoreImportantStayThoughTheirNodesAreTheFirst() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 2, "a:5:2")
                .node("n2", "a", 2, "b:1:2")
                .node("n3", "a", 2, "c:3:2");

        assertThat(scene.victims(gang(pods(1, "2")))).isEqualTo("b");
        assertThat(scene.victims(gang(pods(2, "2")))).isEqualTo("c b");
    }

    @Test
    void ofEqualOnesTheOlderStayAndThenThoseWhoseNameIsTheFirst() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 2)
                .node("n2", "a", 2)
                .put(started("young", "n1", "2026-02-01T00:00:00Z"))
                .put(started("old", "n2", "2026-01-01T00:00:00Z"));
        assertThat(scene.victims(gang(pods(1, "2")))).isEqualTo("young");

        RoomScene alike = new RoomScene().node("n1", "a", 2, "a:1:2").node("n2", "a", 2, "b:1:2");
        assertThat(alike.victims(gang(pods(1, "2")))).isEqualTo("b");
    }

    private static Pod started(String name, String node, String time) {
        return low(name + ":1:2")
                .nodeName(node)
                .status(PodStatusBuilder.running().startTime(time).build())
                .build();
    }

    @Test
    void whomABudgetProtectsIsReprievedBeforeMoreImportantOnes() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 2, "db:1:2")
                .node("n2", "a", 2, "web1:5:2")
                .put(budget("db", 0));

        assertThat(scene.victims(gang(pods(1, "2")))).isEqualTo("web1");
        assertThat(scene.victims(gang(pods(2, "2"))))
                .as("there is no other way")
                .isEqualTo("web1 db");
    }

    @Test
    void aBudgetIsForTheWholeClusterAndNotForEachNode() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 2, "db1:1:2")
                .node("n2", "a", 2, "db2:1:2")
                .node("n3", "a", 2, "web1:5:2")
                .put(budget("db", 1));

        assertThat(scene.victims(gang(pods(1, "2")))).as("one may be disturbed").isEqualTo("db1");
        assertThat(scene.victims(gang(pods(2, "2")))).as("the second may not").isEqualTo("web1 db1");
    }

    /** A node of 8 cpus, full, with so many devices. */
    private static RoomScene devices(int count) {
        return new RoomScene()
                .node("n1", "a", 8, "a:1:2", "b:2:2", "c:3:2", "d:4:2")
                .put(read("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':{'name':'gpu'}}"))
                .put(read("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'s'},'spec':"
                        + "{'driver':'example.com','pool':{'name':'p','generation':1,'resourceSliceCount':1},"
                        + "'nodeName':'n1','devices':["
                        + IntStream.range(0, count)
                                .mapToObj(device -> "{'name':'d" + device + "'}")
                                .collect(Collectors.joining(","))
                        + "]}}"));
    }

    private static KubernetesObject read(String text) {
        return new ObjectReader().read(text.replace('\'', '"'));
    }

    private static KubernetesObject claimOf(String pod, String status) {
        return read("{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1','metadata':{'name':'of-" + pod
                + "','namespace':'default','uid':'claim-of-" + pod + "','ownerReferences':[{'kind':'Pod','name':'" + pod
                + "','uid':'uid-" + pod + "','controller':true}]},'spec':{'devices':{'requests':[{'name':'r',"
                + "'exactly':{'deviceClassName':'gpu'}}]}},'status':{" + status + "}}");
    }

    /** The pods that wait, with a device each by a claim that is made from one template. */
    private static Gang withDevices(RoomScene scene, int count) {
        List<Pod> pods = pods(
                count, pod -> pod.container("cpu", "2").resourceClaim(new PodResourceClaim("gpu", "", "template")));
        return gang(pods.stream()
                .map(pod -> {
                    scene.put(claimOf(pod.name(), ""));
                    return PodBuilder.from(pod)
                            .uid("uid-" + pod.name())
                            .status(PodStatusBuilder.from(pod.status())
                                    .claims(List.of(new MadeClaim("gpu", Optional.of("of-" + pod.name()))))
                                    .build())
                            .build();
                })
                .toList());
    }

    @Test
    void nobodyGoesForAGangThatNeedsMoreDevicesThanThereAre() {
        for (int count = 1; count < 4; count++) {
            RoomScene scene = devices(count);
            assertThat(scene.victims(withDevices(scene, 4)))
                    .as("of %d devices", count)
                    .startsWith("even without all that are less important: ");
        }
    }

    @Test
    void aMemberThatHasItsDevicesIsNotLikeTheOthers() {
        RoomScene scene = devices(2);
        Gang gang = withDevices(scene, 3);
        scene.put(claimOf(
                "gang-0",
                "'allocation':{'devices':{'results':"
                        + "[{'request':'r','driver':'example.com','pool':'p','device':'d0'}]}}"));
        assertThat(scene.victims(gang)).startsWith("even without all that are less important: ");
    }

    @Test
    void noMoreGoThanAGangWithDevicesNeeds() {
        RoomScene all = devices(4);
        assertThat(all.victims(withDevices(all, 4))).isEqualTo("d c b a");
        RoomScene some = devices(2);
        assertThat(some.victims(withDevices(some, 2))).isEqualTo("b a");
    }

    @Test
    void podsOfAnotherGangGoTogetherOrNotAtAll() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 2, "job1a:1:2")
                .node("n2", "a", 2, "job1b:1:2")
                .node("n3", "a", 2, "x:2:2");

        assertThat(scene.victims(gang(pods(1, "2")))).as("each for itself").isEqualTo("job1b");
        assertThat(scene.victims(inUnits(pods(1, "2"), GangPreemptionTest::byName)))
                .as("x is more important")
                .isEqualTo("job1a job1b");
        assertThat(scene.victims(inUnits(pods(2, "2"), GangPreemptionTest::byName)))
                .as("they would go anyway, so x stays")
                .isEqualTo("job1a job1b");
    }

    @Test
    void ofTheSamePriorityAGangStaysRatherThanAPodAndALargerOneRatherThanASmaller() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 2, "a:1:2")
                .node("n2", "a", 4, "job1a:1:2", "job1b:1:2")
                .node("n3", "a", 2, "job2a:1:2");

        assertThat(scene.victims(inUnits(pods(1, "2"), GangPreemptionTest::byName)))
                .isEqualTo("a");
        assertThat(scene.victims(inUnits(pods(2, "2"), GangPreemptionTest::byName)))
                .isEqualTo("job2a a");
    }

    @Test
    void aGangOfWhichOnePodIsAsImportantStays() {
        RoomScene scene = new RoomScene().node("n1", "a", 2, "job1a:1:2").node("n2", "a", 2, "job1b:9:2");

        assertThat(scene.victims(inUnits(pods(1, "2"), GangPreemptionTest::byName)))
                .isEqualTo("no pod is less important than the gang");
    }

    @Test
    void podsOfTheGangItselfNeverGo() {
        RoomScene scene = new RoomScene().node("n1", "a", 2, "mine:1:2").node("n2", "a", 2, "other:5:2");

        assertThat(scene.victims(new Gang(pods(1, "2"), 1, pod -> pod.name().equals("mine"), _ -> Optional.empty())))
                .isEqualTo("other");
    }

    @Test
    void whoIsLeavingIsGoneAlready() {
        Pod leaving = PodBuilder.from(low("b:1:2").nodeName("n2").build())
                .terminating(true)
                .build();
        RoomScene scene =
                new RoomScene().node("n1", "a", 2, "a:0:2").node("n2", "a", 2).put(leaving);

        Room.Made one = (Room.Made) scene.look(gang(pods(1, "2")));
        Room.Made two = (Room.Made) scene.look(gang(pods(2, "2")));

        assertThat(one.victims()).isEmpty();
        assertThat(two.victims()).extracting(Pod::name).containsExactly("a");
        scene.follow(two, List.of(leaving));
    }

    @Test
    void aPodThatPreemptsNobodyAndAProfileWithoutPreemptionLetNobodyGo() {
        List<Pod> mixed = new ArrayList<>(pods(1, "2"));
        mixed.add(PodBuilder.pod("meek").priority(9).preempts(false).build());
        assertThat(threeNodes().victims(gang(mixed))).isEqualTo("a pod of the gang has preemptionPolicy Never");

        RoomScene without = new RoomScene(SchedulerConfiguration.defaults().toBuilder()
                .profiles(List.of(Profile.completed(
                        Profile.DEFAULT_SCHEDULER_NAME,
                        OptionalInt.empty(),
                        Plugins.NONE.with(
                                ExtensionPoint.MULTI_POINT, new PluginSet(List.of(), List.of("DefaultPreemption"))),
                        Map.of())))
                .build());
        assertThat(without.node("n1", "a", 2, "a:0:2").victims(gang(pods(1, "2"))))
                .isEqualTo("no plugin of the profile lets pods go, as DefaultPreemption would");
    }

    @Test
    void ofPrioritiesTheLowestCounts() {
        List<Pod> mixed = List.of(
                PodBuilder.pod("one").priority(9).container("cpu", "2").build(),
                PodBuilder.pod("two").priority(2).container("cpu", "2").build());

        assertThat(threeNodes().victims(gang(mixed))).isEqualTo("b d");
        assertThat(threeNodes()
                        .victims(gang(
                                List.of(mixed.get(0), mixed.get(1), pods(1, "2").getFirst()))))
                .startsWith("even without all");
    }

    @Test
    void victimsAreWhereTheConstraintsNeedThem() {
        RoomScene scene = new RoomScene().node("n1", "a", 4, "a:1:2", "b:1:2").node("n2", "b", 4, "c:5:2", "d:6:2");
        List<Pod> spread = pods(2, pod -> pod.container("cpu", "2").spread(spread(1, "gang", ZONE)));

        assertThat(scene.victims(gang(pods(2, "2")))).isEqualTo("a b");
        assertThat(scene.victims(gang(spread))).isEqualTo("c b");
    }

    @Rotated(3)
    @Test
    void aLauncherAndItsWorkersAreSeatedTogether() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 4, "a:1:4")
                .node("n2", "a", 4, "b:2:2", "c:3:2")
                .node("n3", "a", 4, "d:4:4");
        List<Pod> job = new ArrayList<>(pods(2, "2"));
        job.add(PodBuilder.pod("launcher").priority(9).container("cpu", "4").build());

        assertThat(scene.victims(gang(job))).isEqualTo("c b a");
    }

    @Test
    void whereTheBudgetIsSpentItIsSaid() {
        RoomScene scene = new RoomScene();
        for (int i = 0; i < 6; i++) {
            scene.node("n" + i, i < 3 ? "a" : "b", 3, "a" + i + ":1:2", "b" + i + ":2:1");
        }
        List<Pod> job = new ArrayList<>(pods(4, "1"));
        job.addAll(List.of(
                PodBuilder.pod("x").priority(9).container("cpu", "2").build(),
                PodBuilder.pod("y").priority(9).container("cpu", "3").build()));

        Room.Made hasty = (Room.Made) scene.look(gang(job), new Budget(1));
        Room.Made thorough = (Room.Made) scene.look(gang(job));

        assertThat(hasty.isLeast()).isFalse();
        scene.follow(hasty, List.of());
        hasty.victims().forEach(scene.engine::put);
        assertThat(thorough.isLeast()).isTrue();
        scene.follow(thorough, List.of());
    }

    /** Pods in zone a count for the gang's constraint: with more than one of them back, that zone is too far ahead. */
    @Test
    void whereSoMuchIsSpentThatNobodyKnowsWhoCouldStayNobodyGoes() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 16)
                .node("n2", "b", 4, "low1:1:4")
                .node("n3", "c", 4, "low2:1:4");
        for (int i = 4; i < 10; i++) {
            scene.node("n" + i, "a", 1, "gang" + i + ":5:1");
        }
        Gang gang = gang(pods(6, pod -> pod.container("cpu", "2").spread(spread(1, "gang", ZONE))));

        assertThat(scene.look(gang, new Budget(1)).getClass()).isEqualTo(Room.Unknown.class);
        assertThat(scene.victims(gang)).isEqualTo("gang5 gang6 gang7 gang8 gang9 low1 low2");
    }

    /** Two racks cross two rows; the gang sits on one diagonal, and none of it can move alone, but both to the other. */
    @Test
    void whereNoneCanMoveAloneAllAreSeatedAnew() {
        RoomScene scene = new RoomScene();
        for (String cell : List.of("1-1", "1-2", "2-1", "2-2")) {
            scene.put(NodeBuilder.node("n" + cell)
                            .label("rack", cell.substring(0, 1))
                            .label("row", cell.substring(2))
                            .allocatable("cpu", "2", "pods", "9")
                            .build())
                    .put(low("low-" + cell + (cell.equals("1-1") ? ":5:2" : ":1:2"))
                            .nodeName("n" + cell)
                            .build());
        }
        Gang gang = gang(pods(
                2,
                pod -> pod.container("cpu", "2")
                        .spread(spread(1, "gang", "rack"))
                        .spread(spread(1, "gang", "row"))));

        assertThat(scene.victims(gang)).isEqualTo("low-1-2 low-2-1");
    }

    /** With gang1 back zone a would be ahead of b, and not beside gang2; in between u is refused, for which all are looked at. */
    private static RoomScene oneThatMayStayBesideAnother() {
        return new RoomScene()
                .node("n1", "a", 1, "gang1:5:1")
                .node("n2", "b", 1, "gang2:3:1")
                .node("n3", "a", 2, "u:4:1", "v:1:1");
    }

    private static Gang spreadGang(int pods, String cpu) {
        return gang(pods(pods, pod -> pod.container("cpu", cpu).spread(spread(1, "gang", ZONE))));
    }

    @Test
    void whoMayStayBesideOneWhoComesBackLaterIsTriedAgain() {
        assertThat(oneThatMayStayBesideAnother().victims(spreadGang(1, "2"))).isEqualTo("u v");
    }

    /** Whatever is spent: nobody goes in vain, and what is said to be the least is it. */
    @Test
    void howeverLittleMayBeSpentWhatIsSaidIsSo() {
        List<String> hasty = new ArrayList<>();
        for (int steps = 1; steps < 80; steps++) {
            RoomScene scene = oneThatMayStayBesideAnother();
            Room room = scene.look(spreadGang(1, "2"), new Budget(steps));
            if (room instanceof Room.Made made) {
                scene.follow(made, List.of());
                List<String> names = made.victims().stream().map(Pod::name).toList();
                if (made.isLeast()) {
                    assertThat(names).as("%d steps", steps).containsExactly("u", "v");
                } else {
                    assertThat(names).contains("u", "v");
                    hasty.addAll(names);
                }
            } else {
                assertThat(room).as("%d steps", steps).isEqualTo(new Room.Unknown(new Budget(steps), room.steps()));
            }
            assertThat(room.steps()).isPositive();
        }
        assertThat(hasty)
                .as("some go as there was no time to see who could stay")
                .contains("gang1");
        assertThat(((Room.Made) oneThatMayStayBesideAnother().look(spreadGang(1, "2"))).isLeast())
                .isTrue();
    }

    @Test
    void whatStandsForGoodIsToldApartFromWhatDependsOnOtherGangs() {
        RoomScene alone = new RoomScene().node("n1", "a", 2, "x:9:2");
        RoomScene mixed = new RoomScene().node("n1", "a", 2, "job1a:1:2").node("n2", "a", 2, "job1b:9:2");
        String why = "no pod is less important than the gang";

        assertThat(alone.look(gang(pods(1, "2")))).satisfies(room -> {
            assertThat(((Room.None) room).why()).isEqualTo(why);
            assertThat(((Room.None) room).isRuledOut()).isTrue();
        });
        assertThat(mixed.look(inUnits(pods(1, "2"), GangPreemptionTest::byName)))
                .satisfies(room -> {
                    assertThat(((Room.None) room).why()).isEqualTo(why);
                    assertThat(((Room.None) room).isRuledOut()).isFalse();
                });
    }

    @Test
    void whatItCostIsTold() {
        Room.Made made = (Room.Made) threeNodes().look(gang(pods(2, "2")));
        assertThat(made.steps()).isBetween(2L, 100L);
    }

    @Test
    void ofTwoGangsThatAreAlikeTheFirstByNameStays() {
        RoomScene scene = new RoomScene().node("n1", "a", 2, "job2a:1:2").node("n2", "a", 2, "job1a:1:2");

        assertThat(scene.victims(inUnits(pods(1, "2"), GangPreemptionTest::byName)))
                .isEqualTo("job2a");
    }

    /** Each that is back makes its zone one fuller for the gang, too. */
    @Test
    void manyThatCountForTheGangsOwnSpread() {
        RoomScene scene = new RoomScene()
                .node("n1", "a", 4, "gang1:3:2", "x:1:2")
                .node("n2", "b", 4, "gang2:5:2", "y:2:2")
                .node("n3", "c", 4, "gang3:4:2", "z:4:2");
        assertThat(scene.victims(spreadGang(3, "2"))).isEqualTo("gang1 y x");
        assertThat(scene.victims(spreadGang(2, "2"))).isEqualTo("y x");
        assertThat(scene.victims(spreadGang(1, "2"))).isEqualTo("x");
    }

    /** One look at the order of all, now and then, and not one search for seats for each who comes back. */
    @Test
    void whoComesBackWhereNobodySitsCostsNextToNothing() {
        RoomScene scene = new RoomScene();
        for (int i = 0; i < 30; i++) {
            scene.node(
                    "n" + i,
                    "z" + i % 3,
                    4,
                    "gang" + i + "x:" + (1 + i % 8) + ":2",
                    "y" + i + ":" + (1 + i % 7) + ":2");
        }
        Room.Made made = (Room.Made) scene.look(spreadGang(6, "2"));
        assertThat(made.isLeast()).isTrue();
        assertThat(made.victims()).hasSize(6);
        assertThat(made.steps()).isLessThan(200);
    }
}
