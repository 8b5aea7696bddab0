package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static io.evenkeel.groups.turn.LiveScene.podOf;
import static io.evenkeel.groups.turn.LiveScene.replicaSet;
import static io.evenkeel.groups.turn.LiveScene.spread;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.GroupObserver.GangResult;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pods of a gang are placed all together, or none is. */
class GangTest {
    private static PodBuilder member(String owner, int number) {
        return podOf(owner, number).annotation(Annotations.GROUP_PLACEMENT, "gang");
    }

    private static List<NodeBuilder> nodes(int count) {
        List<NodeBuilder> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(node("n" + i, 1));
        }
        return nodes;
    }

    private static LiveScene scene(int nodes) {
        return LiveScene.lookingAhead(1).with(nodes(nodes));
    }

    private static void putGang(LiveScene scene, String owner, int pods) {
        scene.put(replicaSet(owner, pods));
        for (int i = 0; i < pods; i++) {
            scene.put(member(owner, i).build());
        }
        scene.schedule();
    }

    @Test
    void waitsUntilAllOfItAreThere() {
        LiveScene scene = scene(4);
        scene.put(replicaSet("a", 3));
        scene.put(member("a", 0).build());
        scene.put(member("a", 1).build());
        scene.schedule();
        assertThat(scene.places).isEmpty();
        assertThat(scene.scheduler.queue().view())
                .extracting(QueueEntryView::state)
                .containsOnly(QueueState.GATED);

        scene.put(member("a", 2).build());
        scene.schedule();
        assertThat(scene.places).hasSize(3);
    }

    @Test
    void anOwnerThatBecomesSmallerNeedsFewer() {
        LiveScene scene = scene(4);
        scene.put(replicaSet("a", 3));
        scene.put(member("a", 0).build());
        scene.put(member("a", 1).build());
        scene.schedule();
        assertThat(scene.places).isEmpty();

        scene.put(replicaSet("a", 2));
        scene.schedule();
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void isTriedAnewWhereItsOwnerBecomesSmaller() {
        LiveScene scene = scene(2);
        putGang(scene, "a", 3);
        scene.pass(12);
        scene.gangs.clear();

        scene.put(replicaSet("a", 2));
        scene.schedule();
        assertThat(scene.gangs).containsExactly(GangResult.SCHEDULED);
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void waitsForOneThatAGateOfItsOwnHoldsWheneverThatCame() {
        for (int held = 0; held < 3; held++) {
            LiveScene scene = scene(4);
            scene.put(replicaSet("a", 3));
            for (int i = 0; i < 3; i++) {
                PodBuilder member = member("a", i);
                scene.put((i == held ? member.schedulingGate("example.com/wait") : member).build());
                scene.schedule();
            }
            scene.pass(12);
            assertThat(scene.places).isEmpty();

            scene.put(member("a", held).build());
            scene.pass(12);
            assertThat(scene.places).as("held was %d", held).hasSize(3);
        }
    }

    @Test
    void waitsForRoomAndHoldsNoneMeanwhile() {
        LiveScene scene = scene(3);
        putGang(scene, "a", 4);
        assertThat(scene.places).isEmpty();
        assertThat(scene.gangs).containsExactly(GangResult.UNSCHEDULABLE);
        assertThat(scene.gangsLookedInto).isEqualTo(1);
        assertThat(scene.conditions())
                .hasSize(4)
                .allSatisfy((_, message) -> assertThat(message).startsWith("ReplicaSet default/a waits: "));

        scene.put(podOf("single", 0).build());
        scene.schedule();
        assertThat(scene.places).containsOnlyKeys("single-0");

        scene.put(node("n3", 1).build());
        scene.pass(1);
        assertThat(scene.places).hasSize(1);
        scene.put(node("n4", 1).build());
        scene.pass(12);
        assertThat(scene.places).hasSize(5);
    }

    @Test
    void twoThatEachFitAloneDoNotBlockEachOther() {
        LiveScene scene = scene(4);
        scene.put(replicaSet("a", 3));
        scene.put(replicaSet("b", 3));
        for (int i = 0; i < 3; i++) {
            scene.put(member("a", i).build());
            scene.put(member("b", i).build());
        }
        scene.schedule();
        assertThat(scene.places.keySet()).containsExactlyInAnyOrder("a-0", "a-1", "a-2");

        for (int i = 0; i < 3; i++) {
            scene.remove(scene.pod("a-" + i));
        }
        scene.pass(12);
        assertThat(scene.places.keySet()).containsExactlyInAnyOrder("b-0", "b-1", "b-2");
    }

    @Test
    void isDegradedAsLongAsOneOfItCouldNotBeBound() {
        LiveScene scene = scene(5);
        scene.refused = pod -> pod.name().equals("a-1");
        putGang(scene, "a", 3);
        assertThat(scene.places.keySet()).containsExactlyInAnyOrder("a-0", "a-2");
        assertThat(scene.degraded).containsExactly(1);

        scene.refused = _ -> false;
        scene.pass(12);
        assertThat(scene.places).hasSize(3);
        assertThat(scene.degraded).containsExactly(1, 0);
    }

    @Test
    void staysDegradedAsLongAsNoAttemptToBindItSucceeds() {
        LiveScene scene = scene(5);
        scene.refused = pod -> pod.name().equals("a-1");
        putGang(scene, "a", 3);
        scene.pass(60);
        assertThat(scene.gangs).as("tried again and again").hasSizeGreaterThan(5);
        assertThat(scene.degraded).containsExactly(1);
    }

    @Test
    void isDegradedUntilADeletedOneIsReplaced() {
        LiveScene scene = scene(5);
        putGang(scene, "a", 3);
        scene.remove(scene.pod("a-1"));
        assertThat(scene.degraded).containsExactly(1);
        scene.put(member("a", 7).build());
        scene.schedule();
        assertThat(scene.places.keySet()).containsExactlyInAnyOrder("a-0", "a-2", "a-7");
        assertThat(scene.degraded).containsExactly(1, 0);
    }

    @Test
    void whereNoProfilePlacesGroupsNobodyIsToldOfThem() {
        assertThat(LiveScene.of("GroupPlacement", nodes(1)).tellsOfGroups).isTrue();
        assertThat(LiveScene.of("NodeName", nodes(1)).tellsOfGroups).isFalse();
    }

    /** As a replica that does not lead sees it. */
    @Test
    void isNotDegradedWhereAnotherSchedulerHasReplacedADeletedOne() {
        LiveScene scene = scene(5);
        putGang(scene, "a", 3);
        scene.remove(scene.pod("a-1"));
        scene.put(member("a", 7).nodeName("n4").build());
        assertThat(scene.degraded).containsExactly(1, 0);
        assertThat(scene.toldOf).containsExactly("ReplicaSet default/a: 2 of 3", "ReplicaSet default/a: 3");
    }

    @Test
    void isNotDegradedOnceNothingSaysThatItIsAGang() {
        LiveScene scene = LiveScene.of("Coscheduling", nodes(3));
        CoschedulingPodGroup group = new CoschedulingPodGroup(ObjectMeta.named("default", "g"), 3);
        scene.put(group);
        for (int i = 0; i < 3; i++) {
            scene.put(PodBuilder.pod("p-" + i)
                    .uid("p-" + i)
                    .label(CoschedulingPodGroup.LABEL, "g")
                    .build());
        }
        scene.schedule();
        scene.remove(scene.pod("p-0"));
        assertThat(scene.degraded).containsExactly(1);
        scene.remove(group);
        assertThat(scene.degraded).containsExactly(1, 0);
        scene.remove(scene.pod("p-1"));
        assertThat(scene.degraded).containsExactly(1, 0);
    }

    @Test
    void isNotDegradedOnceItsOwnerWantsNoMoreThanThereAre() {
        for (int wanted : new int[] {2, 0}) {
            LiveScene scene = scene(5);
            putGang(scene, "a", 3);
            scene.remove(scene.pod("a-1"));
            assertThat(scene.degraded).containsExactly(1);
            scene.put(replicaSet("a", wanted));
            assertThat(scene.degraded).containsExactly(1, 0);
        }
    }

    @Test
    void nothingIsKeptOfOneWhoseOwnerWasScaledToNothing() {
        LiveScene scene = scene(5);
        putGang(scene, "a", 3);
        scene.put(PodBuilder.from(scene.pod("a-1")).phase("Succeeded").build());
        scene.put(replicaSet("a", 0));
        scene.remove(scene.pod("a-0"));
        scene.put(replicaSet("a", 3));
        assertThat(scene.degraded).isEmpty();
        for (int i = 3; i < 5; i++) {
            scene.put(member("a", i).build());
        }
        scene.schedule();
        scene.remove(scene.pod("a-2"));
        assertThat(scene.degraded).as("who has finished before is forgotten").containsExactly(1);
    }

    @Test
    void isNotDegradedByPodsThatHaveRunToTheirEnd() {
        LiveScene scene = scene(5);
        putGang(scene, "a", 4);
        for (int i = 1; i < 4; i++) {
            scene.put(PodBuilder.from(scene.pod("a-" + i)).phase("Succeeded").build());
            scene.remove(scene.pod("a-" + i));
            assertThat(scene.degraded).isEmpty();
        }
    }

    @Test
    void afterARestartThoseThatAreInPlaceStayAndTheOthersFollow() {
        for (boolean placedFirst : new boolean[] {true, false}) {
            LiveScene scene = scene(4);
            scene.put(replicaSet("a", 4));
            List<Pod> placed = List.of(
                    member("a", 0).nodeName("n0").build(),
                    member("a", 1).nodeName("n1").build());
            if (placedFirst) {
                placed.forEach(scene::put);
            }
            scene.put(member("a", 2).build());
            scene.put(member("a", 3).build());
            if (!placedFirst) {
                placed.forEach(scene::put);
            }
            scene.schedule();
            assertThat(scene.places).containsOnlyKeys("a-2", "a-3");
        }
    }

    @Test
    void whereOnlyTheEndIsAllowedItIsBoundAtOnceIfItAsksForThat() {
        for (String mode : List.of("gang", "end-state")) {
            LiveScene scene = LiveScene.lookingAhead(1)
                    .with(List.of(
                            node("a1", 9).label(LiveScene.ZONE, "a"),
                            node("a2", 9).label(LiveScene.ZONE, "a"),
                            node("b1", 9).label(LiveScene.ZONE, "b")));
            scene.put(replicaSet("web", 7));
            for (int i = 0; i < 7; i++) {
                scene.put(podOf("web", i)
                        .annotation(Annotations.GROUP_PLACEMENT, mode)
                        .spread(spread(1, LiveScene.ZONE))
                        .spread(spread(1, LiveScene.HOST))
                        .build());
            }
            scene.schedule();
            if (mode.equals("end-state")) {
                assertThat(scene.places).hasSize(7);
                assertThat(scene.places.values()).filteredOn("b1"::equals).hasSize(3);
            } else {
                assertThat(scene.places).isEmpty();
                assertThat(scene.conditions().values().iterator().next()).contains("end-state");
            }
        }
    }

    @Test
    void aWordThatMeansNothingIsSaid() {
        LiveScene scene = scene(1);
        scene.put(podOf("a", 0).annotation(Annotations.GROUP_PLACEMENT, "band").build());
        scene.schedule();
        assertThat(scene.places).isEmpty();
    }

    @Test
    void lessImportantPodsGoOnlyWhereThatLetsAllOfItFit() {
        LiveScene scene = scene(3);
        for (int i = 0; i < 3; i++) {
            scene.put(podOf("low", i).nodeName("n" + i).build());
        }
        scene.put(replicaSet("a", 4));
        for (int i = 0; i < 4; i++) {
            scene.put(member("a", i).priority(9).build());
        }
        scene.schedule();
        assertThat(scene.evicted).as("four pods do not fit on three nodes").isEmpty();

        scene.put(node("n3", 1).build());
        scene.pass(12);
        assertThat(scene.evicted).containsExactlyInAnyOrder("low-0", "low-1", "low-2");
        assertThat(scene.places).as("they have not left yet").isEmpty();
        assertThat(scene.gangs).contains(GangResult.WAITING_ON_PREEMPTION);

        List.copyOf(scene.evicted).forEach(name -> scene.remove(scene.pod(name)));
        scene.pass(12);
        assertThat(scene.places).hasSize(4);
        assertThat(scene.evicted).hasSize(3);
    }

    /** Whoever has told it leads no more. */
    @Test
    void lessImportantPodsGoAlsoWhereTheyWereOnlyTold() {
        LiveScene scene = scene(1);
        scene.put(podOf("low", 0)
                .nodeName("n0")
                .status(PodStatusBuilder.from(PodStatus.PENDING)
                        .disruptionTarget(new PodCondition(
                                PodCondition.DISRUPTION_TARGET,
                                "True",
                                PodCondition.PREEMPTION_BY_SCHEDULER,
                                "",
                                "",
                                0))
                        .build())
                .build());
        scene.put(replicaSet("a", 1));
        scene.put(member("a", 0).priority(9).build());
        scene.pass(1);
        assertThat(scene.evicted).containsExactly("low-0");
    }
}
