package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.world.play.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * That a node has one writer: whoever sends a binding to it holds the Lease of its shard, and knows so by its own clock. Where the node
 * has come from one shard to another, its former owner may not have heard of it; once the new one has bound, the former does not any more:
 *
 * <pre>
 * node-1 is in a   the holder of shard a binds
 *        in b      the holder of a may bind still, of b binds once all have seen it
 *                  the holder of a binds: a violation
 * </pre>
 *
 * <p>Claims have one writer, too, and volumes: the overseer. And another map is put in force only when nobody holds a shard of the one
 * before.
 */
public final class Shards {
    /** The name of the engine that knows all nodes. */
    public static final String OVERSEER = "overseer";

    private static final String BINDING = "/binding";
    private static final List<String> CLAIMS = List.of("persistentvolumes", "persistentvolumeclaims", "resourceclaims");

    private static final String LEASES = "/leases";

    /** So soon a Lease is written again by who holds it; before that nobody takes it for free. */
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    /** Longer than a process may hang between looking and writing. */
    private static final long LONGEST_BETWEEN = TimeUnit.SECONDS.toNanos(100);

    private final LongSupplier clock;
    private final String overseer;
    private final long deadline;
    private final Map<SimulatedProcess, Member> members = new IdentityHashMap<>();
    private final Map<String, Held> leases = new TreeMap<>();
    /** What each node has been, as far as its labels go: the last is what it is. */
    private final Map<String, List<Node>> nodes = new TreeMap<>();
    /** As which of these the node has been written last. */
    private final Map<String, Integer> written = new HashMap<>();

    /** Which shard's engine has decided last that a pod goes to a node, by UID and node. */
    private final Map<String, String> decided = new HashMap<>();

    /** The names of the Leases that there are. */
    private final Set<String> there = new HashSet<>();

    private final Map<ApiCall, Sent> sent = new IdentityHashMap<>();

    /**
     * How a Lease is held.
     *
     * @param tenures how often somebody else came to hold it
     * @param wasGiven whether the one before gave it up
     * @param map by which its holder parts nodes, or once did
     * @param writtenAt when it was written last
     */
    private record Held(String holder, int tenures, boolean wasGiven, String map, long writtenAt) {
        private static final Held NOBODY = new Held("", 0, true, "", 0);

        private Held written(String by, String itsMap, long now) {
            if (by.equals(holder)) {
                return new Held(by, tenures, wasGiven, itsMap, now);
            }
            return by.isEmpty()
                    ? new Held(by, tenures, true, itsMap, now)
                    : new Held(by, tenures + 1, holder.isEmpty(), itsMap, now);
        }
    }

    /** What a process was told of Leases; those of which it did not ask are missing. */
    private record Look(long at, Map<String, Held> leases) {
        /** Whether nobody who has seen it so may take it for free. */
        private boolean isHeld(String lease, String map) {
            Held held = leases.get(lease);
            return held != null
                    && !held.holder.isEmpty()
                    && held.map.equals(map)
                    && at - held.writtenAt < LONGEST_PAUSE;
        }
    }

    /** @param tenure of the sender's Lease when it was sent */
    private record Sent(Member by, String lease, int tenure) {}

    /** A process that takes part. */
    private final class Member {
        private final SimulatedProcess process;
        private final Optional<ShardMap> map;
        private final Map<String, Long> renewing = new HashMap<>();
        /** When the renewals were sent that it holds its Leases by, by its clock. */
        private final Map<String, Long> renewed = new HashMap<>();
        /** At Leases, of late. */
        private final Deque<Look> looks = new ArrayDeque<>();

        private Member(SimulatedProcess process, Optional<ShardMap> map) {
            this.process = process;
            this.map = map;
        }

        private boolean isHolderOf(String lease) {
            return process.isCalled(held(lease).holder());
        }

        private boolean holds(String lease) {
            Long since = renewed.get(lease);
            return isHolderOf(lease) && since != null && process.clock().nanos() - since < deadline;
        }

        /** Whether it leaves pods waiting that no shard can judge. */
        private boolean refuses() {
            return map.filter(parts -> parts.text().endsWith("across=Refuse")).isPresent();
        }

        private boolean holdsAny() {
            return leases.keySet().stream().anyMatch(this::holds);
        }

        private String leaseOf(Node node) {
            return map.map(parts -> leaseOf(parts.ofNode(node))).orElse(overseer);
        }

        private String leaseOf(int shard) {
            return overseer + "-shard-" + shard;
        }

        @Override
        public String toString() {
            return renewed + " by " + map.map(ShardMap::text).orElse("no map");
        }
    }

