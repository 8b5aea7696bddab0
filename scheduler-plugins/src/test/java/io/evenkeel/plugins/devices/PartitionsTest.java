package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.nodesWith;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.devices.DeviceObjects.DeviceBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.WantedBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices that draw on the counters of their pool, and devices that say one by one where they can be used. */
class PartitionsTest {
    private static final String NONE = "cannot allocate all claims";

    private final DeviceScene scene = new DeviceScene();

    private void card(String... amounts) {
        DeviceObjects.SliceBuilder devices = slice("devices").pool("pool", 1, 2);
        for (int i = 0; i < amounts.length; i++) {
            devices.devices(device("d" + i).draws("card", "memory", amounts[i]));
        }
        scene.put(slice("counters").pool("pool", 1, 2).counters("card", "memory", "80Gi"), devices);
    }

    @Test
    void devicesDrawOnCounters() {
        card("60Gi", "40Gi", "40Gi");
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d0");
        assertThat(scene.devices(claim("c").wants(wanted("r").count(2)))).isEqualTo("r: d1, r: d2");
        assertThat(scene.devices(claim("c").wants(wanted("r").count(3)))).isEqualTo(NONE);
        assertThat(scene.devices(claim("c").wants(wanted("r")), claim("d").wants(wanted("s"))))
                .isEqualTo("r: d1 | s: d2");
        scene.put(claim("other").has("pool/d1"));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d2");
        scene.put(claim("another").has("pool/d2"));
        assertThat(scene.devices(claim("c").wantsFirstOf("r", wanted("p"), wanted("q"))))
                .isEqualTo(NONE);
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void anAlternativeIsTakenWhereTheCounterDoesNotSuffice() {
        scene.put(
                slice("counters").pool("pool", 1, 2).counters("card", "memory", "80Gi"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(part("d0", "40Gi"), part("d1", "60Gi"), part("d2", "40Gi")));
        String atLeast = "device.capacity['driver.example.com'].memory.compareTo(quantity('%s')) >= 0";
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a"))
                        .wantsFirstOf(
                                "f",
                                wanted("p").where(atLeast.formatted("60Gi")),
                                wanted("q").where(atLeast.formatted("40Gi")))))
                .isEqualTo("a: d0, f/q: d2");
    }

    private static DeviceBuilder part(String name, String memory) {
        return device(name).has("memory", memory).draws("card", "memory", memory);
    }

