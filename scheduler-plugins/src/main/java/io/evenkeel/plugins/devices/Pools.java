package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.devices.Holdings.DeviceId;
import io.evenkeel.plugins.devices.Holdings.Holding;
import io.evenkeel.plugins.devices.Plan.Features;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools of devices that slices make up, and what a node can reach of them. A node's view is made when it is first asked for,
 * and again after a slice or the node's labels have changed.
 *
 * <pre>
 *   slices of pool p      generation 1: a, b     generation 2: c of 1
 *   node n reaches a      p counts as c alone    where n does not reach c it has nothing of p
 * </pre>
 */
final class Pools {
    private static final Comparator<Pool> BY_NAME =
            Comparator.comparing((Pool pool) -> pool.driver).thenComparing(pool -> pool.name);

    /** Devices that are bound under conditions are tried after all others. */
    private static final Comparator<Part> IN_ORDER =
            Comparator.comparing(Part::isConditional).thenComparing(Part::pool, BY_NAME);

    private final NodeTable nodes;
    private final Holdings holdings;
    private final boolean partitions;
    private final boolean countersHaveNodes;
    private final Changes changes;
    private final Map<String, Map<String, Pool>> byDriver = new HashMap<>();
    private final Map<String, Set<Published>> local = new HashMap<>();
    private final Set<Published> wide = new HashSet<>();
    private final TreeMap<Pool, Part> badEverywhere = new TreeMap<>(BY_NAME);
    private @Nullable Site[] sites = new Site[64];
    /** Views of nodes that have no slices of their own, by what they reach: nodes that reach the same share them. */
    private final Map<Set<Published>, Site> shared = new HashMap<>();

    /** Starts without pools. */
    Pools(NodeTable nodes, Holdings holdings, Features features, Changes changes) {
        this.nodes = nodes;
        this.holdings = holdings;
        partitions = features.partitionableDevices();
        countersHaveNodes = features.repairs().countersHaveNodes();
        this.changes = changes;
    }

    /** Who is told for which nodes the answers may have changed. */
    interface Changes {
        void of(int node);

        /** For nodes that reach the device, or another that draws on the same counters. */
        void of(Holding device);

        /** For all nodes but the others, as they may reach the slice now, or do no longer. */
        void of(Published slice, NodeSet others);

        void ofAll();
    }

    void put(ResourceSlice slice) {
        Pool pool = byDriver.computeIfAbsent(slice.driver(), _ -> new HashMap<>())
                .computeIfAbsent(slice.pool().name(), name -> new Pool(slice.driver(), name));
        Published published = new Published(pool, slice, holdings);
        pool.slices.put(slice.meta().name(), published);
        if (published.isLocal()) {
            local.computeIfAbsent(slice.nodes().name(), _ -> new HashSet<>()).add(published);
        } else if (published.isWide()) {
            wide.add(published);
        }
        changed(published);
    }

    /** Takes out what was published under this name. */
    @Nullable
    Published remove(ResourceSlice slice) {
        Map<String, Pool> pools = byDriver.getOrDefault(slice.driver(), Map.of());
        Pool pool = pools.get(slice.pool().name());
        Published published =
                pool == null ? null : pool.slices.remove(slice.meta().name());
        if (pool == null || published == null) {
            return null;
        }
        if (published.isLocal()) {
            local.computeIfPresent(slice.nodes().name(), (_, all) -> {
                all.remove(published);
                return all.isEmpty() ? null : all;
            });
        }
        wide.remove(published);
        for (Unit unit : published.units) {
            holdings.withdraw(unit);
        }
        changed(published);
        if (pool.slices.isEmpty()) {
            pools.remove(pool.name);
            byDriver.computeIfPresent(pool.driver, (_, all) -> all.isEmpty() ? null : all);
        }
        return published;
    }

