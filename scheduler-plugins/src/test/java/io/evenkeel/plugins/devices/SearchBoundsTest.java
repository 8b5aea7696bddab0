package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.SliceBuilder;
import io.evenkeel.plugins.devices.Search.Effort;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims for which a search of all combinations takes longer than anybody waits; the work says how much was looked at. */
class SearchBoundsTest {
    private static final long FEW = 200_000;

    private static final String COSTLY = costly();

    private final DeviceScene scene = new DeviceScene();

    /** Holds for no device, and takes about as long to say so as it may. */
    private static String costly() {
        String expression = "size(device.driver) + i > 999";
        for (int depth = 0; depth < 4; depth++) {
            expression = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].exists(i, " + expression + ")";
        }
        return expression;
    }

    private void impossible(ClaimBuilder... claims) {
        assertThat(looks(Answer.CANNOT, claims)).isLessThan(FEW);
    }

    private long looks(String answer, ClaimBuilder... claims) {
        long before = scene.cluster.view().work().units();
        assertThat(scene.devices(claims)).isEqualTo(answer);
        return scene.cluster.view().work().units() - before;
    }

    private void devices(int many) {
        SliceBuilder slice = slice("s");
        for (int i = 0; i < many; i++) {
            slice.devices(device("d" + i).with("index", i).with("odd", i % 2).with("third", i % 3));
        }
        scene.put(slice);
    }

    private static ClaimBuilder requests(int many) {
        ClaimBuilder claim = claim("c");
        for (int i = 0; i < many; i++) {
            claim.wants(wanted("r" + i));
        }
        return claim;
    }

    @Test
    void oneDeviceTooFewForARequest() {
        devices(31);
        impossible(claim("c").wants(wanted("r").count(32)));
    }

    @Test
    void oneDeviceTooFewForManyRequests() {
        devices(31);
        impossible(requests(32));
        impossible(claim("c").wants(wanted("a").count(16), wanted("b").count(16)));
    }

    @Test
    void oneDeviceTooFewForManyClaims() {
        devices(31);
        ClaimBuilder[] claims = new ClaimBuilder[32];
        for (int i = 0; i < claims.length; i++) {
            claims[i] = claim("c" + i).wants(wanted("r"));
        }
        impossible(claims);
    }

    @Test
    void aLaterRequestThatNothingCanMeet() {
        devices(32);
        impossible(claim("c").wants(wanted("a").count(16), wanted("b").where("false")));
        impossible(
                claim("c").wants(wanted("a").count(30)),
                claim("d").wants(wanted("b").where("false")));
    }

    @Test
    void tooFewAreAlike() {
        devices(32);
        impossible(claim("c").wants(wanted("a").count(17)).alike("driver.example.com/odd"));
        impossible(requests(17).alike("driver.example.com/odd"));
        impossible(claim("c").wants(wanted("a").count(8), wanted("b").count(9)).alike("driver.example.com/odd"));
    }

    @Test
    void tooFewAreUnlike() {
        devices(32);
        impossible(requests(4).unlike("driver.example.com/third"));
        impossible(requests(12).unlike("driver.example.com/third"));
    }

    @Test
    void alternativesThatAreAllTooMany() {
        devices(31);
        ClaimBuilder claim = claim("c");
        for (int i = 0; i < 8; i++) {
            claim.wantsFirstOf(
                    "r" + i,
                    wanted("p").count(6),
                    wanted("q").count(5),
                    wanted("s").count(4));
        }
        impossible(claim);
    }

    @Test
    void partitionsOfOneCard() {
        SliceBuilder slice = slice("s").pool("pool", 1, 2);
        for (int i = 0; i < 60; i++) {
            slice.devices(device("d" + i).draws("card", "memory", "20Gi"));
        }
        scene.put(slice, slice("c").pool("pool", 1, 2).counters("card", "memory", "160Gi"));
        impossible(claim("c").wants(wanted("r").count(9)));
        impossible(requests(9));
    }

    @Test
    void sharesThatAreTooLarge() {
        SliceBuilder slice = slice("s");
        for (int i = 0; i < 31; i++) {
            slice.devices(device("d" + i).has("memory", "10").shared());
        }
        scene.put(slice);
        ClaimBuilder claim = claim("c");
        for (int i = 0; i < 32; i++) {
            claim.wants(wanted("r" + i).capacity("memory", "6"));
        }
        impossible(claim);
    }

    @Test
    void moreClaimsThanTheStackIsDeep() {
        devices(1);
        ClaimBuilder[] claims = new ClaimBuilder[100_000];
        Arrays.fill(claims, claim("c"));
        claims[claims.length - 1] = claim("last").wants(wanted("r"));
        assertThat(scene.devices(claims)).endsWith("r: d0");
        Arrays.fill(claims, claim("c").wants(wanted("r").admin()));
        assertThat(scene.devices(claims)).isEqualTo(Answer.TIMED_OUT);
    }

    @Test
    void expressionsThatTakeLongCountAsManyLooks() {
        devices(1_000);
        assertThat(looks(Answer.TIMED_OUT, claim("c").wants(wanted("r").where(COSTLY))))
                .isGreaterThan(Effort.USUAL.most());
    }

    @Test
    void whatIsTooHardTimesOut() {
        assertThat(looks(Answer.TIMED_OUT, tooHard()))
                .isBetween((long) Effort.USUAL.most() - 1, 2L * Effort.USUAL.most());
    }

    @Test
    void whatIsTooHardIsNotTriedOnAllNodes() {
        ClaimBuilder claim = tooHard();
        NodeSet all = new NodeSet();
        for (int node = 0; node < 6_000; node++) {
            scene.put(NodeBuilder.node("many" + node).build());
            all.add(scene.node("many" + node));
        }
        long before = scene.cluster.view().work().units();
        assertThat(scene.book
                        .verdicts(DeviceScene.claims(claim), all)
                        .timedOut()
                        .size())
                .isEqualTo(6_000);
        assertThat(scene.cluster.view().work().units() - before)
                .isBetween(8L * Effort.USUAL.most(), 9L * Effort.USUAL.most());
    }

    private ClaimBuilder tooHard() {
        SliceBuilder slice = slice("s").pool("pool", 1, 2);
        for (int i = 0; i < 32; i++) {
            slice.devices(device("d" + i).with("odd", i % 2).draws("card", "memory", "1"));
        }
        scene.put(slice, slice("c").pool("pool", 1, 2).counters("card", "memory", "1000"));
        return claim("c")
                .wants(wanted("r").count(16), wanted("s").where("false"))
                .alike("driver.example.com/no-odd", "s");
    }

    @Test
    void manyQuestionsThatAreTooHardTakeNoLongerThanAFew() {
        List<ResourceClaim> hard = DeviceScene.claims(tooHard());
        DeviceBook.Budget budget = scene.book.budget();
        Work work = scene.cluster.view().work();
        long before = work.units();
        for (int i = 0; i < 20; i++) {
            assertThat(budget.allocate(hard, scene.node("n1"))).isEqualTo(new Answer.None(Answer.TIMED_OUT));
        }
        assertThat(work.units() - before).isLessThan(9L * Effort.USUAL.most());
    }

    @Test
    void whetherAChangeMayHelpIsToldByAShortLookOrByWhatIsKnown() {
        List<ResourceClaim> hard = DeviceScene.claims(tooHard());
        Work work = scene.cluster.view().work();
        long before = work.units();
        assertThat(scene.book.mayHave(hard, scene.node("n1"))).isTrue();
        assertThat(work.units() - before).isLessThan(10_000);

        List<ResourceClaim> none =
                DeviceScene.claims(claim("d").wants(wanted("r").where("false")));
        assertThat(scene.book.mayHave(none, scene.node("n1"))).isFalse();
        scene.book.verdicts(none, scene.cluster.view().nodes().present());
        before = work.units();
        assertThat(scene.book.mayHave(none, scene.node("n1"))).isFalse();
        assertThat(work.units()).isEqualTo(before);
    }
}
