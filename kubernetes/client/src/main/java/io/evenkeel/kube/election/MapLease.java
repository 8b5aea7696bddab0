package io.evenkeel.kube.election;

import io.evenkeel.config.ShardSettings;
import io.evenkeel.kube.election.ContestedLease.Lease;
import io.evenkeel.shard.ShardMap;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease of who knows all nodes: the overseer, or one who schedules alone. It says by which map nodes are parted; the map of one
 * who schedules alone is the empty text. Who takes it puts its own map there, but only while nobody holds a shard of another.
 *
 * <p>Others may take a shard of the other map just then. So both write before they read: who changes the map first writes the new
 * one, beside what was before, and looks at the shards once more; who takes a shard looks at the map once more. Whichever order
 * the server saw, one of them finds the other, and lets go.
 *
 * <p>While a map is in force all its shards have a Lease: those that are missing are made before, held by nobody. So one that is missing
 * later was deleted, perhaps while it was held.
 */
final class MapLease {
    private static final Logger log = LoggerFactory.getLogger(MapLease.class);

    /** On the Leases of shards it says by which map their holders part nodes. */
    static final String MAP = "evenkeel.io/shards";
    /** The map whose shards may still be held: until it is taken away, the new one is not in force. */
    static final String BEFORE = "evenkeel.io/shards-before";

    private static final long BETWEEN_LINES = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_NAMES = 3;

    private final ContestedLease lease;
    private final String map;
    private final int count;
    private final IntFunction<ContestedLease> shards;
    private final LongSupplier nanos;
    private final Map<Integer, ContestedLease> looked = new HashMap<>();
    private volatile Set<Integer> missing = Set.of();
    private String waitedFor = "";
    private long toldAt;

    /**
     * @param map of this replica
     * @param count of its shards; 0 for one who schedules alone
     * @param shards makes the Lease of a shard, to look at
     */
    MapLease(ContestedLease lease, String map, int count, IntFunction<ContestedLease> shards, LongSupplier nanos) {
        this.lease = lease;
        this.map = map;
        this.count = count;
        this.shards = shards;
        this.nanos = nanos;
    }

    /** Whether nodes are parted by this replica's map, as last read. */
    boolean isInForce() {
        return isInForce(lease.latest());
    }

    /** The same, as read just now, beside whatever else goes on. */
    boolean isStillInForce() throws IOException {
        return isInForce(lease.client().get());
    }

    /**
     * Whether no other map can have been in force since the Lease was read, as is read just now. To put another there it has to be
     * taken, and to put this one back it has to be taken once more.
     *
     * @param then as it was read
     */
    boolean isInForceSince(Optional<Lease> then) throws IOException {
        Optional<Lease> now = lease.client().get();
        return isInForce(then)
                && isInForce(now)
                && then.orElseThrow().uid().equals(now.orElseThrow().uid())
                && now.get().transitions() - then.get().transitions() <= 1;
    }

    private boolean isInForce(Optional<Lease> read) {
        return read.filter(
                        last -> last.note(MAP).equals(map) && last.note(BEFORE).isEmpty())
                .isPresent();
    }

    /** Whether another map stands there, as last read; where there is no such Lease it is not known. */
    boolean isAnothers() {
        return lease.latest().isPresent() && !isInForce();
    }

    /** What its holder writes with each renewal, so that what others write there does not stay. */
    Map<String, String> notes() {
        return with(Map.of(), "");
    }

    /** The shards whose Leases are to be made before the map can be put in force, as last found. */
    Set<Integer> missing() {
        return missing;
    }

    /** One of these is there now. */
    void made(int shard) {
        Set<Integer> left = new TreeSet<>(missing);
        left.remove(shard);
        missing = left;
    }

    /** Takes it if it is free or already this replica's, and puts the map there if that may be. */
    OptionalLong take(Map<String, String> notes) throws IOException {
        Optional<Lease> found = lease.read();
        Set<String> others = found.map(this::others).orElse(Set.of());
        if (found.isPresent() ? !lease.isFree() : !mayCreate()) {
            tellIfWaiting();
            return OptionalLong.empty();
        }
        if (isHeld(others)) {
            return OptionalLong.empty();
        }
        if (!isInForce(found) && isAnyMissing()) {
            return OptionalLong.empty();
        }
        if (others.isEmpty()) {
            return lease.claim(found, with(notes, ""));
        }
        Lease last = found.orElseThrow();
        String before =
                last.note(BEFORE).isEmpty() || last.note(BEFORE).equals(map) ? last.note(MAP) : last.note(BEFORE);
        lease.claim(found, with(notes, before));
        if (isHeld(others)) {
            lease.release();
            return OptionalLong.empty();
        }
        log.atInfo()
                .setMessage("Nodes are parted by another map from now on")
                .addKeyValue("map", named(map))
                .addKeyValue("before", named(before))
                .log();
        return lease.claim(lease.latest(), with(notes, ""));
    }