    private void changed(Published slice) {
        Pool pool = slice.pool;
        pool.counters.clear();
        pool.tally = null;
        pool.parts.clear();
        shared.values().removeIf(site -> site.seen.contains(pool));
        NodeSet seen = pool.seenBy.copy();
        if (slice.isWide()) {
            NodeSet others = new NodeSet();
            forEachKept(node -> {
                if (seen.contains(node) || slice.reaches(nodes.node(node))) {
                    lose(node);
                } else {
                    others.add(node);
                }
            });
            changes.of(slice, others);
        } else {
            for (int node = seen.first(); node >= 0; node = seen.next(node + 1)) {
                forget(node);
            }
            int its = slice.isLocal() ? nodes.find(slice.slice.nodes().name()) : -1;
            if (its >= 0) {
                forget(its);
            }
        }
        Part before = badEverywhere.get(pool);
        Part now = elsewhere(pool);
        if (now == null) {
            badEverywhere.remove(pool);
        } else {
            badEverywhere.put(pool, now);
        }
        if (before != null || now != null) {
            changes.ofAll();
        }
    }

    /** Somebody has the device now, or some of it, or has no longer. */
    void heldChanged(Holding holding) {
        boolean isOfMany = false;
        for (Unit unit : holding.units) {
            Pool pool = unit.slice.pool;
            pool.tally = null;
            Counters counters = pool.counters.get(unit.slice.slice.pool().generation());
            if (counters != null && holding.counted != holding.isHeld()) {
                counters.draw(unit, holding.isHeld());
            }
            if (unit.slice.isLocal() && !unit.draws()) {
                int node = nodes.find(unit.slice.slice.nodes().name());
                if (node >= 0) {
                    changes.of(node);
                }
            } else {
                isOfMany = true;
            }
        }
        if (isOfMany) {
            changes.of(holding);
        }
        holding.counted = holding.isHeld();
    }

    /** The node is another from now on. */
    void forget(int node) {
        changes.of(node);
        Site site = lose(node);
        if (site != null) {
            site.seen.forEach(pool -> pool.seenBy.remove(node));
        }
    }

    /** The node looks anew when it is next asked; its pools still say that it has seen them, as answers may be kept. */
    private @Nullable Site lose(int node) {
        Site site = node < sites.length ? sites[node] : null;
        if (site != null) {
            sites[node] = null;
            site.nodes.remove(node);
        }
        return site;
    }

    /** What the node can reach; to be read until the next change. */
    Site site(int node) {
        if (node >= sites.length) {
            sites = Arrays.copyOf(sites, Math.max(node + 1, sites.length * 2));
        }
        Site site = sites[node];
        if (site == null) {
            site = look(nodes.node(node));
            sites[node] = site;
            site.nodes.add(node);
            site.seen.forEach(pool -> pool.seenBy.add(node));
        }
        return site;
    }

    /** All devices that the node could use, of whatever generation and however their pools are. */
    void forEachReached(Node node, Consumer<Unit> unit) {
        Stream.concat(
                        local.getOrDefault(node.name(), Set.of()).stream(),
                        wide.stream().filter(slice -> slice.reaches(node)))
                .flatMap(slice -> Arrays.stream(slice.units))
                .filter(each -> !each.slice.slice.perDevice() || matches(each.device.nodes(), node))
                .forEach(unit);
    }

    private Site look(Node node) {
        Map<Pool, List<Published>> reached = new LinkedHashMap<>();
        for (Published slice : local.getOrDefault(node.name(), Set.of())) {
            reached.computeIfAbsent(slice.pool, _ -> new ArrayList<>()).add(slice);
        }
        for (Published slice : wide) {
            if (slice.reaches(node)) {
                reached.computeIfAbsent(slice.pool, _ -> new ArrayList<>()).add(slice);
            }
        }
        Set<Published> all = new HashSet<>();
        boolean shares = !local.containsKey(node.name());
        for (List<Published> slices : reached.values()) {
            all.addAll(slices);
            shares &= slices.stream().noneMatch(slice -> slice.slice.perDevice());
        }
        Site same = shares ? shared.get(all) : null;
        if (same != null) {
            return same;
        }
        List<Part> parts = new ArrayList<>();
        reached.forEach((pool, slices) -> partFor(pool, slices, node).ifPresent(parts::add));
        parts.sort(IN_ORDER);
        boolean keeps = shares || all.stream().allMatch(Published::isLocal);
        Site site = new Site(List.copyOf(reached.keySet()), parts, keeps);
        if (shares) {
            shared.put(all, site);
        }
        return site;
    }

