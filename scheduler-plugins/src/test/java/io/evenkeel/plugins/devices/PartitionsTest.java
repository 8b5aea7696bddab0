package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.nodesWith;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
    @DisplayName("partitionable-devices-single-device, -multiple-devices, -no-capacity-available, -prioritized-list")
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
    @DisplayName("partitionable-devices-overallocated-capacity-pool: a counter that is short keeps all of its pool")
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
    @DisplayName("partitionable-devices-multiple-pools, -same-counter-set-name-in-different-resource-slices")
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
    @DisplayName(
            "partitionable-devices-device-counter-consumption-references-unknown-counter-set, -unknown-counter-in-counter-set,"
                    + " -counter-set-in-other-pool, partitionable-devices-validation-error-on-non-targeting-slice")
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
    @DisplayName("partitionable-devices-devices-on-different-nodes-consume-same-counter-set")
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
    @DisplayName("partitionable-devices-per-device-node-selection-*")
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
    }

    @Test
    @DisplayName("partitionable-devices-disabled-*")
    void partitionsCanBeSwitchedOff() {
        DeviceScene off = DeviceScene.without("DRAPartitionableDevices");
        off.put(slice("s").devices(device("d0").draws("card", "memory", "1"), device("d1")));
        off.put(slice("t").pool("u").perDevice().devices(device("d2").everywhere()));
        assertThat(off.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d1");
        assertThat(off.devices(claim("c").wants(wanted("r").count(2)))).isEqualTo(NONE);
    }

    @Test
    @DisplayName(
            "partitionable-devices-with-binding-conditions-and-taints: what a tainted device draws is not given back")
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
}