    /** Says so, if another map is in force because its Lease is held. */
    void tellIfWaiting() {
        lease.latest()
                .filter(last -> !others(last).isEmpty() && lease.isSomebodyElses())
                .ifPresent(last -> tell(last.note(MAP), Set.of(last.holder())));
    }

    private Map<String, String> with(Map<String, String> notes, String before) {
        Map<String, String> all = new HashMap<>(notes);
        all.put(MAP, map);
        all.put(BEFORE, before);
        return all;
    }

    private Set<String> others(Lease last) {
        Set<String> maps = new HashSet<>(Set.of(last.note(MAP)));
        maps.add(last.note(BEFORE));
        maps.remove(map);
        maps.remove("");
        return maps;
    }

    /**
     * Whether one that is missing may be made: by who schedules alone at once, as kube-scheduler does. Among shards it may have been
     * deleted while it was held. So it is waited for as if it were held, unless no shard was ever taken; and while there are holders
     * by another map, as nothing tells them to end.
     */
    private boolean mayCreate() throws IOException {
        if (count == 0) {
            return true;
        }
        look(ShardSettings.MOST_SHARDS);
        Set<String> holders = new TreeSet<>();
        boolean isFirst = !lease.wasThere();
        for (ContestedLease one : looked.values()) {
            boolean wasTaken = one.latest()
                    .filter(last -> !last.holder().isEmpty() || last.transitions() > 0)
                    .isPresent();
            boolean isOfAnother =
                    one.latest().filter(last -> !last.note(MAP).equals(map)).isPresent();
            isFirst &= !wasTaken;
            if (wasTaken && isOfAnother && !one.isFree()) {
                holders.add(one.holder());
            }
        }
        if (!holders.isEmpty()) {
            tell("not known", holders);
        }
        return holders.isEmpty() && (isFirst || lease.isFree());
    }

    private boolean isAnyMissing() throws IOException {
        if (count == 0) {
            return false;
        }
        look(count);
        missing = IntStream.range(0, count)
                .filter(shard ->
                        !looked.containsKey(shard) || looked.get(shard).latest().isEmpty())
                .boxed()
                .collect(TreeSet::new, Set::add, Set::addAll);
        return !missing.isEmpty();
    }

    private boolean isHeld(Set<String> maps) throws IOException {
        for (String other : maps) {
            Optional<ShardMap> read = ShardMap.parse(other);
            int itsCount = read.map(ShardMap::count).orElse(0);
            boolean held = read.isEmpty();
            Set<String> holders = new TreeSet<>(held ? Set.of("whoever knows this map") : Set.of());
            // all of them each time: one that nobody renews is known to have run out once it was looked at for so long
            look(itsCount);
            for (int shard = 0; shard < itsCount; shard++) {
                ContestedLease one = looked.computeIfAbsent(shard, shards::apply);
                if (one.latest().isEmpty()) {
                    one.read(); // all of a map that was in force have a Lease: it may be one that the list lacks
                }
                if (!one.isFree()) {
                    held = true;
                    holders.add(one.holder().isEmpty() ? "whoever held what is deleted" : one.holder());
                }
            }
            if (held) {
                tell(other, holders);
                return true;
            }
        }
        return false;
    }

    /** Reads all Leases of shards that there are at once; where that is not allowed, those of so many shards one by one. */
    private void look(int most) throws IOException {
        if (most == 0) {
            return;
        }
        long askedAt = nanos.getAsLong();
        Optional<Map<String, Lease>> all = lease.client().list();
        for (int shard = 0; shard < ShardSettings.MOST_SHARDS; shard++) {
            ContestedLease one = looked.getOrDefault(shard, shards.apply(shard));
            if (all.isPresent()) {
                one.observe(Optional.ofNullable(all.get().get(one.client().name())), askedAt);
            } else if (shard < most) {
                one.read();
            }
            if (one.wasThere()) {
                looked.put(shard, one);
            }
        }
    }

    /** Once as the wait begins, and every minute that it lasts. */
    private void tell(String other, Set<String> holders) {
        if (waitedFor.equals(other) && nanos.getAsLong() - toldAt < BETWEEN_LINES) {
            return;
        }
        waitedFor = other;
        toldAt = nanos.getAsLong();
        List<String> first = holders.stream().limit(MOST_NAMES).toList();
        String more = holders.size() > MOST_NAMES ? " and " + (holders.size() - MOST_NAMES) + " more" : "";
        log.atInfo()
                .setMessage("Nodes are parted by another map, waiting until nobody holds a shard of it")
                .addKeyValue("map", named(other))
                .addKeyValue("heldBy", String.join(", ", first) + more)
                .log();
    }

    private static String named(String map) {
        return map.isEmpty() ? "none" : map;
    }
}