    /**
     * Of those who hold Leases of these names.
     *
     * @param clock of the world
     * @param overseer the Lease of who knows all nodes; those of shards are named after it
     * @param deadline after which who could not renew a Lease holds it no more
     */
    public Shards(LongSupplier clock, String overseer, Duration deadline) {
        this.clock = clock;
        this.overseer = overseer;
        this.deadline = deadline.toNanos();
    }

    /** A process begins that parts nodes by this map, or not at all. */
    public void begins(SimulatedProcess process, Optional<ShardMap> map) {
        members.put(process, new Member(process, map));
    }

    /** An engine has decided this; what the overseer's has, one of a shard decides once more. */
    void decided(String shard, Pod pod, String node) {
        if (!shard.equals(OVERSEER)) {
            decided.put(pod.meta().uid() + " on " + node, shard);
            Optional<String> asked = Recount.askedNode(pod).filter(other -> !other.equals(node));
            if (!shard.isEmpty() && asked.isPresent()) {
                throw new Violation("shard " + shard + " decides that " + pod.key() + " goes to " + node
                        + ", though it is asked for " + asked.get());
            }
            if (!shard.isEmpty() && isForOverseer(pod)) {
                throw new Violation("shard " + shard + " decides that " + pod.key() + " goes to " + node
                        + ", which the overseer has not asked for");
            }
        }
    }

    /** Only who knows all nodes can tell whether all of a gang have places, and asks for each. */
    private static boolean isForOverseer(Pod pod) {
        return Gangs.asked(pod).isPresent() && Recount.askedNode(pod).isEmpty();
    }

    private Held held(String lease) {
        return leases.getOrDefault(lease, Held.NOBODY);
    }

    /** The log has this of a Lease now. */
    public void lease(JsonObject lease, boolean isGone) {
        String name = Trees.text(lease, "metadata", "name");
        if (isGone) {
            there.remove(name);
        } else {
            there.add(name);
        }
        leases.put(
                name, held(name).written(Trees.text(lease, "spec", "holderIdentity"), mapIn(lease), clock.getAsLong()));
    }

    private static String mapIn(JsonObject lease) {
        return Trees.text(lease, "metadata", "annotations", "evenkeel.io/shards");
    }

    /** What a process asks is answered now. */
    public void carriesOut(SimulatedProcess process, ApiCall call) {
        int at = call.path().indexOf(LEASES);
        if (!call.method().equals("GET") || at < 0) {
            return;
        }
        String name = call.path().substring(at + LEASES.length());
        Map<String, Held> seen =
                name.startsWith("/") ? Map.of(name.substring(1), held(name.substring(1))) : Map.copyOf(leases);
        Deque<Look> looks = members.get(process).looks;
        looks.addLast(new Look(clock.getAsLong(), seen));
        while (clock.getAsLong() - looks.getFirst().at > LONGEST_BETWEEN) {
            looks.removeFirst();
        }
    }

    /**
     * Who puts another map in force does so when nobody holds a shard of the one before, so that what these do is seen through: at one of
     * his last looks at it each of them was free. Who makes the Lease where it is there by now is refused.
     */
    private void hasWaitedForOthers(Member member, ApiCall call) {
        String map = held(overseer).map;
        boolean isRefused = call.method().equals("POST") && there.contains(overseer);
        if (isRefused || mapIn(body(call).orElseThrow()).equals(map)) {
            return;
        }
        for (String lease : leases.keySet()) {
            List<Look> its = member.looks.stream()
                    .filter(look -> look.leases.containsKey(lease))
                    .toList();
            if (!its.isEmpty() && its.stream().allMatch(look -> look.isHeld(lease, map)) && !lease.equals(overseer)) {
                throw new Violation(member + " puts another map in the place of \"" + map + "\" while "
                        + held(lease).holder + " holds " + lease);
            }
        }
    }

    /** The log has this of a node now. */
    public void node(Node node) {
        List<Node> was = nodes.computeIfAbsent(node.name(), _ -> new ArrayList<>());
        boolean isNew = was.isEmpty() || !was.getLast().labels().equals(node.labels());
        if (isNew) {
            was.add(node);
        }
    }

    /** A process sends this now. */
    public void sends(SimulatedProcess process, ApiCall call) {
        Member member = members.get(process);
        if (call.path().contains("/leases")) {
            nameOfLease(call)
                    .filter(_ -> holderIn(call).filter(process::isCalled).isPresent())
                    .ifPresent(lease -> {
                        member.renewing.put(lease, process.clock().nanos());
                        if (lease.equals(overseer)) {
                            hasWaitedForOthers(member, call);
                        }
                    });
        } else if (writesForClaims(call) && (!member.holds(overseer) || member.refuses())) {
            throw new Violation(
                    "who is not the overseer writes into a claim, or a volume: " + call.path() + " by " + member);
        } else if (!call.method().equals("GET") && call.path().contains("/pods/")) {
            if (call.path().endsWith(BINDING)) {
                binds(member, call);
            } else if (!member.holdsAny()) {
                throw new Violation("who holds no Lease writes " + call.path() + ": " + member);
            }
            if (asks(call) && (!member.holds(overseer) || member.refuses())) {
                throw new Violation("who is not the overseer asks for a place: " + call.path() + " by " + member);
            }
        }
    }