    @Test
    void eachCounterOfEachSetHasToSuffice() {
        scene.put(
                slice("counters")
                        .pool("pool", 1, 2)
                        .counters("card", "memory", "10", "cores", "8")
                        .counters("host", "lanes", "3")
                        .counters("spare", "lanes", "1"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(
                                device("d0")
                                        .draws("card", "memory", "1", "cores", "6")
                                        .draws("host", "lanes", "1"),
                                device("d1")
                                        .draws("card", "memory", "1", "cores", "4")
                                        .draws("host", "lanes", "2"),
                                device("d2")
                                        .draws("card", "memory", "1", "cores", "4")
                                        .draws("host", "lanes", "2"),
                                device("d3").draws("card", "memory", "9").draws("host", "lanes", "1")));
        assertThat(scene.devices(claim("c").wants(wanted("a"), wanted("b")))).isEqualTo("a: d0, b: d3");
        scene.put(claim("other").has("pool/d3"));
        assertThat(scene.devices(claim("c").wants(wanted("a")))).isEqualTo("a: d0");
        assertThat(scene.devices(claim("c").wants(wanted("a"), wanted("b")))).isEqualTo(NONE);
    }

    @Test
    void anEarlierRequestGivesWayWhereCountersWouldSuffice() {
        scene.put(
                slice("counters").pool("pool", 1, 2).counters("own", "a", "1", "b", "1", "c", "1"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(
                                device("d0").with("x", 1).draws("own", "a", "1"),
                                device("d1").with("x", 2).draws("own", "b", "1"),
                                device("d2").with("x", 2).draws("own", "c", "1")));
        assertThat(scene.devices(claim("c")
                        .wants(
                                wanted("r").count(2),
                                wanted("s").where("device.attributes['driver.example.com'].x == 1"))))
                .isEqualTo("r: d1, r: d2, s: d0");
    }

    @Test
    void allDevicesDrawOnCountersToo() {
        card("40Gi", "40Gi");
        assertThat(scene.devices(claim("c").wants(wanted("r").all()))).isEqualTo("r: d0, r: d1");
        card("40Gi", "60Gi");
        assertThat(scene.devices(claim("c").wants(wanted("r").all()))).isEqualTo(NONE);
    }

    @Test
    void partitionsMayBeBoundUnderConditions() {
        scene.put(
                slice("4").pool("pool", 1, 4).devices(part("d0", "4").conditions("Ready", "Lost")),
                slice("3").pool("pool", 1, 4).counters("card", "memory", "8"),
                slice("2")
                        .pool("pool", 1, 4)
                        .devices(
                                device("d1").draws("other", "memory", "4"),
                                device("d2").draws("other", "memory", "4").conditions("Attached", "Broken")),
                slice("1").pool("pool", 1, 4).counters("other", "memory", "8"));
        assertThat(conditionsOf(wanted("r").count(3))).containsExactly("d1 []", "d2 [Attached]", "d0 [Ready]");
        scene.put(slice("4")
                .pool("pool", 1, 4)
                .devices(part("d0", "4").conditions("Ready", "Lost").taint("k", "NoSchedule")));
        assertThat(scene.devices(claim("c").wants(wanted("r").count(3)))).isEqualTo(NONE);
        assertThat(conditionsOf(wanted("r").count(3).tolerates("k")))
                .containsExactly("d1 []", "d2 [Attached]", "d0 [Ready]");
    }

    private List<String> conditionsOf(WantedBuilder wanted) {
        return scene.allocations("n1", claim("c").wants(wanted)).getFirst().results().stream()
                .map(result -> result.device() + " " + result.bindingConditions())
                .toList();
    }

    @Test
    void aCounterThatIsOverdrawnKeepsAllDevicesOfThePool() {
        scene.put(
                slice("counters")
                        .pool("pool", 1, 2)
                        .counters("one", "memory", "1")
                        .counters("two", "memory", "1"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(
                                device("d0").draws("one", "memory", "2"),
                                device("d1").draws("two", "memory", "1"),
                                device("d2")));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d1");
        scene.put(claim("other").has("pool/d0"));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d2");
    }

    @Test
    void eachPoolHasItsOwnCounters() {
        scene.put(
                slice("a1").pool("a", 1, 2).counters("card", "memory", "1"),
                slice("a2")
                        .pool("a", 1, 2)
                        .devices(
                                device("d0").draws("card", "memory", "1"),
                                device("d1").draws("card", "memory", "1")),
                slice("b1").pool("b", 1, 2).counters("card", "memory", "1"),
                slice("b2").pool("b", 1, 2).devices(device("d2").draws("card", "memory", "1")));
        assertThat(scene.devices(claim("c").wants(wanted("r").count(2)))).isEqualTo("r: d0, r: d2");
        assertThat(scene.devices(claim("c").wants(wanted("r").count(3)))).isEqualTo(NONE);
        scene.put(slice("a3").pool("a", 1, 3).counters("card", "memory", "1"));
        scene.put(slice("a1").pool("a", 1, 3).counters("card", "memory", "1"));
        scene.put(slice("a2").pool("a", 1, 3).devices("d0"));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d2");
        assertThat(scene.devices(claim("c").wants(wanted("r").count(2))))
                .isEqualTo("invalid resource pools were encountered");
    }

    @Test
    void aPoolWithUnknownCountersIsInvalid() {
        scene.put(
                slice("a1").pool("a", 1, 2).counters("card", "memory", "1"),
                slice("a2").pool("a", 1, 2).on("n1").devices(device("d0").draws("card", "cores", "1")));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("invalid resource pools were encountered");
        assertThat(scene.devicesOn("n2", claim("c").wants(wanted("r"))))
                .isEqualTo("invalid resource pools were encountered");
        scene.put(slice("a2").pool("a", 1, 2).on("n1").devices(device("d0").draws("other", "memory", "1")));
        assertThat(scene.devicesOn("n2", claim("c").wants(wanted("r").all())))
                .isEqualTo(
                        "error: claim ns/c, request r: asks for all devices, but resource pool driver.example.com/a is"
                                + " currently invalid");
        scene.put(slice("b").pool("b").devices("d1"));
        assertThat(scene.devicesOn("n2", claim("c").wants(wanted("r")))).isEqualTo("r: d1");
        scene.put(slice("a2").pool("a", 1, 2).on("n1").devices(device("d0").draws("card", "memory", "1")));
        assertThat(scene.devicesOn("n2", claim("c").wants(wanted("r").count(2))))
                .isEqualTo(NONE);
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void devicesElsewhereDrawOnTheSameCounters() {
        scene.put(
                slice("a1").pool("a", 1, 3).counters("card", "memory", "1"),
                slice("a2").pool("a", 1, 3).on("n1").devices(device("d0").draws("card", "memory", "1")),
                slice("a3").pool("a", 1, 3).on("n2").devices(device("d1").draws("card", "memory", "1")));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d0");
        assertThat(scene.devicesOn("n2", claim("c").wants(wanted("r")))).isEqualTo("r: d1");
        scene.put(claim("other").has("a/d1"));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo(NONE);
        assertThat(scene.audit()).isEmpty();
        scene.cluster.remove(claim("other").build());
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d0");
    }

    @Test
    void eachDeviceMaySayWhereItCanBeUsed() {
        scene.put(slice("s")
                .perDevice()
                .devices(
                        device("d0").on("n2"),
                        device("d1").on(nodesWith("zone", "a")),
                        device("d2").everywhere(),
                        device("d3")));
        assertThat(scene.devices(claim("c").wants(wanted("r").all()))).isEqualTo("r: d1, r: d2");
        assertThat(scene.devicesOn("n2", claim("c").wants(wanted("r").all()))).isEqualTo("r: d0, r: d2");
        assertThat(scene.allocations("n1", claim("c").wants(wanted("r").all()))
                        .getFirst()
                        .nodes())
                .contains(nodesWith("zone", "a"));
        assertThat(scene.allocations("n2", claim("c").wants(wanted("r").all()))
                        .getFirst()
                        .nodes()
                        .toString())
                .contains("metadata.name", "[n2]");
    }

    @Test
    void partitionsCanBeSwitchedOff() {
        DeviceScene off = DeviceScene.without("DRAPartitionableDevices");
        off.put(
                slice("c").pool("pool", 1, 2).on("n1").counters("card", "memory", "1"),
                slice("s").pool("pool", 1, 2).devices(device("d0").draws("card", "memory", "1"), device("d1")));
        off.put(slice("t").pool("u").perDevice().devices(device("d2").everywhere()));
        assertThat(off.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d1");
        assertThat(off.devices(claim("c").wants(wanted("r").count(2)))).isEqualTo(NONE);
    }

    @Test
    void whatATaintedDeviceDrawsIsNotGivenBack() {
        scene.put(
                slice("counters").pool("pool", 1, 2).counters("card", "memory", "2"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(
                                device("d0").draws("card", "memory", "1").taint("k", "NoSchedule"),
                                device("d1").draws("card", "memory", "2"),
                                device("d2").draws("card", "memory", "1")));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d2");
        assertThat(scene.devices(claim("c").wants(wanted("r").tolerates("k").count(2))))
                .isEqualTo("r: d0, r: d2");
    }

    /** kube-scheduler 1.36 took the counters of one for those of the other. */
    @ParameterizedTest
    @EnumSource
    void poolsOfTwoDriversWithOneNameHaveTheirOwnCounters(CompatibilityLevel level) {
        DeviceScene at = new DeviceScene(FeatureGates.DEFAULTS.at(level));
        for (String driver : List.of("a.example.com", "b.example.com")) {
            at.put(
                    slice("counters-" + driver)
                            .driver(driver)
                            .pool("pool", 1, 2)
                            .counters(driver.substring(0, 1), "slots", "1"),
                    slice("devices-" + driver)
                            .driver(driver)
                            .pool("pool", 1, 2)
                            .devices(
                                    device(driver.charAt(0) + "0").draws(driver.substring(0, 1), "slots", "1"),
                                    device(driver.charAt(0) + "1").draws(driver.substring(0, 1), "slots", "1")));
        }
        assertThat(at.devices(claim("c").wants(wanted("r"), wanted("s")))).isEqualTo("r: a0, s: b0");
        assertThat(at.devices(claim("c").wants(wanted("r").count(3)))).isEqualTo(NONE);
    }

    @ParameterizedTest
    @EnumSource
    void countersOfASliceForAnotherNodeAreDrawnOn(CompatibilityLevel level) {
        DeviceScene at = new DeviceScene(FeatureGates.DEFAULTS.at(level));
        at.put(
                slice("counters").pool("pool", 1, 3).on("n1").counters("card", "memory", "8Gi"),
                slice("one").pool("pool", 1, 3).on("n1").devices(part("d1", "6Gi")),
                slice("other").pool("pool", 1, 3).on("n2").devices(part("d2", "6Gi"), part("d3", "2Gi")));
        at.put(claim("other").has("pool/d1"));
        assertThat(at.devicesOn("n2", claim("c").wants(wanted("r")))).isEqualTo("r: d3");
        assertThat(at.audit()).isEmpty();
    }

    /** What counts leaves the slice as it was: kube-scheduler 1.36 changed amounts beyond 2⁶³ in its cache. */
    @Test
    void largeAmountsAreTheSameForTheNextPod() {
        scene.put(
                slice("counters").pool("pool", 1, 2).counters("card", "memory", "10000000000000000000"),
                slice("devices").pool("pool", 1, 2).devices(part("d0", "9000000000000000000"), part("d1", "1")));
        for (int pod = 0; pod < 3; pod++) {
            assertThat(scene.devices(claim("c").wants(wanted("r").count(2)))).isEqualTo("r: d0, r: d1");
        }
    }
}
