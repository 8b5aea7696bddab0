package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.configuration;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.deviceClass;
import static io.evenkeel.plugins.devices.DeviceObjects.nodesWith;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceAllocation.Configuration;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which devices claims get: the order of the search, what keeps a device away, and what is said where there are none. */
class AllocationTest {
    private static final String NONE = "cannot allocate all claims";

    private final DeviceScene scene = new DeviceScene();

    private static String[] names(int many) {
        return IntStream.range(0, many).mapToObj(i -> "d" + i).toArray(String[]::new);
    }

    @Test
    void anEarlierRequestGivesWay() {
        scene.put(slice("s")
                .devices(device("large").with("size", 2), device("small").with("size", 1)));
        String large = "device.attributes['driver.example.com'].size == 2";
        assertThat(scene.devices(claim("c").wants(wanted("a"), wanted("b").where(large))))
                .isEqualTo("a: small, b: large");
        assertThat(scene.devices(claim("c").wants(wanted("a").where(large), wanted("b"))))
                .isEqualTo("a: large, b: small");
    }

    @Test
    void anEarlierClaimGivesWay() {
        scene.put(slice("s")
                .devices(device("large").with("size", 2), device("small").with("size", 1)));
        String large = "device.attributes['driver.example.com'].size == 2";
        assertThat(scene.devices(
                        claim("c").wants(wanted("a")),
                        claim("d").wants(wanted("b").where(large))))
                .isEqualTo("a: small | b: large");
    }

    @Test
    void whereNoDeviceIsFreeThereIsNone() {
        assertThat(scene.devices()).isEmpty();
        assertThat(scene.devices(claim("c").wants(wanted("a")))).isEqualTo(NONE);
        scene.put(slice("s").devices("d0", "d1"));
        assertThat(scene.devices(claim("c").wants(wanted("a").count(3)))).isEqualTo(NONE);
        scene.put(claim("other").has("pool/d0"));
        assertThat(scene.devices(claim("c").wants(wanted("a")))).isEqualTo("a: d1");
        assertThat(scene.devices(claim("c").wants(wanted("a").count(2)))).isEqualTo(NONE);
    }

