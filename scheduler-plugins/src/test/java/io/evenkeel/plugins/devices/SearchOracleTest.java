package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.atLeast;
import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.DeviceBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.SliceBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.WantedBuilder;
import io.evenkeel.plugins.devices.Search.Effort;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The search finds the first of all combinations that are right, as one finds it who tries them all and checks each as a whole;
 * and whatever happens to slices, claims and nodes, what is kept equals a recount, and what was supposed leaves no trace.
 */
class SearchOracleTest {
    private static final String ATTRIBUTE = DeviceObjects.DRIVER + "/x";
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 300);

    /** Thinks at once of what need not be tried. */
    private static final Effort SPARING = new Effort(0, Effort.USUAL.most());

    private final DeviceScene scene = new DeviceScene();
    private Random random = new Random(0);
    private Twist twist = Twist.RULES;

    /** What makes a seed hard; not all at once, as the reference then keeps what it should give back. */
    private enum Twist {
        RULES,
        COUNTERS,
        SHARES
    }

    static LongStream seeds() {
        return Rotation.seeds(12);
    }

    @Rotated(3)
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theFirstOfAllCombinationsIsFound(long seed) {
        start(seed);
        int found = 0;
        int none = 0;
        for (int step = 0; step < STEPS; step++) {
            change();
            ClaimBuilder[] claims = new ClaimBuilder[1 + random.nextInt(2)];
            for (int i = 0; i < claims.length; i++) {
                claims[i] = askingClaim("asking-" + i);
            }
            String node = "n" + (1 + random.nextInt(3));
            String expected = new Naive(node, DeviceScene.claims(claims)).first();
            String what = "seed " + seed + "L, step " + step + " on " + node;
            assertThat(scene.devicesOn(node, claims)).as(what).isEqualTo(expected);
            Answer sparing = scene.book.allocate(DeviceScene.claims(claims), scene.node(node), SPARING);
            assertThat(DeviceScene.text(sparing)).as(what).isEqualTo(expected);
            found += expected.equals(Answer.CANNOT) ? 0 : 1;
            none += expected.equals(Answer.CANNOT) ? 1 : 0;
        }
        assertThat(found).isGreaterThan(STEPS / 20);
        assertThat(none).isGreaterThan(STEPS / 20);
    }

    @Rotated(3)
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsKeptEqualsARecount(long seed) {
        start(seed);
        List<ResourceClaim> asking = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            asking.add(askingClaim("asking-" + i).build());
        }
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(6)) {
                case 0 -> suppose();
                case 1 -> decide(asking.get(random.nextInt(4)));
                default -> change();
            }
            if (step % 2 == 0) {
                compareAnswers(asking.get(random.nextInt(4)), "seed " + seed + "L, step " + step);
            }
            assertThat(scene.audit()).as("seed " + seed + "L, step " + step).isEmpty();
            DeviceCountsTest.assertCounted(
                    scene,
                    asking.stream()
                            .flatMap(claim -> scene.book.assumed(claim).stream())
                            .toList(),
                    (deviceClass, device) -> !deviceClass.name().equals("zero")
                            || new Attribute.Int(0).equals(device.attributes().get("x")),
                    "seed " + seed + "L, step " + step);
        }
    }

    @Test
    void whatHasFailedWithAnotherValueIsTriedAgain() {
        scene.put(slice("s")
                .devices(
                        device("d0").with("x", 1),
                        device("d1").with("x", 0),
                        device("d2").with("x", 0)));
        List<ResourceClaim> claims = DeviceScene.claims(
                claim("a").wants(wanted("r")),
                claim("b").wants(wanted("s"), wanted("t")).unlike(ATTRIBUTE));
        Answer sparing = scene.book.allocate(claims, scene.node("n1"), SPARING);
        assertThat(DeviceScene.text(sparing)).isEqualTo("r: d1 | s: d0, t: d2");
    }

    private void start(long seed) {
        random = new Random(seed);
        twist = Twist.values()[Math.floorMod(seed, Twist.values().length)];
        scene.put(NodeBuilder.node("n3").label("zone", "a").build());
        scene.put(DeviceObjects.deviceClass(
                "zero", "device.attributes['" + DeviceObjects.DRIVER + "'].?x.orValue(9) == 0"));
        for (String pool : List.of("n1", "n2", "n3", "net")) {
            putPool(pool);
        }
    }

    private void suppose() {
        String before = ClusterDump.of(scene.cluster.view());
        try (WhatIf supposed = scene.cluster.whatIf()) {
            supposed.add(slice("z").pool("z").on("n1").devices("z-d0", "z-d1").build());
            supposed.add(claim("supposed")
                    .has("z/z-d0", "n1/n1-d0", "net/net-d0/s/memory/1")
                    .build());
            supposed.removeNode("n2");
            supposed.put(NodeBuilder.node("n3").label("zone", "c").build());
            compareAnswers(askingClaim("asking").build(), "supposed");
        }
        assertThat(ClusterDump.of(scene.cluster.view())).isEqualTo(before);
    }

    private void decide(ResourceClaim claim) {
        int node = scene.node("n" + (1 + random.nextInt(3)));
        if (scene.book.assumed(claim).isPresent()) {
            scene.book.forget(claim);
        } else if (scene.book.allocate(List.of(claim), node) instanceof Answer.Found(var allocations)) {
            scene.book.assume(claim, allocations.getFirst());
        }
    }

    private void compareAnswers(ResourceClaim claim, String what) {
        NodeSet all = new NodeSet();
        all.addAll(scene.cluster.view().nodes().present());
        DeviceBook.Verdicts verdicts = scene.book.verdicts(List.of(claim), all, scene.book.budget());
        for (int node = all.first(); node >= 0; node = all.next(node + 1)) {
            boolean found = scene.book.allocate(List.of(claim), node) instanceof Answer.Found;
            assertThat(verdicts.possible().contains(node)).as(what).isEqualTo(found);
        }
    }

    private void change() {
        String pool = List.of("n1", "n2", "n3", "net").get(random.nextInt(4));
        switch (random.nextInt(8)) {
            case 0 -> putPool(pool);
            case 1 ->
                scene.put(NodeBuilder.node("n3")
                        .label("zone", random.nextBoolean() ? "a" : "b")
                        .build());
            case 2 -> scene.cluster.remove(claim("held-" + random.nextInt(6)).build());
            default -> hold(pool);
        }
    }

    private void hold(String pool) {
        Optional<ResourceSlice> slice = scene.cluster.view().objects().all("ResourceSlice").stream()
                .map(ResourceSlice.class::cast)
                .filter(each ->
                        each.pool().name().equals(pool) && !each.devices().isEmpty())
                .findFirst();
        if (slice.isPresent()) {
            Device device = slice.get()
                    .devices()
                    .get(random.nextInt(slice.get().devices().size()));
            String name = "held-" + random.nextInt(6);
            scene.put(claim(name).has(pool + "/" + device.name() + (device.shared() ? "/" + name + "/memory/2" : "")));
        }
    }

    private void putPool(String pool) {
        SliceBuilder devices = slice(pool).pool(pool, 1, twist == Twist.COUNTERS ? 2 : 1);
        if (!pool.equals("net")) {
            devices.on(pool);
        }
        int many = random.nextInt(pool.equals("net") ? 3 : 5);
        for (int i = 0; i < many; i++) {
            DeviceBuilder device = device(pool + "-d" + i);
            if (random.nextInt(6) > 0) {
                device.with("x", random.nextInt(3));
            }
            switch (twist) {
                case RULES -> {
                    if (random.nextInt(5) == 0) {
                        device.taint("k", "NoSchedule");
                    }
                }
                case COUNTERS -> device.draws("card-" + random.nextInt(2), "memory", "" + (1 + random.nextInt(3)));
                case SHARES -> {
                    device.has("memory", "" + (4 + random.nextInt(4)), atLeast("1", "", "", "2"));
                    if (random.nextBoolean()) {
                        device.shared();
                    }
                }
            }
            devices.devices(device);
        }
        if (twist == Twist.COUNTERS) {
            scene.put(slice(pool + "-counters")
                    .pool(pool, 1, 2)
                    .counters("card-0", "memory", "" + (1 + random.nextInt(5)))
                    .counters("card-1", "memory", "4"));
        }
        scene.put(devices);
    }

    private ClaimBuilder askingClaim(String name) {
        ClaimBuilder claim = claim(name);
        int requests = 1 + random.nextInt(2);
        for (int i = 0; i < requests; i++) {
            if (random.nextInt(4) == 0) {
                claim.wantsFirstOf("r" + i, wish("p"), wish("q"));
            } else {
                claim.wants(wish("r" + i));
            }
        }
        if (twist == Twist.RULES && random.nextBoolean()) {
            claim.alike(ATTRIBUTE);
        }
        return claim;
    }

    private WantedBuilder wish(String name) {
        WantedBuilder wish = wanted(name).count(1 + random.nextInt(2));
        if (random.nextInt(3) == 0) {
            wish.where("device.attributes['" + DeviceObjects.DRIVER + "'].?x.orValue(9) == " + random.nextInt(3));
        }
        if (twist == Twist.RULES && random.nextInt(3) == 0) {
            wish.tolerates("k");
        }
        if (twist == Twist.SHARES && random.nextBoolean()) {
            wish.capacity("memory", "" + (1 + random.nextInt(5)));
        }
        return wish;
    }

    /** Tries all combinations of devices in their order, and checks each as a whole. */
    private final class Naive {
        private final List<ResourceClaim> claims;
        private final List<Candidate> devices = new ArrayList<>();
        private final Map<String, Quantity> counters = new TreeMap<>();

        private record Candidate(String pool, Device device) {}

        private record Use(int claim, String request, Wanted wanted, Candidate candidate) {}

        Naive(String node, List<ResourceClaim> claims) {
            this.claims = claims;
            List<ResourceSlice> slices = scene.cluster.view().objects().all("ResourceSlice").stream()
                    .map(ResourceSlice.class::cast)
                    .sorted(java.util.Comparator.comparing(slice -> slice.pool().name()))
                    .toList();
            for (ResourceSlice slice : slices) {
                slice.sharedCounters()
                        .forEach(set -> set.counters().forEach((counter, value) -> {
                            counters.put(slice.pool().name() + set.name() + counter, value);
                        }));
                if (slice.nodes().all() || slice.nodes().name().equals(node)) {
                    slice.devices()
                            .forEach(each ->
                                    devices.add(new Candidate(slice.pool().name(), each)));
                }
            }
        }

        String first() {
            List<Use> uses = new ArrayList<>();
            return tryRequest(0, 0, uses) ? text(uses) : Answer.CANNOT;
        }

        private String text(List<Use> uses) {
            List<String> parts = new ArrayList<>();
            for (int claim = 0; claim < claims.size(); claim++) {
                int number = claim;
                parts.add(String.join(
                        ", ",
                        uses.stream()
                                .filter(use -> use.claim() == number)
                                .map(use -> use.request() + ": "
                                        + use.candidate().device().name()
                                        + (use.candidate().device().shared() ? " {memory=" + amount(use) + "}" : ""))
                                .toList()));
            }
            return String.join(" | ", parts);
        }

        private boolean tryRequest(int claim, int request, List<Use> uses) {
            if (claim == claims.size()) {
                return isRight(uses);
            }
            List<DeviceRequest> requests = claims.get(claim).spec().requests();
            if (request == requests.size()) {
                return tryRequest(claim + 1, 0, uses);
            }
            DeviceRequest asked = requests.get(request);
            for (Wanted wanted : asked.alternatives()) {
                String name = asked.name() + (asked.prioritized() ? "/" + wanted.name() : "");
                if (tryDevices(claim, request, name, wanted, wanted.count(), 0, uses)) {
                    return true;
                }
            }
            return false;
        }

        private boolean tryDevices(
                int claim, int request, String name, Wanted wanted, long more, int start, List<Use> uses) {
            if (more == 0) {
                return tryRequest(claim, request + 1, uses);
            }
            for (int i = start; i < devices.size(); i++) {
                uses.add(new Use(claim, name, wanted, devices.get(i)));
                if (tryDevices(claim, request, name, wanted, more - 1, i + 1, uses)) {
                    return true;
                }
                uses.removeLast();
            }
            return false;
        }

        private Quantity amount(Use use) {
            Quantity wanted = use.wanted().capacity().get("memory");
            boolean limited =
                    use.candidate().device().capacity().get("memory").policy().isPresent();
            return wanted == null ? Quantity.of(limited ? 2 : 0) : wanted;
        }

        private boolean isRight(List<Use> uses) {
            Map<String, Quantity> left = new TreeMap<>(counters);
            Set<String> whole = new HashSet<>();
            Map<String, Quantity> shares = new TreeMap<>();
            scene.cluster.view().objects().all("ResourceClaim").stream()
                    .map(ResourceClaim.class::cast)
                    .flatMap(claim -> claim.allocation().stream())
                    .flatMap(allocation -> allocation.results().stream())
                    .forEach(result -> {
                        if (result.shareId().isEmpty()) {
                            whole.add(result.device());
                        } else {
                            shares.merge(result.device(), Quantity.of(2), Quantity::plus);
                        }
                    });
            for (ResourceSlice slice : scene.cluster.view().objects().all("ResourceSlice").stream()
                    .map(ResourceSlice.class::cast)
                    .toList()) {
                for (Device device : slice.devices()) {
                    if (whole.contains(device.name())) {
                        draw(slice.pool().name(), device, left);
                    }
                }
            }
            for (Use use : uses) {
                Device device = use.candidate().device();
                if (!selects(use.wanted(), device)
                        || (!device.taints().isEmpty()
                                && use.wanted().tolerations().isEmpty())) {
                    return false;
                }
                if (device.shared() ? whole.contains(device.name()) : !whole.add(device.name())) {
                    return false;
                }
                if (!device.capacity().isEmpty()) {
                    Quantity sum = shares.merge(device.name(), amount(use), Quantity::plus);
                    if (sum.compareTo(device.capacity().get("memory").value()) > 0) {
                        return false;
                    }
                }
                draw(use.candidate().pool(), device, left);
            }
            // a pool is not drawn on where any of its counters is short
            for (Use use : uses) {
                for (Map.Entry<String, Quantity> each : left.entrySet()) {
                    if (each.getKey().startsWith(use.candidate().pool() + "card")
                            && each.getValue().signum() < 0) {
                        return false;
                    }
                }
            }
            return rulesHold(uses);
        }

        private void draw(String pool, Device device, Map<String, Quantity> left) {
            device.consumes()
                    .forEach(use -> use.counters().forEach((counter, amount) -> {
                        left.merge(pool + use.counterSet() + counter, amount, Quantity::minus);
                    }));
        }

        private boolean selects(Wanted wanted, Device device) {
            if (wanted.selectors().isEmpty()) {
                return true;
            }
            String selector = wanted.selectors().getFirst();
            return device.attributes().get("x") instanceof Attribute.Int(long x) && selector.endsWith("== " + x);
        }

        private boolean rulesHold(List<Use> uses) {
            for (int claim = 0; claim < claims.size(); claim++) {
                int number = claim;
                List<Optional<Attribute>> values = uses.stream()
                        .filter(use -> use.claim() == number)
                        .map(use -> Optional.ofNullable(
                                use.candidate().device().attributes().get("x")))
                        .distinct()
                        .toList();
                boolean alike = !claims.get(claim).spec().constraints().isEmpty();
                if (alike && (values.size() > 1 || values.contains(Optional.<Attribute>empty()))) {
                    return false;
                }
            }
            return true;
        }
    }
}
