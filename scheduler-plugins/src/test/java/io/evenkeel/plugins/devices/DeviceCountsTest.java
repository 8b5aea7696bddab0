package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.DRIVER;
import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.deviceClass;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.devices.DeviceCounts.Partitioned;
import io.evenkeel.plugins.devices.DeviceCounts.Row;
import io.evenkeel.plugins.devices.DeviceCounts.State;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The counts of devices by driver, class and state, and how much of what partitions share is in pieces. */
class DeviceCountsTest {
    private static final long ALL = Long.MAX_VALUE;
    private final DeviceScene scene = new DeviceScene();

    private String counts() {
        return text(DeviceCounts.of(scene.cluster.view(), ALL));
    }

    private static String text(DeviceCounts counts) {
        return String.join(
                " | ",
                counts.rows().stream()
                        .map(row -> row.deviceClass() + " " + without0(row.states()))
                        .toList());
    }

    private static Map<State, Integer> without0(Map<State, Integer> states) {
        Map<State, Integer> present = new TreeMap<>(states);
        present.values().removeIf(count -> count == 0);
        return present;
    }

    @Test
    void aDeviceIsInTheRowOfEachClassThatSelectsIt() {
        scene.cluster.remove(deviceClass("any"));
        scene.put(slice("s").devices(device("d0").with("x", 1), device("d1").with("x", 2), device("d2")));
        assertThat(counts()).isEqualTo(" {FREE=3}");
        scene.put(deviceClass("one", "device.attributes['" + DRIVER + "'].x == 1"));
        scene.put(deviceClass("some", "has(device.attributes['" + DRIVER + "'].x)"));
        assertThat(counts()).isEqualTo("some {FREE=2} | one {FREE=1} |  {FREE=1}");
        scene.put(claim("c").has("pool/d0"));
        assertThat(counts()).isEqualTo("some {ALLOCATED=1, FREE=1} | one {ALLOCATED=1} |  {FREE=1}");
        scene.put(deviceClass("one", "device.attributes['" + DRIVER + "'].x == 2"));
        assertThat(counts()).isEqualTo("some {ALLOCATED=1, FREE=1} | one {FREE=1} |  {FREE=1}");
        scene.put(slice("s").devices(device("d1").with("x", 1)));
        assertThat(counts()).isEqualTo("some {FREE=1}");
    }

    @Test
    void eachStateHasItsDevices() {
        scene.put(
                slice("cards").pool("cut", 1, 2).counters("card", "memory", "4"),
                slice("parts")
                        .pool("cut", 1, 2)
                        .devices(
                                device("half").draws("card", "memory", "2"),
                                device("whole").draws("card", "memory", "4"),
                                device("ill").draws("card", "memory", "4").taint("k", "NoExecute")),
                slice("net")
                        .pool("net")
                        .devices(device("n0").has("bandwidth", "9").shared()),
                slice("part").pool("more", 1, 2).devices("d0"),
                slice("twice").pool("twice").devices("d0", "d0"),
                slice("old").pool("new", 1, 1).devices("d0"),
                slice("new").pool("new", 2, 1).devices("d1"));
        scene.put(
                claim("a").has("cut/half"),
                claim("b").has("net/n0/s/bandwidth/1"),
                claim("c").has("more/d1"));
        assertThat(counts()).isEqualTo("any {ALLOCATED=1, SHARED=1, UNUSABLE=3, TAINTED=1, BLOCKED=1, FREE=1}");
    }

    @Test
    void aRuleTaintsDevices() {
        DeviceScene ruled = new DeviceScene(Map.of("DRADeviceTaintRules", true));
        ruled.put(slice("s").devices("d0", "d1"));
        ruled.put(new DeviceTaintRule(
                ObjectMeta.named("", "rule"),
                Optional.of(new DeviceTaintRule.Selector("", "", "d1")),
                new DeviceTaint("k", "", "NoSchedule", "")));
        assertThat(text(DeviceCounts.of(ruled.cluster.view(), ALL))).isEqualTo("any {TAINTED=1, FREE=1}");
    }

