package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What devices of a claim must have in common, and what they must not. */
class ConstraintsTest {
    private static final String LINK = "driver.example.com/link";
    private static final String NONE = "cannot allocate all claims";
    private static final String NUMA = "driver.example.com/numa";

    private final DeviceScene scene = new DeviceScene();

    @Test
    @DisplayName("a domain of its own, or the driver's")
    void alikeInAnAttribute() {
        scene.put(
                slice("s")
                        .pool("a")
                        .devices(device("d0").with("numa", 0), device("d1").with("numa", 1)),
                slice("t").pool("b").devices(device("d2").with(NUMA, 1), device("d3")));
        assertThat(scene.devices(claim("c").wants(wanted("r").count(2)).alike(NUMA)))
                .isEqualTo("r: d1, r: d2");
        assertThat(scene.devices(claim("c").wants(wanted("r").count(3)).alike(NUMA)))
                .isEqualTo(NONE);
        assertThat(scene.devices(claim("c").wants(wanted("r")).alike("other.example.com/numa")))
                .isEqualTo(NONE);
        assertThat(scene.devices(claim("c").wants(wanted("r")).alike("numa"))).isEqualTo("r: d0");
    }

    @Test
    void valuesOfDifferentTypesDiffer() {
        for (Attribute one : new Attribute[] {
            new Attribute.Int(1),
            new Attribute.Text("1"),
            new Attribute.Version("1"),
            new Attribute.Bool(true),
            new Attribute.Text("2")
        }) {
            scene.put(slice("s")
                    .devices(device("d0").with("numa", one), device("d1").with("numa", new Attribute.Text("3"))));
            assertThat(scene.devices(claim("c").wants(wanted("r").count(2)).alike(NUMA)))
                    .isEqualTo(NONE);
            scene.put(slice("s")
                    .devices(device("d0").with("numa", one), device("d1").with("numa", one)));
            assertThat(scene.devices(claim("c").wants(wanted("r").count(2)).alike(NUMA)))
                    .isEqualTo("r: d0, r: d1");
        }
        Attribute unknown = new Attribute.Unknown();
        scene.put(slice("s")
                .devices(device("d0").with("numa", unknown), device("d1").with("numa", unknown)));
        assertThat(scene.devices(claim("c").wants(wanted("r")).alike(NUMA))).isEqualTo("r: d0");
        assertThat(scene.devices(claim("c").wants(wanted("r").count(2)).alike(NUMA)))
                .isEqualTo(NONE);
    }

    @Test
    void allDevicesThatAreUnlikeAreAnErrorOfThePod() {
        scene.put(slice("s").devices(device("d0").with("numa", 0), device("d1").with("numa", 1)));
        assertThat(scene.devices(claim("c").wants(wanted("r").all()).alike(NUMA)))
                .isEqualTo("error: claim ns/c, request r: cannot add device driver.example.com/pool/d1 because a claim"
                        + " constraint would not be satisfied");
    }