    /** What slices make of their pool is the same wherever they are reached, unless devices say one by one where they can be used. */
    private Optional<Part> partFor(Pool pool, List<Published> reached, Node node) {
        boolean shares = reached.stream().noneMatch(slice -> slice.slice.perDevice());
        Set<Published> key = Set.copyOf(reached);
        Optional<Part> known = shares ? pool.parts.get(key) : null;
        if (known == null) {
            pool.slices.values().stream().filter(Published::isEverywhere).forEach(reached::add);
            known = Optional.ofNullable(part(pool, reached, node));
            if (shares) {
                pool.parts.put(key, known);
            }
        }
        return known;
    }

    /** The pool as nodes see it that reach none of its devices: some of its counters, or nothing; empty where that is all right. */
    private @Nullable Part elsewhere(Pool pool) {
        List<Published> counters =
                pool.slices.values().stream().filter(Published::isEverywhere).toList();
        Part part = counters.isEmpty() ? null : part(pool, new ArrayList<>(counters), null);
        return part == null || part.isGood() ? null : part;
    }

    /** What the slices make of the pool; nothing where a newer generation is elsewhere. */
    private @Nullable Part part(Pool pool, List<Published> reached, @Nullable Node node) {
        long generation = reached.stream()
                .mapToLong(slice -> slice.slice.pool().generation())
                .max()
                .orElse(0);
        List<Published> current = reached.stream()
                .filter(slice -> slice.slice.pool().generation() == generation)
                .sorted(Comparator.comparing(slice -> slice.slice.meta().name()))
                .toList();
        long wanted = current.getFirst().slice.pool().slices();
        if (current.size() != wanted) {
            int all = 0;
            for (Published slice : pool.slices.values()) {
                long its = slice.slice.pool().generation();
                if (its > generation) {
                    return null;
                }
                all += its == generation ? 1 : 0;
            }
            if (all != wanted) {
                return new Part(pool, true, false, List.of(), new BitSet(), null);
            }
        }
        List<Unit> units = new ArrayList<>();
        BitSet away = new BitSet();
        Set<String> names = new HashSet<>();
        boolean twice = false;
        for (Published slice : current) {
            for (Unit unit : partitions && slice.isOfCounters() ? new Unit[0] : slice.units) {
                if (slice.slice.perDevice() && node != null && !matches(unit.device.nodes(), node)) {
                    away.set(units.size());
                }
                units.add(unit);
                twice |= !names.add(unit.device.name());
            }
        }
        Counters counters = partitions ? pool.counters(generation) : null;
        return twice || (counters != null && counters.broken)
                ? new Part(pool, false, true, List.of(), new BitSet(), null)
                : new Part(pool, false, false, units, away, counters);
    }

    private static boolean matches(DeviceNodes where, Node node) {
        if (!where.name().isEmpty()) {
            return where.name().equals(node.name());
        }
        return where.all()
                || where.selector()
                        .filter(selector -> selector.matches(node.labels(), node.name()))
                        .isPresent();
    }

    void forEach(Consumer<Pool> out) {
        byDriver.values().forEach(pools -> pools.values().forEach(out));
    }

    /** What slices make of their pool wherever they can be reached. */
    @Nullable
    Part whole(List<Published> slices) {
        return part(slices.getFirst().pool, slices, null);
    }

