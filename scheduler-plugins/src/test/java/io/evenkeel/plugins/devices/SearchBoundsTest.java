package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cel.CelProgram;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.SliceBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.WantedBuilder;
import io.evenkeel.plugins.devices.Search.Effort;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claims for which a search of all combinations takes longer than anybody waits; the work says how much was looked at. */
class SearchBoundsTest {
    private static final String COSTLY = costly(4);

    private final DeviceScene scene = new DeviceScene();

    /** Holds for no device, and takes long to say so. */
    private static String costly(int depths) {
        String expression = "size(device.driver) + i > 999";
        for (int depth = 0; depth < depths; depth++) {
            expression = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].exists(i, " + expression + ")";
        }
        return expression;
    }

    private void impossible(int mostLooks, ClaimBuilder... claims) {
        assertThat(looks(Answer.CANNOT, claims)).isLessThan(mostLooks);
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

    /** kube-scheduler counts the calls of its step; it looks at the devices in each, which we count too, and what selectors take. */
    private void noMoreThan(int calls, int devices, String answer, ClaimBuilder claim) {
        scene.devices(claim);
        assertThat(looks(answer, claim)).isLessThanOrEqualTo(calls * (1L + devices));
    }

    @Test
    void smallScenesTakeNoMoreLooksThanTheReferences() {
        String x = "device.attributes['driver.example.com'].x == 'X'";
        String y = "device.attributes['driver.example.com'].x == 'Y'";
        ClaimBuilder five = claim("c").wants(wanted("a").count(5));
        scene.put(slice("s").devices("d0", "d1", "d2", "d3"));
        noMoreThan(16, 4, Answer.CANNOT, five);
        scene.put(
                slice("s").pool("pool", 1, 2).devices("d0", "d1"),
                slice("t").pool("pool", 1, 2).devices("d2", "d3"));
        noMoreThan(16, 4, Answer.CANNOT, five);
        scene.put(
                slice("s").devices("d0", "d1"),
                slice("t").pool("p").devices("d2"),
                slice("u").pool("q").devices("d3"));
        noMoreThan(16, 4, Answer.CANNOT, five);
        scene.put(slice("s").devices(device("d0").with("x", "X"), device("d1").with("x", "Y")));
        scene.put(slice("t").pool("a").devices(device("d2").with("x", "Y").conditions("Ready", "Lost")));
        scene.cluster.remove(slice("u").build());
        noMoreThan(
                12,
                3,
                "a: d1, a: d2, b: d0",
                claim("c").wants(wanted("a").count(2), wanted("b").where(x)));
        noMoreThan(
                26,
                3,
                "f/q: d1, f/q: d2, g/q: d0",
                claim("c")
                        .wantsFirstOf(
                                "f", wanted("p").count(3).where(y), wanted("q").count(2))
                        .wantsFirstOf("g", wanted("p").count(2), wanted("q").where(x)));
        devices(64);
        scene.cluster.remove(slice("t").build());
        String half = IntStream.range(0, 16).mapToObj(i -> "f/q: d" + i).collect(Collectors.joining(", "));
        String other = IntStream.range(16, 32).mapToObj(i -> "g/q: d" + i).collect(Collectors.joining(", "));
        noMoreThan(
                75,
                64,
                half + ", " + other,
                claim("c")
                        .wantsFirstOf("f", wanted("p").count(32), wanted("q").count(16))
                        .wantsFirstOf("g", wanted("p").count(32), wanted("q").count(16)));
    }

    @Test
    void aDeviceMoreDoesNotDoubleTheLooks() {
        for (int many = 4; many < ResourceClaim.MOST_DEVICES; many++) {
            devices(many);
            impossible(500, claim("c").wants(wanted("r").count(many + 1)));
        }
    }

    @Test
    void oneDeviceTooFewForManyRequests() {
        devices(31);
        impossible(2_000, requests(32));
        impossible(1_000, claim("c").wants(wanted("a").count(16), wanted("b").count(16)));
    }

    @Test
    void oneDeviceTooFewForManyClaims() {
        devices(31);
        ClaimBuilder[] claims = new ClaimBuilder[32];
        for (int i = 0; i < claims.length; i++) {
            claims[i] = claim("c" + i).wants(wanted("r"));
        }
        impossible(2_000, claims);
    }

    @Test
    void aLaterRequestThatNothingCanMeet() {
        devices(32);
        impossible(1_000, claim("c").wants(wanted("a").count(16), wanted("b").where("false")));
        impossible(
                1_000,
                claim("c").wants(wanted("a").count(30)),
                claim("d").wants(wanted("b").where("false")));
    }

    @Test
    void tooFewAreAlike() {
        devices(32);
        impossible(4_000, claim("c").wants(wanted("a").count(17)).alike("driver.example.com/odd"));
        impossible(60_000, requests(17).alike("driver.example.com/odd"));
        impossible(
                100_000,
                claim("c").wants(wanted("a").count(8), wanted("b").count(9)).alike("driver.example.com/odd"));
    }

    @Test
    void tooFewAreUnlike() {
        devices(32);
        impossible(40_000, requests(4).unlike("driver.example.com/third"));
        impossible(160_000, requests(12).unlike("driver.example.com/third"));
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
        impossible(4_000, claim);
    }

    @Test
    void partitionsOfOneCard() {
        SliceBuilder slice = slice("s").pool("pool", 1, 2);
        for (int i = 0; i < 60; i++) {
            slice.devices(device("d" + i).draws("card", "memory", "20Gi"));
        }
        scene.put(slice, slice("c").pool("pool", 1, 2).counters("card", "memory", "160Gi"));
        impossible(1_000, claim("c").wants(wanted("r").count(9)));
        impossible(2_000, requests(9));
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
        impossible(200_000, claim);
    }

    /** In as many ways as there are to share out the same amounts. */
    @Test
    void sharesOfAllSizes() {
        SliceBuilder slice = slice("s");
        for (int i = 0; i < 31; i++) {
            slice.devices(device("d" + i).has("memory", "" + (100 + i)).shared());
        }
        scene.put(slice);
        ClaimBuilder claim = claim("c");
        for (int i = 0; i < 32; i++) {
            claim.wants(wanted("r" + i).capacity("memory", "" + (61 + i)));
        }
        assertThat(looks(Answer.TIMED_OUT, claim)).isLessThan(2L * Effort.USUAL.most());
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
    void whatExpressionsMayTakeInOneDecisionIsBoundedAndNeverTakenAgain() {
        int nodes = 24;
        int devices = 100;
        NodeSet all = nodesWithDevices(nodes, devices, "a100");
        String lessCostly = costly(3);
        List<ResourceClaim> hostile =
                DeviceScene.claims(claim("c").wants(wanted("r").where(lessCostly)));
        long bound = 8L * Effort.USUAL.most() + CelProgram.SELECTOR_LIMIT;
        long sum = 0;
        int timedOut = nodes;
        for (int decision = 0; decision < 9 && timedOut > 0; decision++) {
            long before = scene.cluster.view().work().units();
            timedOut = scene.book
                    .verdicts(hostile, all, scene.book.budget())
                    .timedOut()
                    .size();
            long looks = scene.cluster.view().work().units() - before;
            assertThat(looks).isLessThan(bound);
            assertThat(decision > 0 || timedOut > nodes / 2).isTrue();
            sum += looks;
        }
        assertThat(timedOut).isZero();
        assertThat(sum / (nodes * devices)).isLessThan(20_000);

        long before = scene.cluster.view().work().units();
        scene.book.verdicts(hostile, all, scene.book.budget());
        scene.book.verdicts(
                DeviceScene.claims(claim("d").wants(wanted("r").where(lessCostly), wanted("s"))),
                all,
                scene.book.budget());
        assertThat(scene.cluster.view().work().units() - before).isLessThan(3L * nodes * devices);
    }

    @Test
    void expressionsOfUsualLengthAndNumberAreAllAnswered() {
        NodeSet few = nodesWithDevices(100, 8, "t4");
        String[] many = new String[32];
        for (int i = 0; i < many.length; i++) {
            many[i] = "device.capacity['driver.example.com'].memory.compareTo(quantity('" + (i + 1)
                    + "Gi')) >= 0 && device.attributes['driver.example.com'].model.lowerAscii().matches('^t[0-9]+$')";
        }
        assertThat(timedOut(few, claim("c").wants(wanted("r").where(many).count(9))))
                .isZero();

        NodeSet lots = nodesWithDevices(5_000, 16, "a100");
        String[] three = Arrays.copyOf(many, 3);
        three[2] = "!(" + three[2].replace("^t", "^h") + ")";
        three[1] = three[1].replace("^t", "^a");
        three[0] = three[0].replace("^t", "^a");
        assertThat(timedOut(lots, claim("c").wants(wanted("r").where(three).count(17))))
                .isZero();
    }

    private int timedOut(NodeSet nodes, ClaimBuilder claim) {
        return scene.book
                .verdicts(DeviceScene.claims(claim), nodes, scene.book.budget())
                .timedOut()
                .size();
    }

    private NodeSet nodesWithDevices(int nodes, int devices, String model) {
        NodeSet all = new NodeSet();
        for (int node = 0; node < nodes; node++) {
            String name = model + "-" + node;
            scene.put(NodeBuilder.node(name).build());
            SliceBuilder slice = slice("of-" + name).pool(name).on(name);
            for (int i = 0; i < devices; i++) {
                slice.devices(device("d" + i).with("model", model).has("memory", "80Gi"));
            }
            scene.put(slice);
            all.add(scene.node(name));
        }
        return all;
    }

    @Test
    void anExpressionWithoutAnAnswerIsAskedOnce() {
        devices(1);
        String faulty = "[" + COSTLY + ", device.attributes['driver.example.com'].none == 1].exists(x, x)";
        ClaimBuilder claim = claim("c").wants(wanted("r").where(faulty));
        String problem = scene.devices(claim);
        assertThat(problem).contains("CEL runtime error");
        long before = scene.cluster.view().work().units();
        assertThat(scene.devices(claim)).isEqualTo(problem);
        assertThat(scene.cluster.view().work().units() - before).isLessThan(10);
    }

    @Test
    void allExpressionsOfTheLargestClaimAreCompiledOnce() {
        devices(1);
        ClaimBuilder claim = claim("c");
        for (int request = 0; request < 32; request++) {
            WantedBuilder[] alternatives = new WantedBuilder[8];
            for (int i = 0; i < alternatives.length; i++) {
                String[] selectors = new String[32];
                for (int j = 0; j < selectors.length; j++) {
                    selectors[j] = "device.driver != 'r" + request + "-" + i + "-" + j + "'" + " || true".repeat(14);
                }
                selectors[31] += " && false";
                alternatives[i] = wanted("a" + i).where(selectors);
            }
            claim.wantsFirstOf("r" + request, alternatives);
        }
        ClaimBuilder last = claim("last").wants(wanted("r").where("true"));
        long first = looks(claim);
        long second = looks(last);
        long third = looks(claim);
        assertThat(third).isLessThan(first / 8).isGreaterThan(second);
    }

    private long looks(ClaimBuilder claim) {
        long before = scene.cluster.view().work().units();
        scene.devices(claim);
        return scene.cluster.view().work().units() - before;
    }

    @Test
    void whatIsTooHardTimesOut() {
        assertThat(looks(Answer.TIMED_OUT, tooHard()))
                .isBetween((long) Effort.USUAL.most() - 1, 2L * Effort.USUAL.most());
    }

    @Test
    void whatIsTooHardIsNotTriedOnAllNodes() {
        ClaimBuilder claim = tooHard();
        NodeSet all = nodesWithDevices(6_000, 1, "other");
        long before = scene.cluster.view().work().units();
        assertThat(scene.book
                        .verdicts(DeviceScene.claims(claim), all, scene.book.budget())
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
        scene.book.verdicts(none, scene.cluster.view().nodes().present(), scene.book.budget());
        before = work.units();
        assertThat(scene.book.mayHave(none, scene.node("n1"))).isFalse();
        assertThat(work.units()).isEqualTo(before);
    }
}
