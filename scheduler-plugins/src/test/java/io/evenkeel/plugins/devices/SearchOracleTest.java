package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.atLeast;
import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.nodesWith;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceNodes;
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
import java.util.Comparator;
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
    private static final List<String> POOLS = List.of("each", "n1", "n2", "n3", "net", "zone");
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 300);

    /** Thinks at once of what need not be tried. */
    private static final Effort SPARING = new Effort(0, Effort.USUAL.most());

    private DeviceScene scene = new DeviceScene();
    private Random random = new Random(0);
    private Twist twist = Twist.RULES;

    /**
     * What makes a seed hard, beside alternatives, all devices, administration and conditions; not all at once but where the reference
     * no longer keeps what it should give back.
     */
    private enum Twist {
        /** Taints and constraints. */
        RULES,
        COUNTERS,
        SHARES,
        ALL;

        private static final List<Twist> SINGLE = List.of(RULES, COUNTERS, SHARES);

        boolean has(Twist part) {
            return this == part || this == ALL;
        }
    }

    static LongStream seeds() {
        return Rotation.seeds(12);
    }

    @Rotated(3)
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theFirstOfAllCombinationsIsFound(long seed) {
        start(seed);
        theFirstIsFound(seed);
    }

    @Rotated(3)
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whereAllIsMendedItIsFoundWhateverComesTogether(long seed) {
        scene = new DeviceScene(FeatureGates.DEFAULTS.at(CompatibilityLevel.V1_38));
        start(seed, Twist.ALL);
        theFirstIsFound(seed);
    }

    private void theFirstIsFound(long seed) {
        int found = 0;
        int none = 0;
        for (int step = 0; step < STEPS; step++) {
            change();
            ClaimBuilder[] claims = askingClaims();
            String node = "n" + (1 + random.nextInt(3));
            String expected =
                    new Naive(scene.cluster.view().nodes().node(scene.node(node)), DeviceScene.claims(claims)).first();
            String what = "seed " + seed + "L, step " + step + " on " + node;
            assertThat(scene.devicesOn(node, claims)).as(what).isEqualTo(expected);
            Answer sparing = scene.book.allocate(DeviceScene.claims(claims), scene.node(node), SPARING);
            assertThat(DeviceScene.text(sparing)).as(what).isEqualTo(expected);
            found += expected.equals(Answer.CANNOT) || expected.startsWith("error") ? 0 : 1;
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
            asking.add(askingClaim("asking-" + i, 2).build());
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
        start(seed, Twist.SINGLE.get(Math.floorMod(seed, Twist.SINGLE.size())));
    }

    private void start(long seed, Twist hard) {
        random = new Random(seed);
        twist = hard;
        scene.put(NodeBuilder.node("n3").label("zone", "a").build());
        scene.put(DeviceObjects.deviceClass(
                "zero", "device.attributes['" + DeviceObjects.DRIVER + "'].?x.orValue(9) == 0"));
        POOLS.forEach(this::putPool);
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
            compareAnswers(askingClaim("asking", 2).build(), "supposed");
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
        if (verdicts.failure().isPresent()) {
            assertThat(scene.book.allocate(
                            List.of(claim), verdicts.failure().get().node()))
                    .as(what)
                    .isInstanceOf(Answer.Failed.class);
            return;
        }
        for (int node = all.first(); node >= 0; node = all.next(node + 1)) {
            boolean found = scene.book.allocate(List.of(claim), node) instanceof Answer.Found;
            assertThat(verdicts.possible().contains(node)).as(what).isEqualTo(found);
        }
    }

    private void change() {
        String pool = POOLS.get(random.nextInt(POOLS.size()));
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
        SliceBuilder devices = slice(pool).pool(pool, 1, twist.has(Twist.COUNTERS) ? 2 : 1);
        switch (pool) {
            case "each" -> devices.perDevice();
            case "net" -> {}
            case "zone" -> devices.on(nodesWith("zone", "a"));
            default -> devices.on(pool);
        }
        int many = random.nextInt(pool.startsWith("n") && !pool.equals("net") ? 5 : 3);
        for (int i = 0; i < many; i++) {
            DeviceBuilder device = device(pool + "-d" + i);
            if (pool.equals("each")) {
                switch (random.nextInt(3)) {
                    case 0 -> device.everywhere();
                    case 1 -> device.on("n" + (1 + random.nextInt(3)));
                    default -> device.on(nodesWith("zone", "b"));
                }
            }
            if (random.nextInt(8) == 0) {
                device.conditions("Ready", "Lost");
            }
            if (random.nextInt(6) > 0) {
                device.with("x", random.nextInt(3));
            }
            if (twist.has(Twist.RULES) && random.nextInt(5) == 0) {
                device.taint("k", "NoSchedule");
            }
            if (twist.has(Twist.COUNTERS)) {
                device.draws("card-" + random.nextInt(2), "memory", "" + (1 + random.nextInt(3)));
            }
            if (twist.has(Twist.SHARES)) {
                device.has("memory", "" + (4 + random.nextInt(4)), atLeast("1", "", "", "2"));
                if (random.nextBoolean()) {
                    device.shared();
                }
            }
            devices.devices(device);
        }
        if (twist.has(Twist.COUNTERS)) {
            scene.put(slice(pool + "-counters")
                    .pool(pool, 1, 2)
                    .counters("card-0", "memory", "" + (1 + random.nextInt(5)))
                    .counters("card-1", "memory", "4"));
        }
        scene.put(devices);
    }

    /** Up to four; the more there are, the less each wants. */
    private ClaimBuilder[] askingClaims() {
        ClaimBuilder[] claims = new ClaimBuilder[1 + random.nextInt(4)];
        for (int i = 0; i < claims.length; i++) {
            claims[i] = askingClaim("asking-" + i, claims.length < 3 ? 2 : 1);
        }
        return claims;
    }

    private ClaimBuilder askingClaim(String name, int most) {
        ClaimBuilder claim = claim(name);
        boolean unlike = twist.has(Twist.RULES) && random.nextInt(3) == 0;
        int requests = 1 + random.nextInt(unlike ? 2 : most);
        int mostOfEach = unlike && twist != Twist.ALL ? 1 : most;
        for (int i = 0; i < requests; i++) {
            if (random.nextInt(4) == 0) {
                claim.wantsFirstOf("r" + i, wish("p", mostOfEach), wish("q", mostOfEach));
            } else {
                claim.wants(wish("r" + i, mostOfEach));
            }
        }
        String[] all = {};
        String[] of = random.nextBoolean() ? all : new String[] {"r1", random.nextBoolean() ? "r0" : "r0/p"};
        if (unlike) {
            claim.unlike(ATTRIBUTE, of);
        }
        if (twist.has(Twist.RULES) && random.nextInt(3) == 0) {
            claim.alike(ATTRIBUTE, random.nextBoolean() ? all : of);
        }
        return claim;
    }

    private WantedBuilder wish(String name, int most) {
        WantedBuilder wish = wanted(name).count(1 + random.nextInt(most));
        if (most > 1 && random.nextInt(6) == 0) {
            wish.all();
        }
        if (random.nextInt(6) == 0) {
            wish.admin();
        }
        if (random.nextInt(3) == 0) {
            wish.where("device.attributes['" + DeviceObjects.DRIVER + "'].?x.orValue(9) == " + random.nextInt(3));
        }
        if (twist.has(Twist.RULES) && random.nextInt(3) == 0) {
            wish.tolerates("k");
        }
        if (twist.has(Twist.SHARES) && random.nextBoolean()) {
            wish.capacity("memory", "" + (1 + random.nextInt(5)));
        }
        return wish;
    }

    /**
     * Tries all combinations of devices in their order, and checks all that has been chosen after each choice: what is wrong then
     * does not get right by more.
     */
    private final class Naive {
        private final List<ResourceClaim> claims;
        private final List<Candidate> devices = new ArrayList<>();
        private final Set<String> whole = new HashSet<>();
        private final Map<String, Quantity> shares = new TreeMap<>();
        private final Map<String, Quantity> counters = new TreeMap<>();
        private final List<Use> uses = new ArrayList<>();
        private String error = "";

        private record Candidate(String pool, Device device) {}

        private record Use(int claim, String request, Wanted wanted, Candidate candidate) {
            Device device() {
                return candidate.device();
            }

            boolean isOf(ResourceClaim.Constraint constraint) {
                String parent = request.contains("/") ? request.substring(0, request.indexOf('/')) : request;
                return constraint.requests().isEmpty()
                        || constraint.requests().contains(parent)
                        || constraint.requests().contains(request);
            }

            Optional<Attribute> x() {
                return Optional.ofNullable(device().attributes().get("x"));
            }
        }

        Naive(Node node, List<ResourceClaim> claims) {
            this.claims = claims;
            List<ResourceSlice> slices = scene.cluster.view().objects().all("ResourceSlice").stream()
                    .map(ResourceSlice.class::cast)
                    .sorted(Comparator.comparing(Naive::isConditional)
                            .thenComparing(slice -> slice.pool().name()))
                    .toList();
            scene.cluster.view().objects().all("ResourceClaim").stream()
                    .map(ResourceClaim.class::cast)
                    .flatMap(claim -> claim.allocation().stream())
                    .flatMap(allocation -> allocation.results().stream())
                    .forEach(this::hold);
            for (ResourceSlice slice : slices) {
                String pool = slice.pool().name();
                slice.sharedCounters()
                        .forEach(set -> set.counters()
                                .forEach((counter, value) ->
                                        counters.merge(pool + set.name() + counter, value, Quantity::plus)));
                for (Device device : slice.devices()) {
                    if (shares.containsKey(device.name()) && !device.shared() && twist == Twist.ALL) {
                        whole.add(device.name()); // it is not to be shared any more
                    }
                    if (isHeld(device)) {
                        draw(pool, device, counters);
                    }
                    if (reaches(slice.perDevice() ? device.nodes() : slice.nodes(), node)) {
                        devices.add(new Candidate(pool, device));
                    }
                }
            }
        }

        private boolean isHeld(Device device) {
            return whole.contains(device.name()) || shares.containsKey(device.name());
        }

        private static boolean isConditional(ResourceSlice slice) {
            return slice.devices().stream()
                    .anyMatch(device -> !device.bindingConditions().isEmpty());
        }

        private static boolean reaches(DeviceNodes where, Node node) {
            return where.all()
                    || where.name().equals(node.name())
                    || where.selector()
                            .filter(selector -> selector.matches(node.labels(), node.name()))
                            .isPresent();
        }

        private void hold(DeviceAllocation.Result result) {
            if (result.shareId().isEmpty()) {
                whole.add(result.device());
            } else {
                shares.merge(result.device(), Quantity.of(2), Quantity::plus);
            }
        }

        String first() {
            boolean found = tryRequest(0, 0);
            return error.isEmpty() ? found ? text() : Answer.CANNOT : "error: " + error;
        }

        private String text() {
            List<String> parts = new ArrayList<>();
            for (int claim = 0; claim < claims.size(); claim++) {
                int number = claim;
                parts.add(String.join(
                        ", ",
                        uses.stream()
                                .filter(use -> use.claim() == number)
                                .map(use -> use.request() + ": " + use.device().name()
                                        + (use.device().shared() ? " {memory=" + amount(use) + "}" : ""))
                                .toList()));
            }
            return String.join(" | ", parts);
        }

        /** Whether the search ends here: all is found, or there is an error. */
        private boolean tryRequest(int claim, int request) {
            if (claim == claims.size()) {
                return true;
            }
            List<DeviceRequest> requests = claims.get(claim).spec().requests();
            if (request == requests.size()) {
                return tryRequest(claim + 1, 0);
            }
            DeviceRequest asked = requests.get(request);
            for (Wanted wanted : asked.alternatives()) {
                String name = asked.name() + (asked.prioritized() ? "/" + wanted.name() : "");
                boolean ends = wanted.mode().equals("All")
                        ? tryAll(claim, request, name, wanted)
                        : tryDevices(claim, request, name, wanted, wanted.count(), 0);
                if (ends) {
                    return true;
                }
            }
            return false;
        }

        private boolean tryDevices(int claim, int request, String name, Wanted wanted, long more, int start) {
            if (more == 0) {
                return tryRequest(claim, request + 1);
            }
            for (int i = start; i < devices.size(); i++) {
                Use use = new Use(claim, name, wanted, devices.get(i));
                if (suits(wanted, use.device())) {
                    uses.add(use);
                    if (isRight()
                            && rulesHold(claim)
                            && hasRoom()
                            && tryDevices(claim, request, name, wanted, more - 1, i + 1)) {
                        return true;
                    }
                    uses.removeLast();
                }
            }
            return false;
        }

        /**
         * All that suit, be they free or not; they are wanted together or not at all. Where all is mended, this holds of those that
         * have too little left, too.
         */
        private boolean tryAll(int claim, int request, String name, Wanted wanted) {
            List<Use> all = devices.stream()
                    .filter(candidate -> suits(wanted, candidate.device()))
                    .map(candidate -> new Use(claim, name, wanted, candidate))
                    .filter(use -> use.device().capacity().isEmpty()
                            || isLeft(use, twist == Twist.ALL ? Quantity.ZERO : shareOf(use.device())))
                    .toList();
            int before = uses.size();
            boolean right = !all.isEmpty();
            for (int i = 0; i < all.size() && right; i++) {
                uses.add(all.get(i));
                right = isRight();
                if (right && !rulesHold(claim)) {
                    error = "claim " + claims.get(claim).key() + ", request " + wantedName(name)
                            + ": cannot add device "
                            + DeviceObjects.DRIVER + "/"
                            + all.get(i).candidate().pool() + "/"
                            + all.get(i).device().name() + " because a claim constraint would not be satisfied";
                    return true;
                }
                right &= hasRoom();
            }
            if (right && tryRequest(claim, request + 1)) {
                return true;
            }
            while (uses.size() > before) {
                uses.removeLast();
            }
            return false;
        }

        private static String wantedName(String name) {
            return name.substring(name.indexOf('/') + 1);
        }

        private boolean suits(Wanted wanted, Device device) {
            if (wanted.selectors().isEmpty()) {
                return true;
            }
            String selector = wanted.selectors().getFirst();
            return device.attributes().get("x") instanceof Attribute.Int(long x) && selector.endsWith("== " + x);
        }

        private boolean isLeft(Use use, Quantity others) {
            return amount(use)
                            .plus(others)
                            .compareTo(use.device().capacity().get("memory").value())
                    <= 0;
        }

        private Quantity shareOf(Device device) {
            return shares.getOrDefault(device.name(), Quantity.ZERO);
        }

        private Quantity amount(Use use) {
            return use.wanted().capacity().getOrDefault("memory", Quantity.of(2));
        }

        /** Whether what was chosen last can be had beside all else, whatever constraints say and capacity is left. */
        private boolean isRight() {
            Use last = uses.getLast();
            Device device = last.device();
            boolean admin = last.wanted().admin();
            if (!device.taints().isEmpty() && last.wanted().tolerations().isEmpty()) {
                return false;
            }
            if (!admin && whole.contains(device.name())) {
                return false;
            }
            Map<String, Quantity> left = new TreeMap<>(counters);
            for (int i = 0; i < uses.size(); i++) {
                Use use = uses.get(i);
                if (draws(i)) {
                    draw(use.candidate().pool(), use.device(), left);
                }
                if (use != last
                        && use.device() == device
                        && !device.shared()
                        && (!admin || use.claim() == last.claim())) {
                    return false;
                }
            }
            if (!draws(uses.size() - 1)) {
                return true;
            }
            // a pool is not drawn on where any of its counters is short
            boolean isShort = left.entrySet().stream()
                    .anyMatch(each -> each.getKey().startsWith(last.candidate().pool() + "card")
                            && each.getValue().signum() < 0);
            return !isShort;
        }

        /** Those who share a device draw once. */
        private boolean draws(int use) {
            Device device = uses.get(use).device();
            return !device.shared()
                    || (!isHeld(device)
                            && uses.subList(0, use).stream().noneMatch(before -> before.device() == device));
        }

        /** Whether what was chosen last has its capacity. */
        private boolean hasRoom() {
            Use last = uses.getLast();
            Device device = last.device();
            Quantity others = shareOf(device);
            for (Use other : uses.subList(0, uses.size() - 1)) {
                if (other.device() == device && device.shared()) {
                    others = others.plus(amount(other));
                }
            }
            return device.capacity().isEmpty() || isLeft(last, others);
        }

        private static void draw(String pool, Device device, Map<String, Quantity> left) {
            device.consumes()
                    .forEach(use -> use.counters()
                            .forEach((counter, amount) -> left.merge(
                                    pool + use.counterSet() + counter, Quantity.ZERO.minus(amount), Quantity::plus)));
        }

        private boolean rulesHold(int claim) {
            for (ResourceClaim.Constraint constraint : claims.get(claim).spec().constraints()) {
                List<Optional<Attribute>> values = uses.stream()
                        .filter(use -> use.claim() == claim && use.isOf(constraint))
                        .map(Use::x)
                        .toList();
                int different = Set.copyOf(values).size();
                if (values.contains(Optional.<Attribute>empty())
                        || (constraint.distinct() ? different < values.size() : different > 1)) {
                    return false;
                }
            }
            return true;
        }
    }
}