    /** Why no node has any of the devices that are meant; empty where there are none at all. */
    String whyNowhere(Predicate<Unit> isMeant) {
        List<Pool> all = byDriver.values().stream()
                .flatMap(pools -> pools.values().stream())
                .sorted(BY_NAME)
                .toList();
        for (Pool pool : all) {
            for (Published slice : pool.slices.values()) {
                if (slice.hasAny(isMeant)) {
                    String who = "pool " + pool.name + " of driver " + pool.driver;
                    Part part = part(pool, new ArrayList<>(pool.slices.values()), null);
                    if (part != null && part.incomplete) {
                        return who + " is not complete: it has " + pool.slices.size() + " of "
                                + slice.slice.pool().slices() + " slices";
                    }
                    return who
                            + (part != null && part.invalid
                                    ? " is invalid"
                                    : " has some, for none of the nodes that there are");
                }
            }
        }
        return "";
    }

    /** The nodes whose view is at hand. */
    void forEachKept(IntConsumer node) {
        for (int each = 0; each < sites.length; each++) {
            if (sites[each] != null) {
                node.accept(each);
            }
        }
    }

    /** What can be said of a node's view that does not depend on when it was made. */
    String describe(int node) {
        StringBuilder text = new StringBuilder();
        for (Part part : site(node).parts) {
            text.append(part.pool).append(part.incomplete ? " incomplete" : "").append(part.invalid ? " invalid" : "");
            part.units.forEach(unit -> text.append(' ').append(unit.device.name()));
            text.append(part.counters == null ? "" : Arrays.toString(part.counters.left))
                    .append("; ");
        }
        return text.append(badEverywhere.keySet()).toString();
    }

    /** A pool of a driver, with all of its slices by name. */
    static final class Pool {
        final String driver;
        final String name;
        private final TreeMap<String, Published> slices = new TreeMap<>();
        private final Map<Long, Counters> counters = new HashMap<>();
        private final Map<Set<Published>, Optional<Part>> parts = new HashMap<>();
        /** All nodes that reach it and have been asked, and maybe others. */
        final NodeSet seenBy = new NodeSet();

        DeviceCounts.@Nullable Tally tally;

        private Pool(String driver, String name) {
            this.driver = driver;
            this.name = name;
        }

        private Counters counters(long generation) {
            return counters.computeIfAbsent(
                    generation,
                    _ -> new Counters(slices.values().stream()
                            .filter(slice -> slice.slice.pool().generation() == generation)
                            .toList()));
        }

        /** Whether a device of any of its slices is meant. */
        boolean hasAny(Predicate<Unit> isMeant) {
            return slices.values().stream().anyMatch(slice -> slice.hasAny(isMeant));
        }

        /** The slices of the newest generation. */
        List<Published> newest() {
            long newest = slices.values().stream()
                    .mapToLong(slice -> slice.slice.pool().generation())
                    .max()
                    .orElse(0);
            return slices.values().stream()
                    .filter(slice -> slice.slice.pool().generation() == newest)
                    .toList();
        }

        @Override
        public String toString() {
            return driver + "/" + name;
        }
    }

    /** A slice with its devices. */
    final class Published {
        final Pool pool;
        final ResourceSlice slice;
        final Unit[] units;
        /** The devices that each class selects, by the version of the classes. */
        BitSet[] selected = new BitSet[0];

        int selectedBy;

        private Published(Pool pool, ResourceSlice slice, Holdings holdings) {
            this.pool = pool;
            this.slice = slice;
            this.units = new Unit[slice.devices().size()];
            for (int i = 0; i < units.length; i++) {
                units[i] = new Unit(this, i, holdings);
            }
        }

        boolean hasAny(Predicate<Unit> isMeant) {
            return Arrays.stream(units).anyMatch(isMeant);
        }

        private boolean isOfCounters() {
            return partitions && !slice.sharedCounters().isEmpty();
        }

        /** Whether every node knows it, as it has counters that devices of any slice may draw on. */
        private boolean isEverywhere() {
            return isOfCounters() && !countersHaveNodes;
        }

        private boolean isForItsNodes() {
            return slice.sharedCounters().isEmpty() || countersHaveNodes;
        }

        private boolean isLocal() {
            return isForItsNodes() && !slice.nodes().name().isEmpty();
        }

