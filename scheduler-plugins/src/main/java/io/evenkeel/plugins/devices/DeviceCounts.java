package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.Plan.Features;
import io.evenkeel.plugins.devices.Pools.Counters;
import io.evenkeel.plugins.devices.Pools.Part;
import io.evenkeel.plugins.devices.Pools.Pool;
import io.evenkeel.plugins.devices.Pools.Published;
import io.evenkeel.plugins.devices.Pools.Unit;
import io.evenkeel.plugins.devices.Selectors.Selector;
import io.evenkeel.plugins.devices.Selectors.Unanswered;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How many devices there are: by driver, class and state.
 *
 * @param rows those with the most devices
 * @param leftOut how many rows and classes there are beside these
 * @param partitioned of each driver with devices that share counters
 */
public record DeviceCounts(List<Row> rows, int leftOut, List<Partitioned> partitioned) {
    public static final DeviceCounts NONE = new DeviceCounts(List.of(), 0, List.of());

    /** What becomes of a device; the first that holds. */
    public enum State {
        /** A claim has it. */
        ALLOCATED,
        /** Claims have shares of it. */
        SHARED,
        /** Its pool is incomplete or invalid, or its feature is off. */
        UNUSABLE,
        /** A taint keeps claims away that do not tolerate it. */
        TAINTED,
        /** Too little is left of a counter that it draws on. */
        BLOCKED,
        FREE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Devices of a driver that a class selects. One that several classes select is in the row of each.
     *
     * @param deviceClass empty for devices that no class selects
     * @param states how many are in each state
     */
    public record Row(String driver, String deviceClass, Map<State, Integer> states) {
        public int devices() {
            return states.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /**
     * What is left of the counters that partitions share.
     *
     * @param sets the counter sets, such as a card each
     * @param whole those that nothing is taken of
     * @param free the free shares of all, summed: of a set the mean over its counters
     */
    public record Partitioned(String driver, int sets, int whole, double free) {
        /** How much of what is free is in pieces, on sets of which something is taken: from 0 to 1. */
        public double fragmentation() {
            return free == 0 ? 0 : 1 - whole / free;
        }
    }

    /**
     * Counts the devices of a cluster, each one once.
     *
     * @param looks how many looks classes' selectors may take for devices that are new; with fewer than needed the last count is
     *     returned, and the next goes on from there
     */
    public static DeviceCounts of(ClusterView cluster, long looks) {
        return cluster.objects().all(Kinds.RESOURCE_SLICE).isEmpty()
                ? NONE
                : DeviceBook.of(cluster).counts(looks);
    }

    /**
     * The counts of one pool, kept until it changes.
     *
     * @param version of classes and rules
     * @param states by the index of the class, that of no class last: how many devices are in each state; empty for none
     */
    record Tally(int version, int[][] states, int sets, int whole, double free) {}

    /** Counts pools that have changed since the last count, and adds up all. */
    static final class Census {
        private static final int MOST_ROWS = 100;
        private static final int MOST_CLASSES = 100;
        private static final List<State> STATES = List.of(State.values());

        private final Pools pools;
        private final Selectors selectors;
        private final Features features;
        private final Predicate<Unit> tainted;
        private List<DeviceClass> classes = List.of();
        private int versionOfClasses = 1;
        private int version;
        private boolean isAsked;
        private DeviceCounts last = NONE;
        private long looks;

        /** @param tainted whether a taint keeps claims from the device */
        Census(Pools pools, Selectors selectors, Features features, Predicate<Unit> tainted) {
            this.pools = pools;
            this.selectors = selectors;
            this.features = features;
            this.tainted = tainted;
        }

        /** Rules may taint other devices now. */
        void rulesChanged() {
            version++;
        }

        boolean isAsked() {
            return isAsked;
        }

        DeviceCounts count(Collection<DeviceClass> all, long mostLooks) {
            List<DeviceClass> first = all.stream()
                    .sorted(Comparator.comparing(DeviceClass::name))
                    .limit(MOST_CLASSES)
                    .toList();
            if (!first.equals(classes)) {
                classes = first;
                versionOfClasses++;
                version++;
            }
            isAsked = true;
            looks = mostLooks;
            Map<String, int[][]> states = new TreeMap<>();
            Map<String, Partitioned> partitioned = new TreeMap<>();
            pools.forEach(pool -> {
                if ((pool.tally == null || pool.tally.version != version) && looks > 0) {
                    pool.tally = tally(pool);
                }
                if (looks > 0 && pool.tally != null) {
                    add(pool.tally, pool.driver, states, partitioned);
                }
            });
            if (looks > 0) {
                last = counts(states, all.size() - first.size(), partitioned);
            }
            return last;
        }

        private Tally tally(Pool pool) {
            List<Published> slices = pool.newest();
            Part part = pools.whole(slices);
            boolean isGood = part != null && part.isGood();
            Counters counters = part != null && isGood ? part.counters() : null;
            boolean overdrawn = counters != null && counters.areOverdrawn();
            int[][] states = new int[classes.size() + 1][0];
            for (Published slice : slices) {
                BitSet[] members = members(slice);
                for (Unit unit : slice.units) {
                    int state = state(unit, isGood, counters, overdrawn).ordinal();
                    boolean any = false;
                    for (int i = 0; i < members.length; i++) {
                        if (members[i].get(unit.index)) {
                            any = true;
                            count(states, i, state);
                        }
                    }
                    if (!any) {
                        count(states, members.length, state);
                    }
                }
            }
            int sets = 0;
            int whole = 0;
            double free = 0;
            for (double share : counters == null ? new double[0] : counters.freeShares()) {
                sets++;
                whole += share == 1 ? 1 : 0;
                free += share;
            }
            return new Tally(version, states, sets, whole, free);
        }

        private static void count(int[][] states, int row, int state) {
            if (states[row].length == 0) {
                states[row] = new int[STATES.size()];
            }
            states[row][state]++;
        }

        private BitSet[] members(Published slice) {
            if (slice.selectedBy != versionOfClasses) {
                BitSet[] members = new BitSet[classes.size()];
                for (int i = 0; i < members.length; i++) {
                    BitSet selected = new BitSet();
                    List<Selector> all = classes.get(i).selectors().stream()
                            .map(selectors::of)
                            .toList();
                    for (Unit unit : slice.units) {
                        selected.set(unit.index, all.stream().allMatch(selector -> matches(selector, unit)));
                    }
                    members[i] = selected;
                }
                slice.selectedBy = versionOfClasses;
                slice.selected = members;
            }
            return slice.selected;
        }

        private boolean matches(Selector selector, Unit unit) {
            looks--;
            try {
                return selector.matches(unit, more -> looks -= more);
            } catch (Unanswered _) {
                return false;
            }
        }

        private State state(Unit unit, boolean isGood, @Nullable Counters counters, boolean overdrawn) {
            if (Search.isTaken(unit, features)) {
                return State.ALLOCATED;
            }
            if (unit.holding.isHeld()) {
                return State.SHARED;
            }
            boolean isOff = (!features.bindingConditions()
                            && !unit.device.bindingConditions().isEmpty())
                    || (!features.partitionableDevices() && (unit.draws() || unit.slice.slice.perDevice()));
            if (!isGood || isOff) {
                return State.UNUSABLE;
            }
            if (tainted.test(unit)) {
                return State.TAINTED;
            }
            boolean isBlocked = counters != null
                    && unit.draws()
                    && (overdrawn || !counters.shortOf(unit).isEmpty());
            return isBlocked ? State.BLOCKED : State.FREE;
        }

        private void add(
                Tally tally, String driver, Map<String, int[][]> states, Map<String, Partitioned> partitioned) {
            int[][] sums = states.computeIfAbsent(driver, _ -> new int[classes.size() + 1][STATES.size()]);
            for (int row = 0; row < sums.length; row++) {
                for (int state = 0; state < tally.states[row].length; state++) {
                    sums[row][state] += tally.states[row][state];
                }
            }
            if (tally.sets > 0) {
                Partitioned one = new Partitioned(driver, tally.sets, tally.whole, tally.free);
                partitioned.merge(
                        driver,
                        one,
                        (sum, more) -> new Partitioned(
                                driver, sum.sets + more.sets, sum.whole + more.whole, sum.free + more.free));
            }
        }

        private DeviceCounts counts(
                Map<String, int[][]> states, int classesLeftOut, Map<String, Partitioned> partitioned) {
            List<Row> all = new ArrayList<>();
            states.forEach((driver, rows) -> {
                for (int i = 0; i < rows.length; i++) {
                    Map<State, Integer> byState = new EnumMap<>(State.class);
                    for (State state : STATES) {
                        byState.put(state, rows[i][state.ordinal()]);
                    }
                    Row row =
                            new Row(driver, i < classes.size() ? classes.get(i).name() : "", byState);
                    if (row.devices() > 0) {
                        all.add(row);
                    }
                }
            });
            List<Row> most = all.stream()
                    .sorted(Comparator.comparingInt(Row::devices).reversed())
                    .limit(MOST_ROWS)
                    .toList();
            return new DeviceCounts(
                    most,
                    all.size() - most.size() + classesLeftOut,
                    partitioned.values().stream()
                            .sorted(Comparator.comparingInt(Partitioned::sets).reversed())
                            .limit(MOST_ROWS)
                            .toList());
        }
    }
}
