package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.engine.group.GroupObserver.GangResult;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What comes of the turn of a gang where something is in its way, and what users are told. */
class GangTurnTest {
    private static final String WITH_BOOKS = """
        profiles:
        - plugins: {multiPoint: {enabled: [{name: GangScheduling}, {name: Books}]}}
        """;

    private final Books books = new Books();

    /** Reserves something for each pod, but for some. */
    private static final class Books implements ReservePlugin {
        private final Set<String> refused = new HashSet<>();
        private final Set<String> reserved = new HashSet<>();

        @Override
        public String name() {
            return "Books";
        }

        @Override
        public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
            String name = pod.pod().name();
            reserved.add(name);
            return refused.contains(name) ? Status.unschedulable("no page for it") : Status.SUCCESS;
        }

        @Override
        public void unreserve(CycleState state, PendingPod pod, String nodeName) {
            reserved.remove(pod.pod().name());
        }
    }

    /** Reads something of each node. */
    private static final class Reader implements FilterPlugin {
        private boolean fails = true;

        @Override
        public String name() {
            return "Reader";
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            if (fails) {
                throw new IllegalStateException("no glasses");
            }
            return Status.SUCCESS;
        }
    }

    private LiveScene withBooks() {
        return LiveScene.configured(WITH_BOOKS, PluginFactory.of("Books", Books.class, _ -> books))
                .with(List.of(node("n0", 9)));
    }

    private static LiveScene scene(NodeBuilder... nodes) {
        return LiveScene.of("GangScheduling", List.of(nodes));
    }

    private static PodGroup group(String name, int minimum, Optional<String> topologyKey) {
        return new PodGroup(
                ObjectMeta.named("default", name),
                OptionalInt.of(minimum),
                topologyKey,
                PodGroup.DISRUPTED_BY_POD,
                List.of());
    }

    private static PodGroup group(int minimum) {
        return group("train", minimum, Optional.empty());
    }

    private static PodBuilder member(int number) {
        return PodBuilder.pod("w-" + number)
                .uid("w-" + number)
                .podGroup("train")
                .priority(9);
    }

    private static PodBuilder low(String name, String node) {
        return PodBuilder.pod(name).uid(name).nodeName(node).priority(1);
    }

    private static void putMembers(LiveScene scene, int count) {
        for (int i = 0; i < count; i++) {
            scene.put(member(i).build());
        }
        scene.schedule();
    }

    @Test
    void whereAPluginRefusesOneOfItNoneCountsAndItIsToldWhichOne() {
        LiveScene scene = withBooks();
        books.refused.add("w-1");
        scene.put(group(3));
        putMembers(scene, 3);
        assertThat(scene.places).isEmpty();
        assertThat(books.reserved).as("what was reserved is taken back").isEmpty();
        assertThat(scene.scheduler.cluster().pods().count()).isZero();
        assertThat(scene.gangs).containsExactly(GangResult.UNSCHEDULABLE);
        assertThat(scene.conditions().values())
                .hasSize(3)
                .allSatisfy(message -> assertThat(message)
                        .startsWith("pod group default/train waits: pod default/w-1: ")
                        .contains("no page for it"));
        assertThat(scene.groupConditions()).extracting(GroupCondition::reason).containsExactly("Unschedulable");
    }

    @Test
    void whereAPluginFailsAllAreToldAndTriedAgain() {
        Reader reader = new Reader();
        LiveScene scene = LiveScene.configured("""
            profiles:
            - plugins: {multiPoint: {enabled: [{name: GangScheduling}, {name: Reader}]}}
            """, PluginFactory.of("Reader", Reader.class, _ -> reader))
                .with(List.of(node("n0", 9)));
        scene.expectsFaults = true;
        scene.put(group(2));
        putMembers(scene, 2);
        assertThat(scene.places).isEmpty();
        assertThat(scene.faults).singleElement().asString().contains("no glasses");
        assertThat(scene.gangs).containsExactly(GangResult.ERROR);
        assertThat(scene.conditions().values())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message).isEqualTo("running Filter plugin \"Reader\": no glasses"));
        assertThat(scene.groupConditions()).singleElement().satisfies(condition -> {
            assertThat(condition.reason()).isEqualTo("SchedulerError");
            assertThat(condition.message()).contains("no glasses");
        });

        reader.fails = false;
        scene.pass(12);
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void theGroupIsToldThatOthersGoForItAndItsPodsWhereRoomIsKept() {
        LiveScene scene = scene(node("n0", 1), node("n1", 1));
        scene.put(low("low-0", "n0").build());
        scene.put(low("low-1", "n1").build());
        scene.put(group(2));
        putMembers(scene, 2);
        assertThat(scene.groupConditions()).isNotEmpty().allSatisfy(condition -> {
            assertThat(condition.type()).isEqualTo(GroupCondition.INITIALLY_SCHEDULED);
            assertThat(condition.status()).isEqualTo("False");
            assertThat(condition.message()).endsWith("; pod group is waiting for preemption to complete");
        });
        assertThat(scene.scheduler.queue().view())
                .extracting(entry -> entry.nominatedNode())
                .containsExactlyInAnyOrder("n0", "n1");
    }

    @Test
    void oneMoreOfItWaitsAsTheOthersDoUntilThosePreemptedAreOnTheirWay() {
        LiveScene scene = scene(node("n0", 1), node("n1", 1));
        scene.staying = _ -> true;
        scene.put(low("low-0", "n0").build());
        scene.put(low("low-1", "n1").build());
        scene.put(group(2));
        putMembers(scene, 2);
        assertThat(scene.evicted).hasSize(2);
        scene.put(member(2).build());
        scene.schedule();
        assertThat(scene.conditions())
                .containsEntry(
                        "w-2", "pod group default/train waits: pods that are preempted for it have not terminated yet");
        assertThat(scene.gangs).as("one turn").hasSize(1);
        assertThat(scene.evicted).hasSize(2);
    }

    @Test
    void ofThoseLeftOverEachIsTheLeastImportantOrHasTheLargestNumber() {
        LiveScene scene = scene(node("n0", 2));
        scene.put(group(2));
        for (int number : new int[] {10, 3, 2}) {
            scene.put(member(number).build());
        }
        scene.schedule();
        assertThat(scene.places).containsOnlyKeys("w-2", "w-3");
    }

    @Test
    void anotherGangGoesForItAsAWholeAndPodsOfNoGangOneByOne() {
        LiveScene scene = scene(node("n0", 1), node("n1", 1));
        scene.put(group("lesser", 2, Optional.empty()));
        scene.put(low("job-0", "n0").podGroup("lesser").build());
        scene.put(low("job-1", "n1").podGroup("lesser").build());
        scene.put(group(1));
        putMembers(scene, 1);
        assertThat(scene.evicted).containsExactlyInAnyOrder("job-0", "job-1");

        LiveScene single = scene(node("n0", 1), node("n1", 1));
        single.put(low("job-0", "n0").build());
        single.put(low("job-1", "n1").build());
        single.put(group(1));
        putMembers(single, 1);
        assertThat(single.evicted).containsExactly("job-1");
    }

    @Test
    void podsOfAGroupThatIsNoGangGoOneByOne() {
        LiveScene scene = LiveScene.configured("""
            profiles:
            - plugins: {multiPoint: {enabled: [{name: GangScheduling}, {name: GroupPlacement}]}}
            """).with(List.of(node("n0", 1), node("n1", 1)));
        scene.put(LiveScene.replicaSet("web", 2));
        for (int i = 0; i < 2; i++) {
            scene.put(LiveScene.podOf("web", i).priority(1).nodeName("n" + i).build());
        }
        scene.put(group(1));
        putMembers(scene, 1);
        assertThat(scene.evicted).containsExactly("web-1");
    }

    @Test
    void itsOwnPodsInPlaceNeverGoForItsOthers() {
        LiveScene scene = scene(node("n0", 1));
        scene.put(group(2));
        scene.put(member(0).priority(1).nodeName("n0").build());
        scene.put(member(1).build());
        scene.pass(12);
        assertThat(scene.evicted).isEmpty();
        assertThat(scene.conditions().get("w-1")).contains("preemption: no pod is less important than the gang");
    }

    private static Set<String> racks(Map<String, String> places) {
        return places.values().stream().map(node -> node.substring(0, 1)).collect(Collectors.toSet());
    }

    /** Its node is cordoned, so that the room which it leaves helps nobody. */
    @Test
    void whenTheLastOneInItsDomainIsGoneTheOthersMayGoToAnother() {
        LiveScene scene = scene(
                node("a0", 1).label("rack", "a"),
                node("b0", 1).label("rack", "b"),
                node("b1", 1).label("rack", "b"));
        scene.put(group("train", 2, Optional.of("rack")));
        scene.put(member(0).nodeName("a0").build());
        scene.put(node("a0", 1).label("rack", "a").unschedulable(true).build());
        scene.put(member(1).build());
        scene.put(member(2).build());
        scene.pass(12);
        assertThat(scene.places)
                .as("one of it is in a, where nobody else may go")
                .isEmpty();
        scene.remove(scene.pod("w-0"));
        scene.pass(12);
        assertThat(racks(scene.places)).containsExactly("b");
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void onesInPlaceOnANodeOfNoDomainOrThatIsNotThereLeaveItTheChoice() {
        for (String odd : List.of("none", "gone")) {
            LiveScene scene = scene(
                    node("none", 9),
                    node("b0", 1).label("rack", "b"),
                    node("b1", 1).label("rack", "b"));
            scene.put(group("train", 3, Optional.of("rack")));
            scene.put(member(0).nodeName(odd).build());
            scene.put(member(1).build());
            scene.put(member(2).build());
            scene.pass(12);
            assertThat(scene.places).as(odd).hasSize(2);
            assertThat(racks(scene.places)).containsExactly("b");
        }
    }

    @Test
    void theTimeThatATurnTookIsTold() {
        LiveScene scene = scene(node("n0", 9));
        scene.pass(100);
        scene.nanosAGlance = 1;
        scene.nanosAGang = 1_000;
        scene.put(group(2));
        putMembers(scene, 2);
        assertThat(scene.gangs).containsExactly(GangResult.SCHEDULED);
        assertThat(scene.nanosOfLooks).isBetween(1L, 100L);
        assertThat(scene.nanosOfGangs).isBetween(1_000L, 2_000L);
    }

    @Test
    void ofSeveralThatAreMissingEachIsToldOfAndWrittenOnce() {
        LiveScene scene = scene(node("n0", 9));
        scene.put(group(3));
        putMembers(scene, 3);
        scene.remove(scene.pod("w-1"));
        scene.remove(scene.pod("w-2"));
        scene.put(member(7).build());
        scene.put(member(8).build());
        scene.pass(1);
        List<String> said = new ArrayList<>();
        for (GroupCondition condition : scene.groupConditions()) {
            if (condition.type().equals(GroupCondition.DEGRADED)) {
                said.add(condition.status() + " " + condition.reason() + ": " + condition.message());
            }
        }
        assertThat(said)
                .containsExactly(
                        "True PodsMissing: 2 of 3 pods that are needed are in place",
                        "False Recovered: 3 pods are in place");
    }

    @Test
    void whatAnotherSchedulerSaidOfItIsTakenBackOnceAndNotAgainThoughTheObjectIsOlder() {
        LiveScene scene = scene(node("n0", 9));
        GroupCondition said = new GroupCondition(GroupCondition.DEGRADED, "True", "PodsMissing", "", "", 0);
        PodGroup train = new PodGroup(
                ObjectMeta.named("default", "train"),
                OptionalInt.of(2),
                Optional.empty(),
                PodGroup.DISRUPTED_BY_POD,
                List.of(said));
        scene.put(train);
        scene.put(member(0).nodeName("n0").build());
        scene.put(member(1).nodeName("n0").build());
        scene.pass(1);
        scene.put(train);
        scene.pass(1);
        assertThat(scene.toldOf).containsExactly("pod group default/train: 2");
        scene.put(train);
        scene.pass(1);
        assertThat(scene.toldOf).hasSize(1);
    }
}