    /** A process hears what became of a request: by this code, or 0. */
    public void hears(SimulatedProcess process, ApiCall call, int code) {
        if (code >= 200
                && code < 300
                && holderIn(call).filter(process::isCalled).isPresent()) {
            Member member = members.get(process);
            nameOfLease(call).ifPresent(lease -> member.renewed.put(lease, member.renewing.getOrDefault(lease, 0L)));
        }
    }

    private static Optional<String> nameOfLease(ApiCall call) {
        return body(call).map(lease -> Trees.text(lease, "metadata", "name"));
    }

    private static Optional<String> holderIn(ApiCall call) {
        return body(call)
                .filter(_ -> call.path().contains("/leases"))
                .map(lease -> Trees.text(lease, "spec", "holderIdentity"));
    }

    private static Optional<JsonObject> body(ApiCall call) {
        return call.body().map(body -> Trees.parse(body.content()));
    }

    /** A claim is of pods of any shard, and what it gets may be as well: so one writes it. */
    private static boolean writesForClaims(ApiCall call) {
        return !call.method().equals("GET")
                && CLAIMS.stream().anyMatch(table -> call.path().contains("/" + table));
    }

    /** Whether a call asks the owner of a node for a place there. */
    static boolean asks(ApiCall call) {
        return call.path().endsWith("/status")
                && body(call)
                        .filter(patch -> Trees.objects(patch, "status", "conditions").stream()
                                .anyMatch(condition -> Recount.asksFor(condition)))
                        .isPresent();
    }

    private void binds(Member member, ApiCall call) {
        JsonObject binding = body(call).orElseThrow();
        String name = Trees.text(binding, "target", "name");
        String shard = decided.getOrDefault(Trees.text(binding, "metadata", "uid") + " on " + name, "");
        String itsLease = shard.isEmpty() ? overseer : overseer + "-shard-" + shard;
        List<Node> was = nodes.getOrDefault(name, List.of());
        int last = written.getOrDefault(name, 0);
        for (int as = was.size() - 1; as >= 0; as--) {
            String lease = member.leaseOf(was.get(as));
            if (lease.equals(itsLease) && member.holds(lease)) {
                if (as < last) {
                    throw new Violation(name + " is written by its former owner, " + lease + ", after the present one: "
                            + call.path());
                }
                written.put(name, as);
                sent.put(call, new Sent(member, lease, held(lease).tenures()));
                isTheOnlyWriter(member, lease, was.getLast());
                return;
            }
        }
        throw new Violation("who does not hold the Lease of " + name + " binds " + call.path() + ": " + member
                + ", and they are held so: " + leases);
    }

    /** Among those who part nodes otherwise, too. */
    private void isTheOnlyWriter(Member member, String lease, Node node) {
        for (Member other : members.values()) {
            String itsLease = other.leaseOf(node);
            boolean mayWrite = other != member && !other.process.isKilled() && !itsLease.equals(lease);
            if (mayWrite && !isSameMap(member, other) && other.holds(itsLease)) {
                throw new Violation(node.name() + " has two writers: of " + lease + ", " + member + ", and of "
                        + itsLease + ", " + other);
            }
        }
    }

    private static boolean isSameMap(Member one, Member other) {
        return one.map.map(ShardMap::text).equals(other.map.map(ShardMap::text));
    }

    /** Whether a binding was sent by who parts nodes, and not by one who schedules alone. */
    boolean isOfShard(ApiCall binding) {
        Sent of = sent.get(binding);
        return of != null && of.by.map.isPresent();
    }

    /**
     * Whether a binding is carried out after another has come to hold the Lease that it was sent under, because that ran out: as late as
     * that nothing keeps it off. Who gives the Lease of a shard up has seen all of them through.
     */
    boolean isStray(ApiCall binding) {
        Sent of = sent.get(binding);
        if (of == null) {
            return false;
        }
        Held now = held(of.lease);
        boolean isOver = now.tenures != of.tenure || now.holder.isEmpty();
        if (of.by.map.isPresent() && isOver && now.wasGiven && now.tenures - of.tenure <= 1) {
            throw new Violation(of.lease + " was given up with a binding on its way: " + binding.path());
        }
        return isOver;
    }
}