    @Test
    void aConstraintConcernsTheRequestsThatItNames() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0),
                        device("d1").with("numa", 1),
                        device("d2").with("numa", 1)));
        assertThat(scene.devices(
                        claim("c").wants(wanted("a"), wanted("b"), wanted("e")).alike(NUMA, "a", "b")))
                .isEqualTo("a: d1, b: d2, e: d0");
        assertThat(scene.devices(claim("c").wants(wanted("a"), wanted("b")).alike(NUMA, "b")))
                .isEqualTo("a: d0, b: d1");
    }

    @Test
    void aConstraintMayNameAnAlternative() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0),
                        device("d1").with("numa", 1),
                        device("d2").with("numa", 1)));
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a"))
                        .wantsFirstOf("f", wanted("p").count(2), wanted("q"))
                        .alike(NUMA, "a", "f")))
                .isEqualTo("a: d1, f/q: d2");
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a"))
                        .wantsFirstOf("f", wanted("p").count(2), wanted("q"))
                        .alike(NUMA, "a", "f/q")))
                .isEqualTo("a: d0, f/p: d1, f/p: d2");
    }

    @Test
    void unlikeInAnAttribute() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0),
                        device("d1").with("numa", 0),
                        device("d2").with("numa", 1),
                        device("d3")));
        assertThat(scene.devices(claim("c").wants(wanted("a"), wanted("b")).unlike(NUMA)))
                .isEqualTo("a: d0, b: d2");
        assertThat(scene.devices(
                        claim("c").wants(wanted("a"), wanted("b"), wanted("e")).unlike(NUMA)))
                .isEqualTo(NONE);
        assertThat(scene.devices(claim("c").wants(wanted("a").count(2)).unlike(NUMA)))
                .isEqualTo("a: d0, a: d2");
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a"))
                        .wantsFirstOf("f", wanted("p").count(2), wanted("q"))
                        .unlike(NUMA)))
                .isEqualTo("a: d0, f/q: d2");
    }

    @Test
    void severalConstraintsHoldAtOnce() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0).with("link", "a"),
                        device("d1").with("numa", 1).with("link", "b"),
                        device("d2").with("numa", 1).with("link", "a")));
        assertThat(scene.devices(
                        claim("c").wants(wanted("a"), wanted("b")).alike(NUMA).alike(LINK)))
                .isEqualTo(NONE);
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a"), wanted("b"))
                        .alike(NUMA, "a")
                        .alike(LINK)))
                .isEqualTo("a: d0, b: d2");
    }

    @Test
    void whatOneConstraintKeepsAwayNoOtherRemembers() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0).with("link", "a"),
                        device("d1").with("numa", 1).with("link", "b"),
                        device("d2").with("numa", 1).with("link", "a")));
        assertThat(scene.devices(
                        claim("c").wants(wanted("a"), wanted("b")).unlike(NUMA).alike(LINK)))
                .isEqualTo("a: d0, b: d2");
    }

    @Test
    void sharesOfOneDeviceAreAlike() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0).has("memory", "2").shared(),
                        device("d1").with("numa", 1).has("memory", "4").shared()));
        assertThat(scene.devices(
                        claim("c")
                                .wants(
                                        wanted("a").capacity("memory", "2"),
                                        wanted("b").capacity("memory", "2"))
                                .alike(NUMA),
                        claim("d").wants(wanted("e").capacity("memory", "2"))))
                .isEqualTo("a: d1 {memory=2}, b: d1 {memory=2} | e: d0 {memory=2}");
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a").capacity("memory", "1"), wanted("b").capacity("memory", "1"))
                        .unlike(NUMA)))
                .isEqualTo("a: d0 {memory=1}, b: d1 {memory=1}");
        scene.put(slice("s")
                .devices(device("d0").with("numa", 0).has("memory", "2").shared()));
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a").capacity("memory", "1"), wanted("b").capacity("memory", "1"))
                        .unlike(NUMA)))
                .isEqualTo(NONE);
    }

    @Test
    void eachConstraintSetsItsOwnRequestsApart() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0).with("link", "a").shared(),
                        device("d1").with("numa", 1).with("link", "b").shared(),
                        device("d2").with("numa", 0).with("link", "c").shared()));
        ClaimBuilder three = claim("c").wants(wanted("a"), wanted("b"), wanted("e"));
        assertThat(scene.devices(three)).isEqualTo("a: d0, b: d0, e: d0");
        assertThat(scene.devices(three.unlike(NUMA, "a", "b"))).isEqualTo("a: d0, b: d1, e: d0");
        assertThat(scene.devices(three.unlike(LINK, "a", "b", "e"))).isEqualTo("a: d0, b: d1, e: d2");
    }

    @Test
    void alternativesAreSetApartToo() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0).shared(),
                        device("d1").with("numa", 1).shared()));
        String first = "device.attributes['driver.example.com'].numa == 0";
        ClaimBuilder claim = claim("c").unlike(NUMA, "a", "b");
        for (String request : new String[] {"a", "b", "e"}) {
            claim.wantsFirstOf(request, wanted("p").where(first), wanted("q"));
        }
        assertThat(scene.devices(claim)).isEqualTo("a/p: d0, b/q: d1, e/p: d0");
    }

    @Test
    @DisplayName("the reference remembers the last device of each request only, where devices must be unlike")
    void ofARequestTheLastDeviceCounts() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("numa", 0),
                        device("d1").with("numa", 1),
                        device("d2").with("numa", 0)));
        assertThat(scene.devices(claim("c").wants(wanted("a").count(3)).unlike(NUMA)))
                .isEqualTo("a: d0, a: d1, a: d2");
    }
}
