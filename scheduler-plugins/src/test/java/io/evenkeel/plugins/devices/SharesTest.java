package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.atLeast;
import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.deviceClass;
import static io.evenkeel.plugins.devices.DeviceObjects.oneOf;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.device.DeviceAllocation.Result;
import io.evenkeel.plugins.devices.DeviceObjects.DeviceBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.WantedBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices that several claims share, each with a part of what they have. */
class SharesTest {
    private static final String NONE = "cannot allocate all claims";

    private final DeviceScene scene = new DeviceScene();

    @Test
    void whoAsksForNothingGetsTheDefaultOrAll() {
        scene.put(slice("s").devices(device("d0").has("memory", "10").shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d0 {memory=10}");
        assertThat(scene.devices(claim("c").wants(wanted("r"), wanted("s")))).isEqualTo(NONE);
        assertThat(scene.devices(claim("c")
                        .wants(wanted("r").capacity("memory", "4"), wanted("s").capacity("memory", "6"))))
                .isEqualTo("r: d0 {memory=4}, s: d0 {memory=6}");
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "10", atLeast("1", "", "", "3"))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r"), wanted("s"), wanted("t"))))
                .isEqualTo("r: d0 {memory=3}, s: d0 {memory=3}, t: d0 {memory=3}");
        assertThat(scene.devices(claim("c").wants(wanted("r").count(2)))).isEqualTo(NONE);
        scene.put(slice("s").devices(device("d0").shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r"), wanted("s")))).isEqualTo("r: d0, s: d0");
    }

    @Test
    void aDeviceWithoutTheCapacityIsPassedOver() {
        scene.put(slice("s")
                .devices(device("d0").shared(), device("d1").has("memory", "10").shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "1"))))
                .isEqualTo("r: d1 {memory=1}");
        assertThat(scene.devices(claim("c").wants(wanted("r").all().capacity("memory", "1"))))
                .isEqualTo("r: d1 {memory=1}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("cores", "1"))))
                .isEqualTo(NONE);
    }

    @Test
    void whatIsAskedForIsRoundedUp() {
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "20", atLeast("2", "11", "3", ""))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "1"))))
                .isEqualTo("r: d0 {memory=2}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "5"))))
                .isEqualTo("r: d0 {memory=5}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "6"))))
                .isEqualTo("r: d0 {memory=8}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "12"))))
                .isEqualTo(NONE);
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "20", oneOf("4", "2", "4", "8"))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d0 {memory=4}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "5"))))
                .isEqualTo("r: d0 {memory=8}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "9"))))
                .isEqualTo(NONE);
    }

    @Test
    void whoAsksForNothingMayGetNothing() {
        scene.put(slice("s")
                .devices(device("d0").has("memory", "1", oneOf("0", "0")).shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r")), claim("d").wants(wanted("s"))))
                .isEqualTo("r: d0 {memory=0} | s: d0 {memory=0}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "1"))))
                .isEqualTo(NONE);
    }

    @Test
    void anAlternativeMayWantLess() {
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "4", atLeast("2", "", "2", "2"))
                        .shared()));
        assertThat(scene.devices(claim("c")
                        .wantsFirstOf(
                                "r",
                                wanted("p").capacity("memory", "5"),
                                wanted("q").capacity("memory", "3"))))
                .isEqualTo("r/q: d0 {memory=4}");
        assertThat(scene.devices(
                        claim("c").wants(wanted("r").capacity("memory", "1")),
                        claim("d").wants(wanted("r").capacity("memory", "3"))))
                .isEqualTo(NONE);
    }

    @Test
    void allDevicesAreThoseWithEnoughAndEachHasToHaveItLeft() {
        scene.put(slice("s")
                .devices(
                        device("d0").has("memory", "2").shared(),
                        device("d1").has("memory", "1").shared(),
                        device("d2").shared()));
        WantedBuilder one = wanted("a").capacity("memory", "1");
        WantedBuilder all = wanted("b").all().capacity("memory", "1");
        assertThat(scene.devices(claim("c").wants(wanted("b").all().capacity("memory", "2"))))
                .isEqualTo("b: d0 {memory=2}");
        assertThat(scene.devices(claim("c").wants(one, all)))
                .isEqualTo("a: d0 {memory=1}, b: d0 {memory=1}, b: d1 {memory=1}");
        scene.put(claim("other").has("pool/d0/x/memory/1"));
        assertThat(scene.devices(claim("c").wants(all))).isEqualTo("b: d0 {memory=1}, b: d1 {memory=1}");
        assertThat(scene.devices(claim("c").wants(one, all))).isEqualTo(NONE);
        scene.put(claim("other").has("pool/d0/x/memory/2"));
        assertThat(scene.devices(claim("c").wants(all))).isEqualTo("b: d1 {memory=1}");
    }

    @Test
    void aSelectorMayAskWhetherADeviceIsShared() {
        scene.put(slice("s")
                .devices(device("d0").has("memory", "1").shared(), device("d1").has("memory", "1")));
        scene.put(
                deviceClass("shared", "device.allowMultipleAllocations"),
                deviceClass("whole", "!device.allowMultipleAllocations"));
        assertThat(scene.devices(claim("c").wants(wanted("r").of("whole").capacity("memory", "1"))))
                .isEqualTo("r: d1");
        assertThat(scene.devices(claim("c").wants(wanted("r").of("shared").count(2))))
                .isEqualTo(NONE);
    }

    @Test
    void sharedPartitionsAreDrawnForOnceAndSharedThen() {
        scene.put(
                slice("counters")
                        .pool("pool", 1, 2)
                        .counters("card", "memory", "4")
                        .counters("host", "cores", "8"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(partition("d0", "2"), partition("d1", "4"), partition("d2", "2")));
        String atLeast = "device.capacity['driver.example.com'].memory.compareTo(quantity('%s')) >= 0";
        WantedBuilder large = wanted("p").where(atLeast.formatted("4"));
        WantedBuilder small = wanted("q").where(atLeast.formatted("2"));
        assertThat(scene.devices(claim("c").wants(wanted("a")).wantsFirstOf("f", large, small)))
                .isEqualTo("a: d0 {cores=2, memory=2}, f/q: d2 {cores=2, memory=2}");
        assertThat(scene.devices(claim("c")
                        .wants(wanted("a").capacity("memory", "1"), wanted("b").capacity("memory", "2"))
                        .wantsFirstOf("f", large.capacity("memory", "1"), small.capacity("memory", "1"))))
                .isEqualTo("a: d0 {cores=2, memory=1}, b: d2 {cores=2, memory=2}, f/q: d0 {cores=2, memory=1}");
    }

    private static DeviceBuilder partition(String name, String memory) {
        return device(name)
                .has("memory", memory)
                .has("cores", "4", atLeast("2", "4", "2", "2"))
                .draws("card", "memory", memory)
                .draws("host", "cores", "4")
                .shared();
    }

    @Test
    void whatOthersHaveIsTakenOff() {
        scene.put(slice("s")
                .devices(
                        device("d0").has("memory", "10").shared(),
                        device("d1").has("memory", "10").shared()));
        scene.put(claim("other").has("pool/d0/x/memory/6", "pool/d0/y/memory/1"));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "3"))))
                .isEqualTo("r: d0 {memory=3}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "4"))))
                .isEqualTo("r: d1 {memory=4}");
        assertThat(scene.devices(claim("c")
                        .wants(wanted("r").capacity("memory", "3"), wanted("s").capacity("memory", "10"))))
                .isEqualTo("r: d0 {memory=3}, s: d1 {memory=10}");
        assertThat(scene.devices(claim("c").wants(wanted("r").all().capacity("memory", "4"))))
                .isEqualTo("r: d1 {memory=4}");
        scene.put(claim("other").has("pool/d0/y/memory/1"));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "9"))))
                .isEqualTo("r: d0 {memory=9}");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aDeviceThatNobodySharesIsHadAsAWhole() {
        scene.put(slice("s")
                .devices(device("d0").has("memory", "10"), device("d1").has("memory", "20")));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "11"))))
                .isEqualTo("r: d1");
        assertThat(scene.devices(claim("c")
                        .wants(wanted("r").capacity("memory", "1"), wanted("s").capacity("memory", "1"))))
                .isEqualTo("r: d0, s: d1");
        scene.put(claim("other").has("pool/d0/x/memory/1"));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d1");
        scene.put(slice("s").devices(device("d0").has("memory", "10").shared()));
        scene.put(claim("other").has("pool/d0"));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "1"))))
                .isEqualTo(NONE);
    }

    @Test
    void aSharedDeviceDrawsOnCountersOnce() {
        scene.put(
                slice("counters").pool("pool", 1, 2).counters("card", "memory", "1"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(
                                device("d0")
                                        .has("memory", "10")
                                        .draws("card", "memory", "1")
                                        .shared(),
                                device("d1")
                                        .has("memory", "10")
                                        .draws("card", "memory", "1")
                                        .shared()));
        assertThat(scene.devices(claim("c")
                        .wants(wanted("r").capacity("memory", "4"), wanted("s").capacity("memory", "4"))))
                .isEqualTo("r: d0 {memory=4}, s: d0 {memory=4}");
        assertThat(scene.devices(claim("c")
                        .wants(wanted("r").capacity("memory", "6"), wanted("s").capacity("memory", "6"))))
                .isEqualTo(NONE);
        scene.put(claim("other").has("pool/d1/x/memory/1"));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "9"))))
                .isEqualTo("r: d1 {memory=9}");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void eachShareHasAnIdOfItsOwnThatAReplayRepeats() {
        scene.put(slice("s").devices(device("d0").has("memory", "10").shared()));
        assertThat(ids("c")).doesNotHaveDuplicates().isEqualTo(ids("c")).doesNotContainAnyElementsOf(ids("d"));
    }

    private java.util.List<String> ids(String name) {
        return scene
                .allocations(
                        "n1",
                        claim(name)
                                .wants(
                                        wanted("r").capacity("memory", "1"),
                                        wanted("s").capacity("memory", "1")))
                .getFirst()
                .results()
                .stream()
                .map(Result::shareId)
                .toList();
    }

    @Test
    void sharesCanBeSwitchedOff() {
        DeviceScene off = DeviceScene.without("DRAConsumableCapacity");
        off.put(slice("s").devices(device("d0").has("memory", "10").shared()));
        assertThat(off.devices(claim("c").wants(wanted("r").capacity("memory", "1"))))
                .isEqualTo(
                        "error: claim ns/c, request r: has capacity requests, but the DRAConsumableCapacity feature is"
                                + " disabled");
        assertThat(off.devices(claim("c").wantsFirstOf("r", wanted("p").capacity("memory", "1"))))
                .isEqualTo(
                        "error: claim ns/c, subrequest p: has capacity requests, but the DRAConsumableCapacity feature"
                                + " is disabled");
        assertThat(off.devices(claim("c").wants(wanted("r"), wanted("s")))).isEqualTo(NONE);
        assertThat(off.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d0");
    }

    @Test
    void amountsAtTheirLimitsAreAllowed() {
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "20", atLeast("2", "11", "3", ""))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "2"))))
                .isEqualTo("r: d0 {memory=2}");
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "11"))))
                .isEqualTo("r: d0 {memory=11}");
        assertThat(scene.devices(claim("c").wants(wanted("r")))).as("all of it").isEqualTo(NONE);
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "20", atLeast("2", "", "", ""))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "5"))))
                .isEqualTo("r: d0 {memory=5}");
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "20", oneOf("4", "2", "4", "8"))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "4"))))
                .isEqualTo("r: d0 {memory=4}");
    }

    /** Nobody can have all of what does not end at a step. */
    @Test
    void whoeverAsksForNothingGetsAllWhereThatIsAStep() {
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "20", atLeast("2", "", "3", ""))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo("r: d0 {memory=20}");
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "21", atLeast("2", "", "3", ""))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r")))).isEqualTo(NONE);
    }

    /** kube-scheduler 1.36 counts so far that less than nothing is left over, and gives the device away. */
    @ParameterizedTest
    @EnumSource
    void anAmountThatNoNumberCanSayIsAnErrorOfThePod(CompatibilityLevel level) {
        DeviceScene at = new DeviceScene(FeatureGates.DEFAULTS.at(level));
        at.put(slice("s")
                .devices(device("d0")
                        .has("memory", "9223372036854775807", atLeast("0", "", "100", ""))
                        .shared()));
        assertThat(at.devices(claim("c").wants(wanted("r").capacity("memory", "9223372036854775807"))))
                .startsWith("error: capacity \"memory\": capacity request cannot be represented in the device's range"
                        + " arithmetic: ")
                .endsWith(
                        level == CompatibilityLevel.V1_38
                                ? "request 9223372036854775807 is not a representable milli value"
                                : "rounding request 9223372036854775807 up to the next step passes MaxInt64");
        at.put(slice("s").devices(device("d0").has("memory", "10").shared()));
        assertThat(at.devices(claim("c").wants(wanted("r").capacity("memory", "-1"))))
                .isEqualTo("error: capacity \"memory\": capacity value is negative");
    }

    @Test
    void theLastStepThatANumberCanSayMayBeHad() {
        scene.put(slice("s")
                .devices(device("d0")
                        .has("memory", "9223372036854775807", atLeast("1", "", "2", ""))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("memory", "9223372036854775806"))))
                .isEqualTo("r: d0 {memory=9223372036854775807}");
    }

    @ParameterizedTest
    @CsvSource({
        "250m, 200m, 1, 100m, 300m",
        "400m, 200m, 1, 100m, 400m",
        "100m, 200m, 1, 100m, 200m",
        "1.001, 1, '', 1, 2",
        "1.001, 500m, '', 500m, 1500m",
        "2, 1, '', 2, 3",
        "1100m, 200m, 1, 100m, cannot allocate all claims",
        "1.0000001, 500m, '', 500m, request 1000000100n is not a representable milli value",
        "9223372036854775806m, 100m, '', 100m,"
                + " rounding request 9223372036854775806m up to the next step passes the milli-value range",
    })
    void stepsMayBeFractions(String asked, String min, String max, String step, String given) {
        DeviceScene fractions = new DeviceScene(
                FeatureGates.with(CompatibilityLevel.V1_37, Map.of("DRAFractionalCapacityRange", true)));
        fractions.put(slice("s")
                .devices(device("d0")
                        .has("cores", "9223372036854775807", atLeast(min, max, step, ""))
                        .shared()));
        assertThat(fractions.devices(claim("c").wants(wanted("r").capacity("cores", asked))))
                .isIn(
                        given,
                        "r: d0 {cores=" + given + "}",
                        "error: capacity \"cores\": capacity request cannot be represented in the device's range"
                                + " arithmetic: " + given);
    }

    /** So they are where the gate is off. */
    @Test
    void fractionsOfStepsCountAsWholeOnes() {
        scene.put(slice("s")
                .devices(device("d0")
                        .has("cores", "4", atLeast("500m", "", "500m", ""))
                        .shared()));
        assertThat(scene.devices(claim("c").wants(wanted("r").capacity("cores", "1250m"))))
                .isEqualTo("r: d0 {cores=2}");
    }
}
