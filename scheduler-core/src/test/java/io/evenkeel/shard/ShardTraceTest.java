package io.evenkeel.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.ShardSettings;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.shard.ShardTrace.Asked;
import io.evenkeel.shard.ShardTrace.Attempt;
import io.evenkeel.shard.ShardTrace.Refused;
import io.evenkeel.shard.ShardTrace.Tried;
import io.evenkeel.shard.ShardTrace.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class ShardTraceTest {
    private static final ShardMap FOUR = new ShardMap(new ShardSettings("", List.of(), 4, false));
    private static final Pod POD = PodBuilder.pod("p").version("7", 3).build();
    private static final List<Integer> ORDER = List.of(2, 0, 3);

    @Test
    void aTraceIsReadAsItWasWritten() {
        Tried tried = ShardTrace.NONE
                .with(new Attempt(2, 1, "0/9 nodes are available: 9 Insufficient cpu."))
                .with(new Attempt(0, 2, "no nodes available to schedule pods"));
        for (ShardTrace trace : List.of(
                ShardTrace.NONE,
                tried,
                new Asked("node-7"),
                new Refused("node-7", "Insufficient cpu: none, it's full"))) {
            assertThat(read(trace.condition(POD, FOUR))).isEqualTo(trace);
        }
        assertThat(tried.condition(POD, FOUR))
                .isEqualTo(new PodCondition("evenkeel.io/shard", "False", "Tried", """
                        count=4
                        shard 0, round 2: no nodes available to schedule pods
                        shard 2, round 1: 0/9 nodes are available: 9 Insufficient cpu.""", "", 3));
        assertThat(new Asked("node-7").condition(POD, FOUR))
                .isEqualTo(new PodCondition("evenkeel.io/shard", "True", "Asked", "node-7", "", 3));
    }

    @Test
    void aShardsLastAttemptTakesThePlaceOfItsFormer() {
        Tried tried = ShardTrace.NONE.with(new Attempt(1, 1, "a")).with(new Attempt(1, 2, "b"));
        assertThat(tried.attempts()).containsExactly(new Attempt(1, 2, "b"));
    }

    @Test
    void whatCannotBeReadOrIsOfAnotherMapIsAsIfItWereNotThere() {
        assertThat(ShardTrace.of(POD, FOUR)).isEqualTo(ShardTrace.NONE);
        Stream.of(
                        condition("True", "Asked", "no node"),
                        condition("True", "Asked", ""),
                        condition("False", "Asked", "node-7"),
                        condition("False", "Refused", "node-7"),
                        condition("False", "Refused", ": why"),
                        condition("False", "Other", "count=4"),
                        condition("False", "Tried", ""),
                        condition("False", "Tried", "count=5\nshard 1, round 1: why"),
                        condition("False", "Tried", "count=4\nshard 4, round 1: why"),
                        condition("False", "Tried", "count=4\nshard 1, round 3: why"),
                        condition("False", "Tried", "count=4\nshard 1, round 1: a\nshard 1, round 2: b"),
                        condition("False", "Tried", "count=4\nshard 99999999999, round 1: a"),
                        condition("False", "Tried", "count=4\n"),
                        condition("False", "Tried", "count=4\nshard 1, round 1: " + "x".repeat(ShardTrace.LONGEST)))
                .forEach(condition -> assertThat(read(condition))
                        .as("%.80s", condition.message())
                        .isEqualTo(ShardTrace.NONE));
    }

    @Test
    void noMessageMakesAConditionThatOthersCannotRead() {
        SplittableRandom random = new SplittableRandom(1);
        ShardMap most = new ShardMap(new ShardSettings("", List.of(), ShardSettings.MOST_SHARDS, false));
        for (int i = 0; i < 300; i++) {
            Tried tried = ShardTrace.NONE;
            int shards = random.nextInt(65);
            for (int shard = 0; shard < shards; shard++) {
                tried = tried.with(new Attempt(shard, 1 + random.nextInt(2), text(random)));
            }
            assertThat(((Tried) read(tried.condition(POD, most))).attempts())
                    .extracting(Attempt::shard, Attempt::round)
                    .containsExactlyElementsOf(tried.attempts().stream()
                            .map(each -> Tuple.tuple(each.shard(), each.round()))
                            .toList());
            assertThat(tried.message(List.of(0, 1, 2, 63), Optional.of(text(random))))
                    .isNotNull();
            String why = text(random);
            assertThat(read(new Refused("n", why).condition(POD, most))).isInstanceOf(Refused.class);
        }
    }

    @Test
    void eachShardTriesWithoutPreemptionThenEachWithIt() {
        assertThat(turns(ORDER, true)).containsExactly("2/1", "0/1", "3/1", "2/2", "0/2", "3/2");
        assertThat(turns(ORDER, false)).containsExactly("2/1", "0/1", "3/1");
    }

    @Test
    void oneShardAloneMayPreemptAtOnce() {
        assertThat(turns(List.of(3), true)).containsExactly("3/2");
        assertThat(turns(List.of(3), false)).containsExactly("3/1");
    }

    @Test
    void onlyWhoseTurnItIsMayTryAndPreempt() {
        Turn first = ShardTrace.NONE.turn(ORDER, true, OptionalInt.empty());
        assertThat(first.isOf(2)).isTrue();
        assertThat(first.isOf(0)).isFalse();
        assertThat(first.mayPreempt(2)).isFalse();

        Turn second = tried(1, 2, 0, 3).turn(ORDER, true, OptionalInt.empty());
        assertThat(second.isOf(2)).isTrue();
        assertThat(second.isOf(0)).isFalse();
        assertThat(second.mayPreempt(2)).isTrue();
        assertThat(second.mayPreempt(0)).isFalse();
    }

    @Test
    void afterTheRoundsAllOfTheOrderMayTryAndPreempt() {
        Turn any = tried(2, 2, 0, 3).turn(ORDER, true, OptionalInt.empty());
        assertThat(any.shard()).isEmpty();
        assertThat(ORDER).allMatch(any::isOf);
        assertThat(any.isOf(1)).isFalse();
        assertThat(ORDER).allMatch(any::mayPreempt);
        assertThat(any.mayPreempt(1)).isFalse();
        assertThat(tried(1, 2, 0, 3).turn(ORDER, false, OptionalInt.empty()).mayPreempt(2))
                .isFalse();
    }

    @Test
    void aPodBelongsToTheShardThatHasMadeRoomForIt() {
        Turn turn = tried(2, 2, 0, 3).turn(ORDER, true, OptionalInt.of(3));
        assertThat(turn.shard()).hasValue(3);
        assertThat(turn.mayPreempt(3)).isTrue();
        Turn asOthersSay = tried(1, 2).turn(ORDER, true, OptionalInt.of(3));
        assertThat(asOthersSay.order()).containsExactly(3, 2, 0);
        assertThat(asOthersSay.shard()).hasValue(3);
        assertThat(asOthersSay.mayPreempt(3)).isFalse();
        assertThat(tried(1, 2).turn(ORDER, true, OptionalInt.of(1)).shard()).hasValue(0);
    }

    @Test
    void equalReasonsAreAddedUpAndSortedAsOneSchedulerDoes() {
        assertThat(joint(
                        "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.",
                        "0/12 nodes are available: 10 Insufficient cpu, 2 node(s) had untolerated taint(s)."))
                .isEqualTo("0/15 nodes are available: 11 Insufficient cpu, 2 node(s) had untolerated taint(s),"
                        + " 2 node(s) were unschedulable.");
    }

    @Test
    void whatPreemptionSaysIsAddedUpToo() {
        assertThat(joint(
                        "0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are"
                                + " available: 3 No preemption victims found for incoming pod.",
                        "0/2 nodes are available: 2 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/2"
                                + " nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not"
                                + " helpful for scheduling."))
                .isEqualTo(
                        "0/5 nodes are available: 2 Insufficient nvidia.com/gpu, 3 Insufficient cpu. no new claims to"
                                + " deallocate, preemption: 0/5 nodes are available: 1 Preemption is not helpful for scheduling, 4 No"
                                + " preemption victims found for incoming pod.");
        assertThat(joint(
                        "0/3 nodes are available: 3 A. preemption: not eligible due to preemptionPolicy=Never.",
                        "0/2 nodes are available: 2 A. preemption: not eligible due to preemptionPolicy=Never."))
                .isEqualTo("0/5 nodes are available: 5 A. preemption: not eligible due to preemptionPolicy=Never.");
    }

    @Test
    void whoTurnsThePodAwayAsAWholeSaysSoOnce() {
        assertThat(joint(
                        "0/3 nodes are available: persistentvolumeclaim \"data\" not found.",
                        "0/2 nodes are available: persistentvolumeclaim \"data\" not found."))
                .isEqualTo("0/5 nodes are available: persistentvolumeclaim \"data\" not found.");
        assertThat(joint("0/3 nodes are available: claim is odd.", "0/2 nodes are available: 2 Insufficient cpu."))
                .isEqualTo("0/5 nodes are available: 2 Insufficient cpu, claim is odd.");
    }

    @Test
    void aShardWithoutNodesSaysNothing() {
        assertThat(joint("no nodes available to schedule pods", "0/2 nodes are available: 2 Insufficient cpu."))
                .isEqualTo("0/2 nodes are available: 2 Insufficient cpu.");
        assertThat(joint("no nodes available to schedule pods", "no nodes available to schedule pods"))
                .isEqualTo("no nodes available to schedule pods");
    }

    @Test
    void nodesThatNoShardWasAskedAboutAreAddedUpTooAndNobodyMightGoForThePodThere() {
        Optional<String> others =
                Optional.of("0/9 nodes are available: 9 node(s) didn't match Pod's node affinity/selector.");
        assertThat(JointMessage.of(
                        List.of(
                                "0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No victims."),
                        others))
                .isEqualTo(
                        "0/12 nodes are available: 3 Insufficient cpu, 9 node(s) didn't match Pod's node affinity/selector."
                                + " preemption: 0/12 nodes are available: 3 No victims, 9 Preemption is not helpful for scheduling.");
        assertThat(JointMessage.of(
                        List.of("0/3 nodes are available: 3 Insufficient cpu. preemption: not eligible."), others))
                .isEqualTo(
                        "0/12 nodes are available: 3 Insufficient cpu, 9 node(s) didn't match Pod's node affinity/selector."
                                + " preemption: not eligible.");
        assertThat(JointMessage.of(List.of("no nodes available to schedule pods"), others))
                .isEqualTo(others.orElseThrow());
    }

    @Test
    void otherWordsStayAsTheyAre() {
        assertThat(joint("the plugin failed", "0/2 nodes are available: 2 Insufficient cpu.", "the plugin failed"))
                .isEqualTo("0/2 nodes are available: 2 Insufficient cpu. the plugin failed");
        assertThat(joint("0/2 nodes are available:")).isEqualTo("0/2 nodes are available:");
    }

    private static String joint(String... messages) {
        return JointMessage.of(List.of(messages), Optional.empty());
    }

    private static Tried tried(int round, int... shards) {
        Tried tried = ShardTrace.NONE;
        for (int shard : shards) {
            tried = tried.with(new Attempt(shard, round, "why"));
        }
        return tried;
    }

    private static List<String> turns(List<Integer> order, boolean preempts) {
        List<String> turns = new ArrayList<>();
        Tried tried = ShardTrace.NONE;
        for (Turn turn = tried.turn(order, preempts, OptionalInt.empty());
                turn.shard().isPresent();
                turn = tried.turn(order, preempts, OptionalInt.empty())) {
            turns.add(turn.shard().getAsInt() + "/" + turn.round());
            tried = tried.with(new Attempt(turn.shard().getAsInt(), turn.round(), "why"));
        }
        return turns;
    }

    private static String text(SplittableRandom random) {
        List<String> parts = List.of(
                "0/",
                "7",
                "12345678",
                " nodes are available:",
                " ",
                ". ",
                ".",
                ", ",
                "\n",
                "\r",
                "A",
                "preemption: ",
                "\u2028",
                "é");
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(400); i > 0; i--) {
            text.append(parts.get(random.nextInt(parts.size())));
        }
        return text.toString();
    }

    private static PodCondition condition(String status, String reason, String message) {
        return new PodCondition(PodCondition.SHARD, status, reason, message, "", 0);
    }

    private static ShardTrace read(PodCondition condition) {
        ShardMap map = condition.message().startsWith("count=64\n")
                        || condition.message().equals("count=64")
                ? new ShardMap(new ShardSettings("", List.of(), 64, false))
                : FOUR;
        return ShardTrace.of(
                PodBuilder.pod("p")
                        .status(PodStatusBuilder.from(POD.status())
                                .shard(condition)
                                .build())
                        .build(),
                map);
    }

    @Test
    void whatIsWrittenByOthersIsNoDeeperThanWhatEnginesWrite() {
        String deep = "0/1 nodes are available: x. P: ".repeat(4_000);
        ShardTrace read = read(
                condition("False", "Tried", "count=64\nshard 0, round 2: " + deep + "\nshard 1, round 2: " + deep));
        assertThat(((ShardTrace.Tried) read)
                        .message(List.of(0, 1), Optional.empty())
                        .length())
                .isLessThan(JointMessage.LONGEST_LINE);
    }

    @Test
    void whoMightGoForAPodIsLeftOutOfWhatIsSaidOfIt() {
        String nodes = "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s) {a.b/c: d}.";
        assertThat(JointMessage.withoutPreemption(nodes + " preemption: not eligible due to preemptionPolicy=Never."))
                .isEqualTo(nodes);
        assertThat(JointMessage.withoutPreemption(nodes)).isEqualTo(nodes);
        assertThat(JointMessage.withoutPreemption("no nodes available to schedule pods"))
                .isEqualTo("no nodes available to schedule pods");
    }
}
