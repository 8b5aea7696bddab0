package io.evenkeel.kube.election;

import io.evenkeel.kube.election.ContestedLease.Lease;
import io.evenkeel.shard.ShardMap;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease of who knows all nodes: the overseer, or one who schedules alone. It says by which map nodes are parted; the map of one
 * who schedules alone is the empty text. Who takes it puts its own map there, but only while nobody holds a shard of another.
 *
 * <p>Others may take a shard of the other map just then. So both write before they read: who changes the map first writes the new
 * one, beside what was before, and looks at the shards once more; who takes a shard looks at the map once more. Whichever order
 * the server saw, one of them finds the other, and lets go.
 */
final class MapLease {
    private static final Logger log = LoggerFactory.getLogger(MapLease.class);

    static final String MAP = "evenkeel.io/shards";
    /** The map whose shards may still be held: until it is taken away, the new one is not in force. */
    static final String BEFORE = "evenkeel.io/shards-before";

    private final ContestedLease lease;
    private final String map;
    private final IntFunction<ContestedLease> shards;
    private final Map<Integer, ContestedLease> looked = new HashMap<>();
    private String waitedFor = "";

    /** @param shards makes the Lease of a shard, to look at */
    MapLease(ContestedLease lease, String map, IntFunction<ContestedLease> shards) {
        this.lease = lease;
        this.map = map;
        this.shards = shards;
    }

    /** Whether nodes are parted by this replica's map, as last read. */
    boolean isInForce() {
        return lease.latest()
                .filter(last -> last.note(MAP).equals(map) && last.note(BEFORE).isEmpty())
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

    /** Takes it if it is free or already this replica's, and puts the map there if that may be. */
    OptionalLong take(Map<String, String> notes) throws IOException {
        Optional<Lease> found = lease.read();
        if (!lease.isFree()) {
            return OptionalLong.empty();
        }
        Set<String> others = found.map(this::others).orElse(Set.of());
        if (others.isEmpty()) {
            return lease.claim(found, with(notes, ""));
        }
        if (isHeld(others)) {
            return OptionalLong.empty();
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
                .addKeyValue("map", map.isEmpty() ? "none" : map)
                .addKeyValue("before", before.isEmpty() ? "none" : before)
                .log();
        return lease.claim(lease.latest(), with(notes, ""));
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

    private boolean isHeld(Set<String> maps) throws IOException {
        for (String other : maps) {
            Optional<ShardMap> read = ShardMap.parse(other);
            int count = read.map(ShardMap::count).orElse(0);
            boolean held = read.isEmpty();
            // all of them each time: one that nobody renews is known to have run out once it was looked at for so long
            for (int shard = 0; shard < count; shard++) {
                ContestedLease one = looked.computeIfAbsent(shard, shards::apply);
                one.read();
                held |= !one.isFree();
            }
            if (held) {
                tell(other);
                return true;
            }
        }
        return false;
    }

    private void tell(String other) {
        if (!waitedFor.equals(other)) {
            waitedFor = other;
            log.atInfo()
                    .setMessage("Nodes are parted by another map, waiting until nobody holds a shard of it")
                    .addKeyValue("map", other)
                    .log();
        }
    }
}