    @Test
    void whatIsFreeIsInPiecesWhereSomethingIsTakenOfACard() {
        scene.put(
                slice("cards")
                        .pool("cut", 1, 2)
                        .counters("a", "memory", "4", "cores", "2")
                        .counters("b", "memory", "4", "cores", "2"),
                slice("parts")
                        .pool("cut", 1, 2)
                        .devices(
                                device("half").draws("a", "memory", "2"),
                                device("other").draws("b", "memory", "4")));
        assertThat(partitioned()).isEqualTo(new Partitioned(DRIVER, 2, 2, 2));
        assertThat(partitioned().fragmentation()).isZero();
        scene.put(claim("c").has("cut/half"));
        assertThat(partitioned()).isEqualTo(new Partitioned(DRIVER, 2, 1, 1.75));
        assertThat(partitioned().fragmentation()).isCloseTo(0.75 / 1.75, within(1e-9));
        scene.put(claim("d").has("cut/other"));
        assertThat(partitioned().fragmentation()).isEqualTo(1);
    }

    private Partitioned partitioned() {
        return DeviceCounts.of(scene.cluster.view(), ALL).partitioned().getFirst();
    }

    /** The first count of many devices takes several turns, and none of them much longer than it may. */
    @Test
    void aCountThatIsNotFinishedGoesOn() {
        for (int i = 0; i < 10; i++) {
            scene.put(slice("s" + i).pool("p" + i).devices("d0", "d1"));
        }
        scene.put(deviceClass("any", "device.driver == '" + DRIVER + "'"));
        assertThat(DeviceCounts.of(scene.cluster.view(), 8)).isEqualTo(DeviceCounts.NONE);
        int turns = 1;
        while (DeviceCounts.of(scene.cluster.view(), 8).rows().isEmpty()) {
            turns++;
        }
        assertThat(turns).isBetween(3, 20);
        assertThat(text(DeviceCounts.of(scene.cluster.view(), 8))).isEqualTo("any {FREE=20}");
    }

    @Test
    void manyDriversAndClassesAreLeftOut() {
        for (int i = 0; i < 130; i++) {
            scene.put(slice("s" + i).driver("d" + i + ".example.com").devices("d0"));
            scene.put(deviceClass("c" + i, "device.driver == 'none'"));
        }
        DeviceCounts counts = DeviceCounts.of(scene.cluster.view(), ALL);
        assertThat(counts.rows()).hasSize(100);
        assertThat(counts.leftOut()).isEqualTo(130 - 100 + 131 - 100);
    }

    @Test
    void aClusterWithoutDevicesKeepsNothingForThem() {
        ClusterState bare = new ClusterState(FeatureGates.with(Map.of()));
        bare.put(NodeBuilder.node("n").build());
        assertThat(DeviceCounts.of(bare.view(), ALL)).isSameAs(DeviceCounts.NONE);
    }