        /** Whether more than one node may reach it; where it does not say, none does. */
        private boolean isWide() {
            return isForItsNodes()
                    && slice.nodes().name().isEmpty()
                    && (slice.nodes().all()
                            || slice.nodes().selector().isPresent()
                            || (partitions && slice.perDevice()));
        }

        private boolean reaches(Node node) {
            return slice.nodes().equals(DeviceNodes.NONE)
                    ? slice.devices().stream().anyMatch(device -> matches(device.nodes(), node))
                    : matches(slice.nodes(), node);
        }
    }

    /** A device of a slice, and who has it. */
    static final class Unit {
        final Published slice;
        final Device device;
        final int index;
        final Holding holding;
        private int[] counters = new int[0];
        private Quantity[] amounts = new Quantity[0];

        private Unit(Published slice, int index, Holdings holdings) {
            this.slice = slice;
            this.device = slice.slice.devices().get(index);
            this.index = index;
            this.holding = holdings.publish(new DeviceId(slice.pool.driver, slice.pool.name, device.name()), this);
            holding.counted = holding.isHeld();
        }

        /** How much it draws from the counter, if anything. */
        Optional<Quantity> drawsOn(int counter) {
            for (int i = 0; i < counters.length; i++) {
                if (counters[i] == counter) {
                    return Optional.of(amounts[i]);
                }
            }
            return Optional.empty();
        }

        boolean draws() {
            return !device.consumes().isEmpty();
        }

        /** Where it can be used, be it said of it or of all of its slice. */
        DeviceNodes nodes() {
            return slice.slice.perDevice() ? device.nodes() : slice.slice.nodes();
        }
    }

    /** The counters of a pool and what is left of them. */
    static final class Counters {
        final Quantity[] left;
        private final Quantity[] all;
        private final int[] sets;
        private final List<String> names = new ArrayList<>();
        private final boolean broken;

        private Counters(List<Published> slices) {
            Map<String, Map<String, Integer>> numbers = new HashMap<>();
            List<Quantity> values = new ArrayList<>();
            List<Integer> ofSets = new ArrayList<>();
            boolean twice = false;
            for (Published slice : slices) {
                for (ResourceSlice.CounterSet set : slice.slice.sharedCounters()) {
                    Map<String, Integer> counters = new HashMap<>();
                    twice |= numbers.put(set.name(), counters) != null;
                    set.counters().forEach((name, value) -> {
                        counters.put(name, values.size());
                        values.add(value);
                        ofSets.add(numbers.size());
                        names.add(set.name() + '/' + name);
                    });
                }
            }
            sets = ofSets.stream().mapToInt(Integer::intValue).toArray();
            left = values.toArray(new Quantity[0]);
            all = left.clone();
            boolean unknown = false;
            for (Published slice : slices) {
                for (Unit unit : slice.units) {
                    unknown |= !bind(unit, numbers);
                }
            }
            broken = twice || unknown;
            for (Published slice : slices) {
                for (Unit unit : slice.units) {
                    if (!broken && unit.holding.isHeld()) {
                        draw(unit, true);
                    }
                }
            }
        }

        /** Notes which counters the device draws on; answers whether it knows them all. */
        private static boolean bind(Unit unit, Map<String, Map<String, Integer>> numbers) {
            int draws = unit.device.consumes().stream()
                    .mapToInt(use -> use.counters().size())
                    .sum();
            unit.counters = new int[draws];
            unit.amounts = new Quantity[draws];
            int at = 0;
            for (Device.CounterUse use : unit.device.consumes()) {
                Map<String, Integer> set = numbers.get(use.counterSet());
                if (set == null) {
                    return false;
                }
                for (Map.Entry<String, Quantity> each : use.counters().entrySet()) {
                    Integer counter = set.get(each.getKey());
                    if (counter == null) {
                        return false;
                    }
                    unit.counters[at] = counter;
                    unit.amounts[at++] = each.getValue();
                }
            }
            return true;
        }

        private void draw(Unit unit, boolean more) {
            if (!broken) {
                draw(unit, more, left);
            }
        }

