package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.device.Device.Attribute;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What devices of a claim must have in common, and what they must not. */
class ConstraintsTest {
    private static final String NONE = "cannot allocate all claims";
    private static final String NUMA = "driver.example.com/numa";

    private final DeviceScene scene = new DeviceScene();

    @Test
    @DisplayName("with-constraint: a domain of its own, or the driver's")
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
    @DisplayName("with-constraint-not-matching-int-attribute, -string-, -bool-, -version-: values differ by type, too")
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
    @DisplayName("with-constraint-not-matching-int-attribute-all-devices")
    void allDevicesThatAreUnlikeAreAnErrorOfThePod() {
        scene.put(slice("s").devices(device("d0").with("numa", 0), device("d1").with("numa", 1)));
        assertThat(scene.devices(claim("c").wants(wanted("r").all()).alike(NUMA)))
                .isEqualTo("error: claim ns/c, request r: cannot add device driver.example.com/pool/d1 because a claim"
                        + " constraint would not be satisfied");
    }

    @Test
    @DisplayName("with-constraint-for-request, with-constraint-for-request-retry")
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
    @DisplayName("prioritized-list-subrequests-with-constraints-ref-parent-request, -ref-sub-request")
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
    @DisplayName("with-distinct-constraints, with-distinct-constraints-attribute-not-set,"
            + " with-distinct-constraints-with-subrequests")
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
