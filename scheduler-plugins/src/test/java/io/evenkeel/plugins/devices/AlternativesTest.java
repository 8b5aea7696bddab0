package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.deviceClass;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.plugins.devices.DeviceObjects.SliceBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.WantedBuilder;
import org.junit.jupiter.api.Test;

/** Requests that are content with something else where they cannot have what they would rather have. */
class AlternativesTest {
    private static final String NONE = "cannot allocate all claims";

    private final DeviceScene scene = new DeviceScene();

    private static String x(int value) {
        return "device.attributes['driver.example.com'].x == " + value;
    }

    private static String atLeast(int value) {
        return "device.attributes['driver.example.com'].x >= " + value;
    }

    private static SliceBuilder devices(SliceBuilder slice, int many) {
        for (int i = 0; i < many; i++) {
            slice.devices("d" + i);
        }
        return slice;
    }

    /** What a request gets that wants one of these, beside others. */
    private String firstOf(WantedBuilder one, WantedBuilder other, WantedBuilder... beside) {
        return scene.devices(claim("c").wants(beside).wantsFirstOf("a", one, other));
    }

    @Test
    void theFirstThatCanBeHadIsTaken() {
        scene.put(slice("s").devices(device("d0").with("x", 1), device("d1").with("x", 2)));
        assertThat(firstOf(wanted("p"), wanted("q"))).isEqualTo("a/p: d0");
        assertThat(firstOf(wanted("p").where(x(3)), wanted("q").where(x(2)))).isEqualTo("a/q: d1");
        assertThat(firstOf(wanted("p").where(x(3)), wanted("q").count(3))).isEqualTo(NONE);
        assertThat(firstOf(wanted("p").where(x(2)), wanted("q"), wanted("b").where(x(2))))
                .isEqualTo("b: d1, a/q: d0");
    }

    @Test
    void anotherIsTakenWhereALaterRequestNeedsTheDevices() {
        scene.put(slice("s").devices(device("d0").with("x", 8), device("d1").with("x", 4)));
        assertThat(scene.devices(claim("c")
                        .wantsFirstOf("a", wanted("p").count(2), wanted("q"))
                        .wants(wanted("b").where(x(4)))))
                .isEqualTo("a/q: d0, b: d1");
        assertThat(scene.devices(claim("c")
                        .wantsFirstOf("a", wanted("p").where(x(8)), wanted("q").where(atLeast(4)))
                        .wants(wanted("b").where(x(8)))))
                .isEqualTo("a/q: d1, b: d0");
    }

    @Test
    void anEarlierRequestGivesWayToAnAlternative() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("x", 2),
                        device("d1").with("x", 2),
                        device("d2").with("x", 1)));
        assertThat(firstOf(
                        wanted("p").where(atLeast(4)),
                        wanted("q").where(atLeast(2)).count(2),
                        wanted("b")))
                .isEqualTo("b: d2, a/q: d0, a/q: d1");
    }

    @Test
    void allDevicesAreAnAlternativeWhereThereAreAnyAndAllAreFree() {
        WantedBuilder all = wanted("p").all().where("device.driver == 'driver.example.com'");
        WantedBuilder other = wanted("q").where("device.driver == 'z.example.com'");
        scene.put(slice("z").driver("z.example.com").devices("z0"));
        assertThat(firstOf(all, other)).isEqualTo("a/q: z0");
        scene.put(slice("s").devices(new String[0]));
        assertThat(firstOf(all, other)).isEqualTo("a/q: z0");
        scene.put(slice("s").devices("d0", "d1"));
        assertThat(firstOf(all, other)).isEqualTo("a/p: d0, a/p: d1");
        scene.put(claim("other").has("pool/d0"));
        assertThat(firstOf(all, other)).isEqualTo("a/q: z0");
        assertThat(firstOf(all, wanted("q"))).isEqualTo("a/q: d1");
    }

    @Test
    void allDevicesAreNoAlternativeBesideARequestThatHasOne() {
        scene.put(slice("s").devices("d0", "d1"));
        assertThat(firstOf(wanted("p").all(), wanted("q"), wanted("b"))).isEqualTo("b: d0, a/q: d1");
    }

    @Test
    void allDevicesAreThoseThatBothSelectorsAndTheClassMatchOnTheNode() {
        scene.put(
                slice("s").pool("p").devices(device("d0").with("x", 5)),
                slice("t").pool("q").devices(device("d1").with("x", 5)),
                slice("u")
                        .pool("r")
                        .on("n2")
                        .devices(device("d2").with("x", 5), device("d3").with("x", 6)));
        WantedBuilder all6 = wanted("p").all().where(x(6));
        WantedBuilder all5 = wanted("q").all().where(x(5));
        assertThat(firstOf(all6, all5)).isEqualTo("a/q: d0, a/q: d1");
        assertThat(scene.devicesOn("n2", claim("c").wantsFirstOf("a", all6, all5)))
                .isEqualTo("a/p: d3");
        scene.put(deviceClass("chosen", "device.attributes['driver.example.com'].chosen"));
        scene.put(slice("s")
                .pool("p")
                .devices(
                        device("d0").with("x", 6).with("chosen", new Attribute.Bool(false)),
                        device("d4").with("x", 5).with("chosen", new Attribute.Bool(true))));
        scene.put(slice("t").pool("q").devices(device("d1").with("x", 5).with("chosen", new Attribute.Bool(false))));
        assertThat(firstOf(all6.of("chosen"), all5.of("chosen"))).isEqualTo("a/q: d4");
    }

    @Test
    void oneThatIsMoreThanAClaimMayHaveIsPassedOver() {
        scene.put(devices(slice("s"), 40));
        assertThat(firstOf(wanted("p").count(500), wanted("q"))).isEqualTo("a/q: d0");
        assertThat(firstOf(
                                wanted("p").count(13),
                                wanted("q").count(12),
                                wanted("b").count(20))
                        .split(", "))
                .hasSize(32)
                .endsWith("a/q: d31");
        assertThat(scene.devices(claim("c")
                        .wantsFirstOf("a", wanted("p").count(31), wanted("q").count(30))
                        .wantsFirstOf("b", wanted("p").count(3), wanted("q").count(2))))
                .startsWith("a/q: d0, a/q: d1")
                .endsWith("b/q: d31");
    }

    @Test
    void allDevicesArePassedOverWhereTheyAreTooManyWithWhatComesLater() {
        scene.put(
                devices(slice("s").pool("p"), 31),
                slice("z").pool("q").driver("z.example.com").devices("z0", "z1"));
        String ours = "device.driver == 'driver.example.com'";
        assertThat(scene.devices(claim("c")
                        .wantsFirstOf(
                                "a", wanted("p").all().where(ours), wanted("q").count(2))
                        .wants(wanted("b")
                                .where("device.driver == 'z.example.com'")
                                .count(2))))
                .isEqualTo("a/q: d0, a/q: d1, b: z0, b: z1");
    }

    @Test
    void theyCanBeSwitchedOff() {
        DeviceScene without = DeviceScene.without("DRAPrioritizedList");
        assertThat(without.devices(claim("c").wantsFirstOf("a", wanted("p"))))
                .isEqualTo(
                        "error: claim ns/c, request a: has subrequests, but the DRAPrioritizedList feature is disabled");
    }
}