        /** The counter that has less left than the device draws; empty where there is none. */
        String shortOf(Unit unit) {
            for (int i = 0; i < unit.counters.length; i++) {
                if (left[unit.counters[i]].compareTo(unit.amounts[i]) < 0) {
                    return names.get(unit.counters[i]);
                }
            }
            return "";
        }

        /** Takes what the device draws from the amounts that are left, or puts it back. */
        static void draw(Unit unit, boolean more, Quantity[] left) {
            for (int i = 0; i < unit.counters.length; i++) {
                int counter = unit.counters[i];
                left[counter] = more ? left[counter].minus(unit.amounts[i]) : left[counter].plus(unit.amounts[i]);
            }
        }

        /** Whether more is taken of one than there is: then no device gives any more away that draws on the pool's counters. */
        boolean areOverdrawn() {
            return Arrays.stream(left).anyMatch(amount -> amount.signum() < 0);
        }

        /** How much of each set is left: the mean over its counters. */
        double[] freeShares() {
            int size = Arrays.stream(sets).max().orElse(0);
            double[] shares = new double[size];
            int[] counters = new int[size];
            for (int i = 0; i < all.length; i++) {
                double share = left[i].compareTo(all[i]) >= 0 ? 1 : left[i].doubleValue() / all[i].doubleValue();
                shares[sets[i] - 1] += Math.max(0, share);
                counters[sets[i] - 1]++;
            }
            for (int i = 0; i < size; i++) {
                shares[i] = counters[i] == 0 ? 1 : shares[i] / counters[i];
            }
            return shares;
        }

        /** The number of the first set that the device draws on. */
        int setOf(Unit unit) {
            return unit.counters.length == 0 ? -1 : sets[unit.counters[0]];
        }

        /** Devices that draw alike. */
        static boolean drawAlike(Unit one, Unit other) {
            return one.slice.pool == other.slice.pool
                    && Arrays.equals(one.counters, other.counters)
                    && Arrays.equals(one.amounts, other.amounts);
        }
    }

    /**
     * A pool as a node sees it.
     *
     * @param units its devices in the order in which they are tried, unless it is incomplete or invalid
     * @param away which of them cannot be used on the node
     */
    record Part(
            Pool pool,
            boolean incomplete,
            boolean invalid,
            List<Unit> units,
            BitSet away,
            @Nullable Counters counters) {
        boolean isGood() {
            return !incomplete && !invalid;
        }

        boolean isConditional() {
            return units.stream()
                    .anyMatch(unit -> !unit.device.bindingConditions().isEmpty());
        }
    }

    /** What a node can reach, or several nodes that reach the same. */
    final class Site {
        final NodeSet nodes = new NodeSet();
        private final List<Pool> seen;
        final List<Part> parts;
        private final @Nullable Layout kept;

        private Site(List<Pool> seen, List<Part> parts, boolean keeps) {
            this.seen = seen;
            this.parts = parts;
            kept = keeps ? new Layout(parts) : null;
        }

        /** All of its devices: kept, unless each of many nodes would have others' devices beside its own. */
        Layout layout() {
            return kept == null ? new Layout(parts) : kept;
        }

        /** All parts in their order, with those of pools that every node knows something of. */
        List<Part> all() {
            if (badEverywhere.isEmpty()) {
                return parts;
            }
            return Stream.concat(
                            parts.stream(), badEverywhere.values().stream().filter(part -> !seen.contains(part.pool)))
                    .sorted(IN_ORDER)
                    .toList();
        }
    }

    /** The devices of several pools, one after the other. */
    static final class Layout {
        final Unit[] units;
        final @Nullable Counters[] counters;
        final BitSet away = new BitSet();

        private Layout(List<Part> parts) {
            int size = 0;
            for (Part part : parts) {
                size += part.units.size();
            }
            units = new Unit[size];
            counters = new Counters[size];
            int at = 0;
            for (Part part : parts) {
                for (int i = 0; i < part.units.size(); i++) {
                    units[at] = part.units.get(i);
                    away.set(at, part.away.get(i));
                    counters[at++] = part.counters;
                }
            }
        }
    }
}
