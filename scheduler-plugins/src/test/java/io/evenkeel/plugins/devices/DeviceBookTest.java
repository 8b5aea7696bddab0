package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.deviceClass;
import static io.evenkeel.plugins.devices.DeviceObjects.nodesWith;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.DeviceBook.Verdicts;
import io.evenkeel.plugins.devices.DeviceBook.Written;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.DeviceBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.SliceBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is counted between a decision and the server's word, and the answers that are kept for many nodes. */
class DeviceBookTest {
    private final DeviceScene scene = new DeviceScene();
    private final ClaimBuilder asking = claim("asking").wants(wanted("r"));

    private void assume(ClaimBuilder claim) {
        ResourceClaim built = claim.build();
        scene.book.assume(
                built,
                ((Answer.Found) scene.book.allocate(List.of(built), scene.node("n1")))
                        .allocations()
                        .getFirst());
    }

    @Test
    void whatIsAssumedCountsUntilItIsTakenBack() {
        scene.put(slice("s").devices("d0", "d1"));
        ClaimBuilder first = claim("first").wants(wanted("r"));
        scene.put(first);
        assume(first);
        assertThat(scene.devices(asking)).isEqualTo("r: d1");
        assertThat(scene.book.assumed(first.build())).isPresent();
        assertThat(scene.audit()).isEmpty();
        scene.book.forget(first.build());
        scene.book.forget(first.build());
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void theServersWordOverridesWhatIsAssumed() {
        scene.put(slice("s").devices("d0", "d1"));
        ClaimBuilder first = claim("first").wants(wanted("r"));
        scene.put(first);
        assume(first);
        scene.put(claim("first").wants(wanted("r")).has("pool/d1"));
        assertThat(scene.book.assumed(first.build())).isEmpty();
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
        scene.put(first);
        assertThat(scene.devices(claim("c").wants(wanted("r").count(2)))).isEqualTo("r: d0, r: d1");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void anotherClaimOfTheNameHasWhatItHasItself() {
        scene.put(slice("s").devices("d0", "d1"));
        scene.put(claim("first").has("pool/d0"));
        scene.put(claim("first").uid("another").wants(wanted("r")));
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
        assume(claim("first").uid("another").wants(wanted("r")));
        assertThat(scene.devices(asking)).isEqualTo("r: d1");
        scene.cluster.remove(claim("first").uid("another").build());
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
        assertThat(scene.audit()).isEmpty();
    }

    private static ResourceClaim seen(ClaimBuilder claim, String uid, String version, boolean annotated) {
        ResourceClaim built = claim.build();
        Labels annotations = annotated ? Labels.of(Annotations.EXTENDED_RESOURCE_CLAIM, "true") : Labels.EMPTY;
        ObjectMeta meta = new ObjectMeta(
                "ns", built.meta().name(), uid, Labels.EMPTY, annotations, Optional.empty(), false, version, 0);
        return new ResourceClaim(meta, built.spec(), built.allocation(), List.of(), List.of());
    }

    /** Of a claim that is made here, the server may show the beginning and the end only. */
    @Test
    void aClaimThatWasMadeLeavesItsDevicesWhenItIsGone() {
        scene.put(slice("s").devices("d0", "d1"));
        ClaimBuilder first = claim("first").uid("").wants(wanted("r"));
        ClaimsUnderway underway = ClaimsUnderway.of(scene.cluster.view());
        for (boolean isShown : List.of(false, true)) {
            ResourceClaim made = seen(first, "", "", true);
            underway.assume(PodBuilder.pod("ns", "p").build(), List.of(made), scene.allocations("n1", first));
            ResourceClaim begun = seen(first, "u" + isShown, "1", true);
            scene.put(begun);
            scene.book.written(made, new Written("3", ""));
            assertThat(scene.book.assumed(begun)).isPresent();
            assertThat(scene.devices(asking)).isEqualTo("r: d1");
            if (isShown) {
                begun = seen(claim("first").has("pool/d0"), "u" + isShown, "3", true);
                scene.put(begun);
                assertThat(scene.book.assumed(made)).isEmpty();
                assertThat(scene.devices(asking)).isEqualTo("r: d1");
            }
            assertThat(scene.audit()).isEmpty();
            scene.cluster.remove(begun);
            assertThat(scene.devices(asking)).isEqualTo("r: d0");
            assertThat(scene.audit()).isEmpty();
            assertThat(ClusterDump.of(scene.cluster.view())).doesNotContain("decided for pod");
        }
    }

    @Test
    void aClaimStaysTheSameWhateverItsAnnotations() {
        scene.put(slice("s").devices("d0", "d1"));
        ClaimBuilder first = claim("first").wants(wanted("r"));
        for (boolean annotated : List.of(false, true)) {
            ResourceClaim before = seen(first, "u", "1", annotated);
            ResourceClaim after = seen(first, "u", "2", !annotated);
            scene.put(before);
            scene.book.assume(before, scene.allocations("n1", first).getFirst());
            scene.put(after);
            assertThat(scene.devices(asking)).isEqualTo("r: d1");
            scene.cluster.remove(after);
            assertThat(scene.devices(asking)).isEqualTo("r: d0");
            assertThat(scene.audit()).isEmpty();
        }
    }

    @Test
    void whatIsSupposedLeavesNoTrace() {
        scene.put(slice("s").devices("d0", "d1"));
        ClaimBuilder first = claim("first").wants(wanted("r"));
        scene.put(first);
        assume(first);
        String before = ClusterDump.of(scene.cluster.view());
        try (WhatIf supposed = scene.cluster.whatIf()) {
            supposed.add(claim("second").has("pool/d1").build());
            assertThat(scene.devices(asking)).isEqualTo(Answer.CANNOT);
            supposed.add(slice("t").pool("other").devices("d5").build());
            assertThat(scene.devices(asking)).isEqualTo("r: d5");
            supposed.removeNode("n2");
        }
        assertThat(scene.book.assumed(first.build())).isPresent();
        assertThat(scene.devices(asking)).isEqualTo("r: d1");
        assertThat(ClusterDump.of(scene.cluster.view())).isEqualTo(before);
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aRuleOfAnAdministratorTaintsDevicesWhereTheGateIsOn() {
        DeviceTaintRule rule = new DeviceTaintRule(
                ObjectMeta.named("", "rule"),
                Optional.of(new DeviceTaintRule.Selector("", "pool", "d0")),
                new DeviceTaint("k", "", "NoExecute", ""));
        scene.put(slice("s").devices("d0", "d1"));
        scene.put(rule);
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
        DeviceScene on = new DeviceScene(Map.of("DRADeviceTaintRules", true));
        on.put(slice("s").devices("d0", "d1"));
        assertThat(possible(on, asking)).containsExactly("n1", "n2");
        on.put(rule);
        assertThat(on.devices(asking)).isEqualTo("r: d1");
        assertThat(on.devices(claim("c").wants(wanted("r").tolerates("k")))).isEqualTo("r: d0");
        assertThat(possible(on, claim("c").wants(wanted("r").count(2)))).isEmpty();
        on.cluster.remove(rule);
        assertThat(possible(on, claim("c").wants(wanted("r").count(2)))).containsExactly("n1", "n2");
    }

    private static List<String> possible(DeviceScene scene, ClaimBuilder... claims) {
        Verdicts verdicts = verdicts(scene, claims);
        return List.of("n1", "n2").stream()
                .filter(node -> verdicts.possible().contains(scene.node(node)))
                .toList();
    }

    private static Verdicts verdicts(DeviceScene scene, ClaimBuilder... claims) {
        NodeSet all = new NodeSet();
        all.addAll(scene.cluster.view().nodes().present());
        return scene.book.verdicts(DeviceScene.claims(claims), all, scene.book.budget());
    }

    @Test
    void answersAreKeptUntilSomethingChanges() {
        scene.put(
                slice("s1").pool("a").on("n1").devices("d0"),
                slice("s2").pool("b").on("n2").devices("d1"));
        assertThat(possible(scene, asking)).containsExactly("n1", "n2");
        long before = scene.cluster.view().work().units();
        assertThat(possible(scene, claim("alike").wants(wanted("r")))).containsExactly("n1", "n2");
        assertThat(scene.cluster.view().work().units() - before).isZero();
        scene.put(claim("other").has("a/d0"));
        assertThat(possible(scene, asking)).containsExactly("n2");
        scene.put(deviceClass("any", "false"));
        assertThat(possible(scene, asking)).isEmpty();
        scene.put(deviceClass("any"));
        assertThat(possible(scene, asking)).containsExactly("n2");
        scene.cluster.remove(claim("other").build());
        assertThat(possible(scene, asking)).containsExactly("n1", "n2");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aFailureIsToldOfTheFirstNodeThatIsAsked() {
        scene.put(
                slice("s1").pool("a").on("n1").devices(device("d0").with("x", 1)),
                slice("s2").pool("b").on("n2").devices("d1"));
        ClaimBuilder picky = claim("c").wants(wanted("r").where("device.attributes['driver.example.com'].x == 1"));
        Verdicts both = verdicts(scene, picky);
        assertThat(both.failure().orElseThrow().node()).isEqualTo(scene.node("n2"));
        assertThat(both.failure().orElseThrow().message())
                .isEqualTo("claim ns/c: selector #0: CEL runtime error: no such key: x");
        NodeSet one = new NodeSet();
        one.add(scene.node("n1"));
        Verdicts fine = scene.book.verdicts(DeviceScene.claims(picky), one, scene.book.budget());
        assertThat(fine.failure()).isEmpty();
        assertThat(fine.possible().contains(scene.node("n1"))).isTrue();
    }

    @Test
    void noMoreNodesAreAskedAfterAFailure() {
        scene.put(slice("s").devices("d0"));
        ClaimBuilder faulty = claim("c").wants(wanted("r").where("device.attributes['x'].y == 1"));
        NodeSet one = new NodeSet();
        one.add(scene.node("n1"));
        long start = scene.cluster.view().work().units();
        assertThat(scene.book
                        .verdicts(DeviceScene.claims(faulty), one, scene.book.budget())
                        .failure())
                .isPresent();
        long forOne = scene.cluster.view().work().units() - start;
        scene.put(deviceClass("any"));
        assertThat(workFor(claim("c").wants(wanted("r").where("device.attributes['x'].z == 1"))))
                .isEqualTo(forOne);
    }

    @Test
    void nodesThatReachTheSameAreAskedOnce() {
        scene.put(slice("net").pool("net").devices("d0", "d1"));
        long two = workFor(asking);
        nodes(200);
        scene.put(deviceClass("any"));
        assertThat(workFor(asking)).isEqualTo(two);
        assertThat(possible(scene, asking)).containsExactly("n1", "n2");

        scene.put(claim("first").wants(wanted("r")).has("net/d0"));
        assertThat(workFor(asking)).isLessThanOrEqualTo(two + 1);
        scene.put(claim("second").wants(wanted("r")).has("net/d1"));
        assertThat(workFor(asking)).isLessThan(10);
        assertThat(verdicts(scene, asking).possible().isEmpty()).isTrue();
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aDeviceThatManyNodesReachChangesNoAnswersForOthers() {
        scene.put(slice("net")
                .pool("net")
                .devices(device("d0").with("kind", "net"), device("d1").with("kind", "net")));
        scene.put(
                slice("s1").pool("a").on("n1").devices(device("d2").with("kind", "gpu")),
                slice("s2").pool("b").on("n2").devices(device("d3").with("kind", "gpu")));
        ClaimBuilder gpu = claim("c").wants(wanted("r").where("device.attributes['driver.example.com'].kind == 'gpu'"));
        ClaimBuilder net = claim("d").wants(wanted("r").where("device.attributes['driver.example.com'].kind == 'net'"));
        assertThat(possible(scene, gpu)).containsExactly("n1", "n2");
        assertThat(possible(scene, net)).containsExactly("n1", "n2");
        scene.put(claim("first").wants(wanted("r")).has("net/d0"));
        assertThat(possible(scene, gpu)).containsExactly("n1", "n2");
        scene.put(claim("second").wants(wanted("r")).has("net/d1"));
        workFor(gpu); // asks the expression
        scene.put(claim("first").wants(wanted("r")), claim("second").wants(wanted("r")));
        scene.put(claim("first").wants(wanted("r")).has("net/d0"));
        scene.put(claim("second").wants(wanted("r")).has("net/d1"));
        assertThat(workFor(gpu)).isZero();
        assertThat(possible(scene, net)).isEmpty();
        scene.put(claim("third").wants(wanted("r")).has("a/d2"));
        assertThat(possible(scene, gpu)).containsExactly("n2");
        assertThat(workFor(net)).isLessThan(10); // n1 alone
        scene.cluster.remove(claim("first").build());
        assertThat(possible(scene, net)).containsExactly("n1", "n2");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aSliceForSomeNodesChangesTheAnswersOfThese() {
        scene.put(
                slice("s1").pool("a").on("n1").devices("d1"),
                slice("s2").pool("b").on("n2").devices("d2"));
        workFor(asking);
        scene.put(slice("of-a").pool("of-a").on(nodesWith("zone", "a")).devices("d3"));
        long one = workFor(asking);
        scene.put(deviceClass("any"));
        assertThat(workFor(asking)).isEqualTo(2 * one);
        scene.put(claim("first").wants(wanted("r")).has("a/d1"));
        assertThat(possible(scene, asking)).containsExactly("n1", "n2");
        scene.cluster.remove(slice("of-a").pool("of-a").build());
        assertThat(possible(scene, asking)).containsExactly("n2");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aSliceThatIsReplacedChangesNoAnswersOfThoseWhoWantNothingOfIt() {
        scene.put(net("net", 1));
        scene.put(
                slice("counters").pool("a", 1, 2).on("n1").counters("card", "slots", "1"),
                slice("s1")
                        .pool("a", 1, 2)
                        .on("n1")
                        .devices(
                                device("d2").with("kind", "gpu").draws("card", "slots", "1"),
                                device("d3").with("kind", "gpu").draws("card", "slots", "1")),
                slice("s2").pool("b").on("n2").devices(device("d4").with("kind", "gpu")));
        ClaimBuilder gpu = claim("c").wants(wanted("r").where("device.attributes['driver.example.com'].kind == 'gpu'"));
        ClaimBuilder two = claim("d")
                .wants(wanted("r")
                        .where("device.attributes['driver.example.com'].kind == 'net'")
                        .count(2));
        assertThat(possible(scene, gpu)).containsExactly("n1", "n2");
        assertThat(possible(scene, two)).isEmpty();
        scene.put(net("net", 2));
        assertThat(workFor(gpu)).isZero();
        assertThat(possible(scene, two)).containsExactly("n1", "n2");

        scene.put(net("net", 1));
        scene.put(claim("first").wants(wanted("r")).has("a/d2"));
        assertThat(possible(scene, gpu)).as("d3 draws on what d2 has").containsExactly("n2");
        scene.put(net("gpu", 1));
        assertThat(possible(scene, gpu)).containsExactly("n1", "n2");
        scene.put(net("net", 1));
        assertThat(possible(scene, gpu)).containsExactly("n2");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void whoWantsAllIsAskedAnewWhateverSliceIsReplaced() {
        scene.put(net("net", 1));
        ClaimBuilder all =
                claim("c").wants(wanted("r").all().where("device.attributes['driver.example.com'].kind == 'gpu'"));
        scene.put(slice("s1").pool("a").devices(device("d2").with("kind", "gpu")));
        assertThat(possible(scene, all)).containsExactly("n1", "n2");
        scene.put(net("net", 1).pool("net", 1, 2));
        assertThat(verdicts(scene, all).failure()).isPresent();
    }

    @Test
    void whoGetsNothingIsAskedAnewWhateverSliceIsReplaced() {
        scene.put(net("net", 1));
        ClaimBuilder gpu = claim("c").wants(wanted("r").where("device.attributes['driver.example.com'].kind == 'gpu'"));
        assertThat(verdicts(scene, gpu).invalid().isEmpty()).isTrue();
        DeviceBuilder twice = device("n0").with("kind", "net");
        scene.put(slice("net").pool("net").devices(twice, twice));
        assertThat(verdicts(scene, gpu).invalid().contains(scene.node("n1"))).isTrue();
    }

    private static SliceBuilder net(String kind, int devices) {
        SliceBuilder net = slice("net").pool("net");
        for (int i = 0; i < devices; i++) {
            net.devices(device("n" + i).with("kind", kind));
        }
        return net;
    }

    private void nodes(int many) {
        for (int node = 0; node < many; node++) {
            scene.put(NodeBuilder.node("more-" + node).build());
        }
    }

    @Test
    void claimsAreReadOnceForAllNodes() {
        List<ResourceClaim> claims = DeviceScene.claims(asking);
        Object first = scene.book.plan(claims);
        assertThat(scene.book.plan(List.copyOf(claims))).isSameAs(first);
        assertThat(scene.book.plan(DeviceScene.claims(asking))).isNotSameAs(first);
        assertThat(scene.book.plan(List.of())).isNotSameAs(first);
        first = scene.book.plan(claims);
        scene.put(deviceClass("any", "false"));
        assertThat(scene.book.plan(claims)).isNotSameAs(first);
    }

    @Test
    void whatWasAskedOnceDoesNotStayForGood() {
        scene.put(slice("s").devices("d0"));
        for (int i = 0; i < 300; i++) {
            assertThat(possible(scene, numbered(i))).hasSize(2);
        }
        assertThat(workFor(numbered(299))).isZero();
        assertThat(workFor(numbered(0))).isPositive();
    }

    private long workFor(ClaimBuilder claim) {
        long before = scene.cluster.view().work().units();
        verdicts(scene, claim);
        return scene.cluster.view().work().units() - before;
    }

    private static ClaimBuilder numbered(int number) {
        return claim("c").wants(wanted("r").where("device.driver != 'x" + number + "'"));
    }

    /** Where it does not, others need not be asked to exchange theirs. */
    @Test
    void whichDevicesClaimsHaveMattersWhereTheyAskForMoreThanTheSame() {
        scene.put(slice("s").devices("d0", "d1", "d2"));
        ClaimBuilder one = claim("c").wants(wanted("r"));
        assertThat(matters(one, claim("d").wants(wanted("r")))).isFalse();
        assertThat(matters(one, claim("d").wants(wanted("r").count(2)))).isTrue();
        assertThat(matters(claim("c").wants(wanted("r"), wanted("s")))).isTrue();
        assertThat(matters(claim("c").wantsFirstOf("r", wanted("a"), wanted("b"))))
                .isTrue();
        assertThat(matters(claim("c").wants(wanted("r").count(2)).alike("driver.example.com/index")))
                .isTrue();
        scene.put(
                slice("s").pool("pool", 1, 2).devices(device("d0").draws("card", "memory", "1")),
                slice("t").pool("pool", 1, 2).counters("card", "memory", "1"));
        assertThat(matters(one)).isTrue();
    }

    private boolean matters(ClaimBuilder... claims) {
        return scene.book.dependsOnChoice(DeviceScene.claims(claims), scene.node("n1"));
    }
}