    @Test
    @DisplayName("a request's devices are a combination, in the order of the pool")
    void aRequestGoesOnBehindItsLastDevice() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("x", 1),
                        device("d1").with("x", 2),
                        device("d2").with("x", 1),
                        device("d3").with("x", 2)));
        assertThat(scene.devices(claim("c").wants(wanted("a").count(2)).alike("driver.example.com/x")))
                .isEqualTo("a: d0, a: d2");
        String second = "device.attributes['driver.example.com'].x == 2";
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a").count(2), wanted("b").where(second).count(2))))
                .isEqualTo("a: d0, a: d2, b: d1, b: d3");
    }

    @Test
    void whatCannotBeReadIsAnErrorOfThePod() {
        scene.put(slice("s").devices("d0"));
        assertThat(scene.devices(claim("c").wants(wanted("a").of("other"))))
                .isEqualTo("error: claim ns/c, request a: could not retrieve device class other:"
                        + " deviceclass.resource.k8s.io \"other\" not found");
        assertThat(scene.devices(claim("c").wants(wanted("a").of(""))))
                .isEqualTo("error: claim ns/c, request a: missing device class name (unsupported request type?)");
        assertThat(scene.devices(claim("c").wants(wanted("a").where("true", ""))))
                .isEqualTo(
                        "error: claim ns/c, request a, selector #1: CEL expression empty (unsupported selector type?)");
        assertThat(scene.devices(claim("c").wants(wanted("a").mode("Some"))))
                .isEqualTo("error: claim ns/c, request a: unsupported count mode Some");
        assertThat(scene.devices(claim("c").wants(wanted("a")).alike("")))
                .isEqualTo("error: claim ns/c, constraint #0: empty constraint (unsupported constraint type?)");
    }

    @Test
    void aSelectorWithoutAnAnswerIsAnErrorOfThePod() {
        scene.put(slice("s").devices(device("d0").with("x", 1), device("d1")));
        scene.put(deviceClass("broken", "true", "nothing"));
        String wrong = "undeclared reference to 'nothing' (in container '')";
        assertThat(scene.devices(claim("c").wants(wanted("a").of("broken"))))
                .startsWith(
                        "error: class broken: selector #1: CEL compile error: compilation failed: ERROR: <input>:1:1: "
                                + wrong);
        assertThat(scene.devices(claim("c").wants(wanted("a").all().where("nothing"))))
                .startsWith(
                        "error: claim ns/c: selector #0: CEL compile error: compilation failed: ERROR: <input>:1:1: "
                                + wrong);
        String late = "device.attributes['driver.example.com'].x == 1";
        assertThat(scene.devices(claim("c").wants(wanted("a").where(late)))).isEqualTo("a: d0");
        assertThat(scene.devices(claim("c").wants(wanted("a").where(late).count(2))))
                .isEqualTo("error: claim ns/c: selector #0: CEL runtime error: no such key: x");
        assertThat(scene.devices(claim("c").wants(wanted("a").all().where(late))))
                .isEqualTo("error: claim ns/c: selector #0: CEL runtime error: no such key: x");
    }

    @Test
    void anAttributeOfAnUnknownTypeIsAnErrorWhereItIsLookedAt() {
        scene.put(slice("s").devices(device("d0").with("x", new Attribute.Unknown())));
        assertThat(scene.devices(claim("c").wants(wanted("a")))).isEqualTo("a: d0");
        assertThat(scene.devices(claim("c").wants(wanted("a").where("true"))))
                .isEqualTo(
                        "error: claim ns/c: selector #0: CEL runtime error: attribute x: unsupported attribute value");
        scene.put(slice("s").devices(device("d0").with("x", new Attribute.Version("one"))));
        assertThat(scene.devices(claim("c").wants(wanted("a").where("true"))))
                .isEqualTo("error: claim ns/c: selector #0: CEL runtime error: attribute x: parse semantic version:"
                        + " No Major.Minor.Patch elements found");
    }

    @Test
    void aClaimHasAtMostThirtyTwoDevices() {
        scene.put(slice("s").devices(names(40)));
        assertThat(scene.devices(claim("c").wants(wanted("a").count(32))).split(", "))
                .hasSize(32);
        assertThat(scene.devices(claim("c").wants(wanted("a").count(33))))
                .isEqualTo("error: claim ns/c: number of requested devices 33 exceeds the claim limit of 32");
        assertThat(scene.devices(
                        claim("c").wants(wanted("a").count(30), wanted("b").count(3))))
                .isEqualTo("error: claim ns/c: number of requested devices 33 exceeds the claim limit of 32");
    }

    /** As kube-scheduler has it from 1.37 on, or with a patch of 1.36. */
    @ParameterizedTest
    @EnumSource
    void someIsTheSameAtEveryLevel(CompatibilityLevel level) {
        DeviceScene newer = new DeviceScene(FeatureGates.DEFAULTS.at(level));
        newer.put(slice("s").devices(device("d0").with("x", "a")));
        String includes = "device.attributes['driver.example.com'].x.includes('%s')";

        assertThat(newer.devices(claim("c")
                        .wants(wanted("a").count(1L << 62), wanted("b").count(1L << 62))))
                .isEqualTo("error: claim ns/c: number of requested devices " + Long.MAX_VALUE
                        + " exceeds the claim limit of 32");
        assertThat(newer.devices(claim("c").wants(wanted("a").where(includes.formatted("a")))))
                .isEqualTo("a: d0");
        assertThat(newer.devices(claim("c").wants(wanted("a").where(includes.formatted("b")))))
                .isEqualTo(NONE);
    }

    @Test
    void allDevicesOrNone() {
        assertThat(scene.devices(claim("c").wants(wanted("a").all()))).isEqualTo(NONE);
        scene.put(slice("s").devices(new String[0]));
        assertThat(scene.devices(claim("c").wants(wanted("a").all()))).isEqualTo(NONE);
        scene.put(slice("s").devices("d0", "d1"));
        assertThat(scene.devices(claim("c").wants(wanted("a").all()))).isEqualTo("a: d0, a: d1");
        scene.put(slice("t").pool("other").devices("d2"));
        assertThat(scene.devices(claim("c").wants(wanted("a").all().where("device.driver == 'no'"), wanted("b"))))
                .isEqualTo(NONE);
        scene.put(claim("other").has("pool/d0"));
        assertThat(scene.devices(claim("c").wants(wanted("a").all()))).isEqualTo(NONE);
        assertThat(scene.devices(claim("c").wants(wanted("a").all().admin()))).isEqualTo("a: d2, a: d0, a: d1");
    }

    @Test
    void allDevicesBesideAnotherClaim() {
        scene.put(
                slice("s").devices("d0", "d1"),
                slice("z").driver("z.example.com").devices("z0"));
        ClaimBuilder all = claim("c").wants(wanted("a").all().where("device.driver == 'driver.example.com'"));
        ClaimBuilder another = claim("d").wants(wanted("b").where("device.driver == 'z.example.com'"));
        assertThat(scene.devices(all, another)).isEqualTo("a: d0, a: d1 | b: z0");
        assertThat(scene.devices(another, all)).isEqualTo("b: z0 | a: d0, a: d1");
        ClaimBuilder any = claim("e").wants(wanted("b"));
        ClaimBuilder everything = claim("f").wants(wanted("a").all());
        assertThat(scene.devices(any, everything)).isEqualTo(NONE);
        assertThat(scene.devices(everything, any)).isEqualTo(NONE);
    }

    @Test
    void fromAnIncompletePoolComesNothing() {
        scene.put(
                slice("s").pool("part", 1, 2).devices("d0"),
                slice("t").pool("whole").devices("d1"));
        assertThat(scene.devices(claim("c").wants(wanted("a")))).isEqualTo("a: d1");
        assertThat(scene.devices(claim("c").wants(wanted("a").all())))
                .isEqualTo(
                        "error: claim ns/c, request a: asks for all devices, but resource pool driver.example.com/part is"
                                + " currently being updated");
    }

    /** {@link Difference#BAD_POOL_TURNS_AWAY}. */
    @Test
    void anIncompletePoolTurnsAwayWhoWantsAllFrom138On() {
        DeviceScene newest = new DeviceScene(FeatureGates.DEFAULTS.at(CompatibilityLevel.V1_38));
        newest.put(
                slice("s").pool("part", 1, 2).on("n1").devices("d0"),
                slice("t").pool("whole").on("n2").devices("d1"));
        ClaimBuilder claim = claim("c").wants(wanted("z"), wanted("a").all());
        String why = "claim ns/c, request a: asks for all devices, but resource pool driver.example.com/part is"
                + " currently being updated";

        assertThat(newest.devices(claim)).isEqualTo(why);
        assertThat(newest.devicesOn("n2", claim("c").wants(wanted("a").all()))).isEqualTo("a: d1");
        NodeSet all = new NodeSet();
        all.add(newest.node("n1"));
        all.add(newest.node("n2"));
        assertThat(newest.book
                        .verdicts(DeviceScene.claims(claim), all, newest.book.budget())
                        .unsure())
                .containsOnlyKeys(why);
    }

    @Test
    void administrationIsBesideWhoeverHasTheDevice() {
        scene.put(slice("s").devices("d0", "d1"), slice("t").pool("z").devices(new String[0]));
        scene.put(claim("other").has("pool/d0"));
        assertThat(scene.devices(
                        claim("c").wants(wanted("a").admin(), wanted("b").admin())))
                .isEqualTo("a: d0, b: d1");
        assertThat(scene.devices(
                        claim("c").wants(wanted("a").admin()),
                        claim("d").wants(wanted("a").admin())))
                .isEqualTo("a: d0 | a: d0");
        assertThat(scene.devices(
                        claim("c").wants(wanted("a")),
                        claim("d").wants(wanted("a").admin().count(2))))
                .isEqualTo("a: d1 | a: d0, a: d1");
        assertThat(scene.devices(
                        claim("c").wants(wanted("a").admin(), wanted("b").all().admin())))
                .isEqualTo(NONE);
        assertThat(scene.devices(
                        claim("c").wants(wanted("a").admin()),
                        claim("d").wants(wanted("b").all().admin())))
                .isEqualTo("a: d0 | b: d0, b: d1");
        assertThat(scene.devices(
                        claim("c").wants(wanted("a").all().admin()), claim("d").wants(wanted("b"))))
                .isEqualTo(NONE);
        DeviceAllocation admin =
                scene.allocations("n1", claim("c").wants(wanted("a").admin())).getFirst();
        assertThat(admin.results().getFirst().admin()).isTrue();
        scene.put(claim("watching").has(admin));
        assertThat(scene.devices(claim("c").wants(wanted("a")))).isEqualTo("a: d1");
    }

    @Test
    @DisplayName("NoSchedule and NoExecute keep away who does not tolerate them")
    void taintsKeepAway() {
        scene.put(slice("s")
                .devices(
                        device("d0").taint("k", "NoSchedule").taint("l", "NoExecute"),
                        device("d1").taint("k", "NoExecute"),
                        device("d2").taint("k", "None")));
        assertThat(scene.devices(claim("c").wants(wanted("a")))).isEqualTo("a: d2");
        assertThat(scene.devices(claim("c").wants(wanted("a").tolerates("k")))).isEqualTo("a: d1");
        assertThat(scene.devices(claim("c").wants(wanted("a").tolerates("k").tolerates("l"))))
                .isEqualTo("a: d0");
        assertThat(scene.devices(claim("c").wants(wanted("a").admin()))).isEqualTo("a: d2");
        assertThat(scene.devices(claim("c").wants(wanted("a").all()))).isEqualTo(NONE);
        assertThat(scene.devices(claim("c")
                        .wantsFirstOf("a", wanted("p").count(2), wanted("q").tolerates("k"))))
                .isEqualTo("a/q: d1");
        DeviceScene off = DeviceScene.without("DRADeviceTaints");
        off.put(slice("s").devices(device("d0").taint("k", "NoSchedule")));
        assertThat(off.devices(claim("c").wants(wanted("a")))).isEqualTo("a: d0");
        assertThat(off.devices(claim("c").wants(wanted("a").admin()))).isEqualTo("a: d0");
        assertThat(off.devices(claim("c").wants(wanted("a").all()))).isEqualTo("a: d0");
        assertThat(off.devices(claim("c").wantsFirstOf("a", wanted("p").count(2), wanted("q"))))
                .isEqualTo("a/q: d0");
    }

    @Test
    void devicesThatAreBoundUnderConditionsComeLast() {
        scene.put(
                slice("s").pool("a").devices(device("d0").conditions("Attached", "Broken"), device("d1")),
                slice("t").pool("b").devices("d2"));
        List<DeviceAllocation> all =
                scene.allocations("n1", claim("c").wants(wanted("r").count(2)));
        assertThat(all.getFirst().results())
                .extracting(DeviceAllocation.Result::device)
                .containsExactly("d2", "d0");
        assertThat(all.getFirst().results().getLast().bindingConditions()).containsExactly("Attached");
        assertThat(all.getFirst().results().getLast().bindingFailureConditions())
                .containsExactly("Broken");
        DeviceScene off = DeviceScene.without("DRADeviceBindingConditions");
        off.put(slice("s").pool("a").devices(device("d0").conditions("Attached", "Broken"), device("d1")));
        assertThat(off.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d1");
    }

    @Test
    void parametersOfClassesComeFirstEachOnce() {
        scene.put(slice("s").devices(names(4)));
        scene.put(new DeviceClass(
                ObjectMeta.named("", "set"), List.of(), List.of(configuration("x"), configuration("y")), ""));
        DeviceAllocation allocation = scene.allocations(
                        "n1",
                        claim("c")
                                .wants(wanted("a").of("set"), wanted("b"))
                                .wantsFirstOf("f", wanted("p").of("set"), wanted("q"))
                                .configured(
                                        configuration("all"),
                                        configuration("both", "a", "f"),
                                        configuration("chosen", "f/p"),
                                        configuration("other", "f/q")))
                .getFirst();
        assertThat(allocation.configurations())
                .containsExactly(
                        new Configuration(true, configuration("x", "a", "f/p")),
                        new Configuration(true, configuration("y", "a", "f/p")),
                        new Configuration(false, configuration("all")),
                        new Configuration(false, configuration("both", "a", "f")),
                        new Configuration(false, configuration("both", "a", "f")),
                        new Configuration(false, configuration("chosen", "f/p")));
    }

    /** {@link Difference#DEVICE_CONFIGURATION_ONCE}, as by the case with-claim-config-for-two-requests. */
    @ParameterizedTest
    @EnumSource
    void parametersOfAClaimComeOnceFrom137On(CompatibilityLevel level) {
        Configuration both = new Configuration(false, configuration("both", "a", "b"));
        List<Configuration> told = configurations(
                level,
                claim("c").wants(wanted("a"), wanted("b"), wanted("d")).configured(configuration("both", "a", "b")));

        assertThat(told).isEqualTo(level == CompatibilityLevel.V1_36 ? List.of(both, both) : List.of(both));
    }

    /**
     * {@link Difference#DEVICE_CONFIGURATION_OF_ALL}, as by the cases claim-config-covering-all-requests-is-cleared and
     * claim-config-scoped-to-subrequests-of-one-request.
     */
    @ParameterizedTest
    @EnumSource
    void parametersForAllRequestsNameNoneFrom137On(CompatibilityLevel level) {
        List<Configuration> told = configurations(
                level,
                claim("c")
                        .wants(wanted("a").of("set"))
                        .wantsFirstOf("f", wanted("p"), wanted("q"))
                        .configured(
                                configuration("all", "a", "f/p"),
                                configuration("one", "f/p", "f/q"),
                                configuration("other", "a", "f/q")));

        assertThat(told)
                .contains(new Configuration(true, configuration("x", "a")))
                .contains(new Configuration(false, configuration("one", "f/p", "f/q")))
                .contains(new Configuration(false, configuration("other", "a", "f/q")));
        assertThat(told.contains(new Configuration(false, configuration("all"))))
                .isEqualTo(level != CompatibilityLevel.V1_36);
    }

    private static List<Configuration> configurations(CompatibilityLevel level, ClaimBuilder claim) {
        DeviceScene scene = new DeviceScene(FeatureGates.DEFAULTS.at(level));
        scene.put(slice("s").devices(names(4)));
        scene.put(new DeviceClass(ObjectMeta.named("", "set"), List.of(), List.of(configuration("x")), ""));
        return scene.allocations("n1", claim).getFirst().configurations();
    }

    @Test
    void theClaimSaysWhereItsDevicesCanBeUsed() {
        NodeSelector zone = nodesWith("zone", "a");
        scene.put(
                slice("s").pool("everywhere").devices("d0"),
                slice("t").pool("zonal").on(zone).devices("d1", "d2"),
                slice("u").pool("zz").on("n1").devices("d3"),
                slice("v").pool("zzz").devices(device("d4").bindsToNode()));
        assertThat(nodes(wanted("r"))).isEmpty();
        assertThat(nodes(wanted("r").count(3))).contains(zone);
        Optional<NodeSelector> local = nodes(wanted("r").count(4));
        assertThat(local.orElseThrow()
                        .terms()
                        .getFirst()
                        .matchFields()
                        .getFirst()
                        .text())
                .isEqualTo("metadata.name In (n1)");
        scene.put(claim("other").has("everywhere/d0", "zonal/d1", "zonal/d2", "zz/d3"));
        assertThat(nodes(wanted("r"))).isEqualTo(local);
        scene.put(claim("other").has("everywhere/d0", "zonal/d1", "zonal/d2", "zz/d3", "zzz/d4"));
        scene.put(slice("w")
                .pool("odd")
                .on(new NodeSelector(
                        List.of(zone.terms().getFirst(), zone.terms().getFirst())))
                .devices("d5"));
        assertThat(scene.devices(claim("c").wants(wanted("r"))))
                .isEqualTo(
                        "error: create NodeSelector for claim c: unsupported ResourceSlice.NodeSelector with 2 terms");
    }

    @Test
    void theClaimCanBeUsedWhereAllOfItsDevicesCan() {
        scene.put(NodeBuilder.node("n1").label("zone", "a").label("rack", "r").build());
        NodeSelectorTerm byName = new NodeSelectorTerm(
                List.of(), List.of(new NodeSelectorRequirement("metadata.name", Operator.IN, List.of("n1"))));
        scene.put(
                slice("s").pool("a").on(nodesWith("zone", "a")).devices("d0"),
                slice("t").pool("b").on(nodesWith("rack", "r")).devices("d1"),
                slice("u").pool("c").devices("d2"),
                slice("v").pool("d").on(new NodeSelector(List.of(byName))).devices("d3"),
                slice("w").pool("e").on(nodesWith("zone", "a")).devices("d4"));
        assertThat(nodes(wanted("r").count(5)))
                .contains(new NodeSelector(List.of(new NodeSelectorTerm(
                        List.of(
                                nodesWith("zone", "a")
                                        .terms()
                                        .getFirst()
                                        .matchExpressions()
                                        .getFirst(),
                                nodesWith("rack", "r")
                                        .terms()
                                        .getFirst()
                                        .matchExpressions()
                                        .getFirst()),
                        byName.matchFields()))));
    }

    private Optional<NodeSelector> nodes(DeviceObjects.WantedBuilder wanted) {
        return scene.allocations("n1", claim("c").wants(wanted)).getFirst().nodes();
    }

    @Test
    void resultsNameWhatTheDriverNeeds() {
        scene.put(slice("s").pool("p").devices("d0"));
        DeviceAllocation.Result result = scene.allocations(
                        "n1", claim("c").wants(wanted("r").tolerates("k")))
                .getFirst()
                .results()
                .getFirst();
        assertThat(result.driver()).isEqualTo(DeviceObjects.DRIVER);
        assertThat(result.pool()).isEqualTo("p");
        assertThat(result.tolerations()).hasSize(1);
        assertThat(result.shareId()).isEmpty();
        assertThat(ResourceClaim.MOST_DEVICES).isEqualTo(32);
    }
}