    /**
     * Recounts from the objects alone.
     *
     * @param more allocations that no object shows yet
     * @param selects whether a class selects a device
     */
    static void assertCounted(
            DeviceScene scene, List<DeviceAllocation> more, BiPredicate<DeviceClass, Device> selects, String what) {
        List<ResourceSlice> slices = all(scene, "ResourceSlice", ResourceSlice.class);
        List<DeviceClass> classes = all(scene, "DeviceClass", DeviceClass.class);
        Set<String> whole = new HashSet<>();
        Set<String> shared = new HashSet<>();
        Stream.concat(
                        all(scene, "ResourceClaim", ResourceClaim.class).stream()
                                .flatMap(claim -> claim.allocation().stream()),
                        more.stream())
                .flatMap(allocation -> allocation.results().stream())
                .filter(result -> !result.admin())
                .forEach(result ->
                        (result.shareId().isEmpty() ? whole : shared).add(result.pool() + "/" + result.device()));
        Map<String, Quantity> total = new TreeMap<>();
        slices.forEach(slice -> slice.sharedCounters()
                .forEach(set -> set.counters()
                        .forEach((name, value) ->
                                total.put(slice.pool().name() + "/" + set.name() + "/" + name, value))));
        Map<String, Quantity> left = new HashMap<>(total);
        slices.forEach(slice -> slice.devices().stream()
                .filter(device -> whole.contains(id(slice, device)) || shared.contains(id(slice, device)))
                .forEach(device -> draws(slice, device)
                        .forEach((counter, amount) -> left.merge(counter, amount, Quantity::minus))));
        Map<String, Map<State, Integer>> rows = new TreeMap<>();
        for (ResourceSlice slice : slices) {
            for (Device device : slice.devices()) {
                Map<String, Quantity> draws = draws(slice, device);
                boolean overdrawn = left.entrySet().stream()
                        .anyMatch(each -> each.getKey().startsWith(slice.pool().name() + "/")
                                && each.getValue().signum() < 0);
                boolean blocked = draws.entrySet().stream()
                        .anyMatch(each -> overdrawn || left.get(each.getKey()).compareTo(each.getValue()) < 0);
                State state = whole.contains(id(slice, device))
                        ? State.ALLOCATED
                        : shared.contains(id(slice, device))
                                ? State.SHARED
                                : device.taints().isEmpty() ? blocked ? State.BLOCKED : State.FREE : State.TAINTED;
                List<String> of = new ArrayList<>(classes.stream()
                        .filter(each -> selects.test(each, device))
                        .map(DeviceClass::name)
                        .toList());
                if (of.isEmpty()) {
                    of.add("");
                }
                of.forEach(each -> rows.computeIfAbsent(each, _ -> new EnumMap<>(State.class))
                        .merge(state, 1, Integer::sum));
            }
        }
        DeviceCounts counts = DeviceCounts.of(scene.cluster.view(), ALL);
        Map<String, Map<State, Integer>> counted = new TreeMap<>();
        for (Row row : counts.rows()) {
            assertThat(row.states()).hasSize(State.values().length);
            assertThat(counted.put(row.deviceClass(), without0(row.states()))).isNull();
        }
        assertThat(counted).as(what).isEqualTo(rows);
        Map<String, List<Double>> shares = new TreeMap<>();
        total.forEach((counter, amount) -> shares.computeIfAbsent(
                        counter.substring(0, counter.lastIndexOf('/')), _ -> new ArrayList<>())
                .add(Math.max(0, left.get(counter).doubleValue()) / amount.doubleValue()));
        List<Double> means = shares.values().stream()
                .map(each ->
                        each.stream().mapToDouble(Double::doubleValue).average().orElse(1))
                .toList();
        double free = means.stream().mapToDouble(Double::doubleValue).sum();
        long untouched = means.stream().filter(mean -> mean == 1).count();
        assertThat(counts.partitioned().stream().map(DeviceCountsTest::rounded).toList())
                .as(what)
                .isEqualTo(
                        means.isEmpty()
                                ? List.of()
                                : List.of(rounded(
                                        new Partitioned(DRIVER, means.size(), Math.toIntExact(untouched), free))));
    }

    private static Partitioned rounded(Partitioned one) {
        return new Partitioned(one.driver(), one.sets(), one.whole(), Math.round(one.free() * 1e6) / 1e6);
    }

    private static String id(ResourceSlice slice, Device device) {
        return slice.pool().name() + "/" + device.name();
    }

    private static Map<String, Quantity> draws(ResourceSlice slice, Device device) {
        Map<String, Quantity> draws = new HashMap<>();
        device.consumes()
                .forEach(use -> use.counters()
                        .forEach((counter, amount) ->
                                draws.put(slice.pool().name() + "/" + use.counterSet() + "/" + counter, amount)));
        return draws;
    }

    private static <T> List<T> all(DeviceScene scene, String kind, Class<T> type) {
        return scene.cluster.view().objects().all(kind).stream().map(type::cast).toList();
    }
}
