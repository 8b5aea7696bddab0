package io.evenkeel.kube.election;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.election.ContestedLease.Lease;
import io.evenkeel.kube.election.ContestedLease.LeaseClient;
import io.evenkeel.kube.election.ContestedLease.LeaseClient.OvertakenException;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The Leases of the shards and of the overseer: takes some, renews them, and hands them over. Replicas do not know each other. Each
 * sees the Leases, so they come to hold equal numbers:
 *
 * <pre>
 *   a free one         whoever holds fewer takes it sooner
 *   two more than I    I write into the last of those that I want it (evenkeel.io/wanted-by); its holder sees this when it renews,
 *                      sees through what is underway, and releases it; for two retry periods others leave it to me
 * </pre>
 *
 * All who want something of one holder ask for the same Lease first, so the server lets one of them be first, and the next counts
 * again. Each such hand-over evens the numbers out, so none is followed by its opposite.
 *
 * <p>Holders write into their Leases how far they have seen ({@code evenkeel.io/seen}), and hear how far all others have: once every
 * retry period, and ten times a second while engines wait for each other. Who waits for a seat that nobody holds waits until it is taken.
 */
public final class Seats {
    private static final Logger log = LoggerFactory.getLogger(Seats.class);

    static final String SEEN = "evenkeel.io/seen";
    static final String WANTED_BY = "evenkeel.io/wanted-by";
    /** No server has made so many changes as is more than this. */
    private static final Pattern SEEN_FORM = Pattern.compile("N/N/N/N".replace("N", "([0-4]?\\d{1,18})"));

    /** The name of the seat of who knows all nodes. */
    public static final String OVERSEER = "overseer";

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);
    /** So much later than another who holds one less, in parts of a retry period. */
    private static final int PARTS = 8;

    private static final Duration WATCHDOG_TOLERANCE = Duration.ofSeconds(20);

    private final LeaderElection settings;
    private final String identity;
    private final Occupants occupants;
    private final Clocks clocks;
    private final Sleeper sleeper;
    private final MapLease map;
    private final Seat overseer;
    private final List<Seat> seats = new ArrayList<>();
    private final long deadline;
    private final long retry;
    private volatile boolean stopping;
    private volatile boolean abandoning;
    private boolean inTrouble;
    private volatile boolean takesPart;
    private long patience;
    /** Since when another has held at least two more. */
    private OptionalLong unevenSince = OptionalLong.empty();

    private long unevenFor;

    /** Who sits on the seats of this replica. Called by the seats' thread, so all of this must return soon. */
    public interface Occupants {

        /** This replica holds the seat from now on. */
        Occupant begin(Tenure tenure);
    }

    /** An engine on a seat. */
    public interface Occupant {

        /** How far it has got. */
        ShardProgress progress();

        /** Whether it waits for others, or others perhaps for it. */
        boolean waits();

        /** How far all others have got. */
        void othersAt(ShardProgress least);

        /** The seat is to be given up: sees through what is underway, and calls {@link Tenure#vacate} then. */
        void drain();

        /** The seat is lost: nothing more may be written. */
        void lost();
    }

    /** What is known of a seat. */
    public record SeatView(String name, String lease, String holder, boolean mine) {}

    /** The time for which this replica holds a seat; once it is over it never begins again. */
    public final class Tenure {
        private final Seat seat;
        private final LeaseFence fence = new LeaseFence(clocks.nanos(), settings.renewDeadline());
        private @Nullable Occupant occupant;
        private boolean draining;
        private volatile boolean vacated;
        private ShardProgress told = ShardProgress.NONE;
        private @Nullable ShardProgress heard;
        private long heardAt;

        private final long vacantSince;
        private final Optional<Lease> taken;

        private Tenure(Seat seat, long sentAt, long vacantSince) {
            this.seat = seat;
            this.vacantSince = vacantSince;
            taken = seat.lease.latest();
            fence.renewed(sentAt);
        }

        private Occupant occupant() {
            return Objects.requireNonNull(occupant);
        }

        /** The number of the shard; as many as there are shards for the overseer. */
        public int number() {
            return seat.number;
        }

        public boolean isOverseer() {
            return seat == overseer;
        }

        /** The number in words, or {@code overseer}. */
        public String name() {
            return seat.name;
        }

        /** The name of its Lease. */
        public String lease() {
            return seat.leaseName;
        }

        /** When the Lease was last renewed or released by another, as seen here; where there was none, when it was made. */
        public long vacantSince() {
            return vacantSince;
        }

        /** Publishes that this replica holds it. */
        public void publish(EventSink events, String reportingController) {
            taken.ifPresent(lease -> events.recordEvent(
                    new Regarding(
                            "coordination.k8s.io/v1",
                            "Lease",
                            settings.resourceNamespace(),
                            seat.leaseName,
                            lease.uid(),
                            lease.resourceVersion()),
                    new ObjectEvent(
                            ObjectEvent.Type.NORMAL,
                            "LeaderElection",
                            "LeaderElection",
                            identity + " became leader",
                            reportingController)));
        }

        /** Whether something may be written now. */
        public boolean mayBind() {
            return fence.mayBind();
        }

        /** All that was underway has ended: the seat may be given to another. By any thread. */
        public void vacate() {
            vacated = true;
        }
    }

    /** A Lease, and what this replica has to do with it. */
    private final class Seat {
        private final int number;
        private final String name;
        private final String leaseName;
        private final ContestedLease lease;
        private volatile @Nullable Tenure tenure;
        /** Whether the Lease was read once. */
        private boolean known;

        private long askedAt = now() - retry;
        private long nextAt = now();
        private long notBefore = now();
        private boolean seenFree;
        private long freeSince;
        private double chance;
        private boolean refused;

        Seat(int number, String name, String leaseName, ContestedLease lease) {
            this.number = number;
            this.name = name;
            this.leaseName = leaseName;
            this.lease = lease;
        }

        void read() throws IOException {
            lease.read();
            known = true;
            noteWhetherFree();
        }

        String wantedBy() {
            return lease.latest().map(last -> last.note(WANTED_BY)).orElse("");
        }

        /** Whose it is, or is about to be; empty where it is whoever's takes it. */
        String intended() {
            String wanted = wantedBy();
            if (tenure != null || !lease.isFree()) {
                return !wanted.isEmpty() ? wanted : tenure != null ? identity : lease.holder();
            }
            return now() - freeSince < 2 * retry ? wanted : "";
        }

        void noteWhetherFree() {
            boolean free = tenure == null && lease.isFree();
            if (free && !seenFree) {
                freeSince = Math.min(now(), lease.freeSince().orElse(now()));
                chance = clocks.random().nextDouble();
            }
            seenFree = free;
        }

        /** Sooner where this replica holds less, and where another wants it, after that one has had its time. */
        boolean isToBeTaken(Map<String, Integer> counts) {
            if (!known || !seenFree || now() - notBefore < 0 || (this != overseer && !map.isInForce())) {
                return false;
            }
            String intended = intended();
            double delay = (counts.getOrDefault(identity, 0) + chance) * retry / PARTS;
            return intended.equals(identity) || (intended.isEmpty() && now() - freeSince >= delay);
        }

        boolean isDue(Map<String, Integer> counts) {
            long since = now() - askedAt;
            boolean watched = !lease.isFree() && (isWaiting() || wantedBy().equals(identity));
            return now() - nextAt >= 0 || (since >= TICK && (watched || isToBeTaken(counts)));
        }
    }

    /** @param map by which nodes are parted, for all replicas to see */
    public Seats(
            LeaderElection settings,
            ShardMap map,
            String identity,
            ApiTransport transport,
            Occupants occupants,
            Machine machine) {
        this(settings, map, identity, transport, occupants, machine.clocks(), machine.sleeper(), machine.timeLimit());
    }

    Seats(
            LeaderElection settings,
            ShardMap map,
            String identity,
            ApiTransport transport,
            Occupants occupants,
            Clocks clocks,
            Sleeper sleeper,
            TimeLimit limit) {
        this.settings = settings;
        this.identity = identity;
        this.occupants = occupants;
        this.clocks = clocks;
        this.sleeper = sleeper;
        deadline = settings.renewDeadline().toNanos();
        retry = settings.retryPeriod().toNanos();
        patience = deadline / 2;
        Function<String, ContestedLease> leases = name -> new ContestedLease(
                new LeaseClient(transport, limit, () -> patience, settings.resourceNamespace(), name),
                identity,
                settings.leaseDuration(),
                clocks.nanos(),
                clocks.time());
        String name = settings.resourceName();
        overseer = new Seat(map.count(), OVERSEER, name, leases.apply(name));
        this.map = new MapLease(overseer.lease, map.text(), shard -> leases.apply(leaseOf(name, shard)));
        seats.add(overseer);
        for (int shard = 0; shard < map.count(); shard++) {
            String ofShard = leaseOf(name, shard);
            seats.add(new Seat(shard, Integer.toString(shard), ofShard, leases.apply(ofShard)));
        }
    }

    /** The name of a shard's Lease, beside the one of the overseer. */
    static String leaseOf(String overseer, int shard) {
        return overseer + "-shard-" + shard;
    }

    public String identity() {
        return identity;
    }

    /** All seats, as last read. */
    public List<SeatView> view() {
        return seats.stream()
                .map(seat -> new SeatView(seat.name, seat.leaseName, seat.lease.holder(), seat.tenure != null))
                .toList();
    }

    /** Whether all Leases have been read once: from then on this replica takes what is free. */
    public boolean takesPart() {
        return takesPart;
    }

    /** Whether the thread still notices what becomes of what it holds. */
    public boolean healthy() {
        long longest = settings.leaseDuration().plus(WATCHDOG_TOLERANCE).toNanos();
        return seats.stream()
                .map(seat -> seat.tenure)
                .filter(Objects::nonNull)
                .allMatch(held -> held.fence.age() <= longest);
    }

    /** Contends until asked to stop. To be run once, on a thread of its own. */
    public void run() {
        try {
            while (!abandoning && !(stopping && held() == 0)) {
                round();
                sleeper.sleep(TICK);
            }
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        } finally {
            for (Seat seat : seats) {
                Tenure held = seat.tenure;
                if (held != null) {
                    held.fence.lost();
                }
            }
        }
    }

    /** Has everything seen through and released, and lets {@link #run} return then. */
    public void stop() {
        stopping = true;
    }

    /** Lets {@link #run} return soon, leaving the Leases to run out by themselves, as if the process had died. */
    public void abandon() {
        abandoning = true;
        sleeper.wake();
    }

    private void round() {
        keepAll();
        for (Seat seat : seats) {
            seat.noteWhetherFree();
            if (seat.tenure == null && !stopping && !abandoning && seat.isDue(counts())) {
                patience = held() == 0 ? deadline / 2 : deadline / 10;
                attempt(seat, this::look);
                keepAll();
            }
        }
        if (!stopping && !abandoning) {
            carefully(overseer, _ -> askForOne());
        }
        takesPart = takesPart || seats.stream().allMatch(seat -> seat.known || seat.tenure != null);
        tellOfOthers();
    }

    private void keepAll() {
        for (Seat seat : seats) {
            Tenure held = seat.tenure;
            if (held != null && !abandoning) {
                keep(seat, held);
            }
        }
    }

    private void keep(Seat seat, Tenure held) {
        if (held.fence.age() >= deadline) {
            lose(seat, held, "not renewed within " + GoDuration.format(settings.renewDeadline()));
        } else if (seat != overseer && map.isAnothers()) {
            lose(seat, held, "nodes are parted by another map");
        } else if (held.vacated) {
            attempt(seat, _ -> release(seat, held));
        } else {
            if (stopping && !held.draining) {
                drain(held, "");
            }
            boolean hasNews = isWaiting()
                    && now() - seat.askedAt >= TICK
                    && !held.told.equals(held.occupant().progress());
            if (hasNews || now() - seat.nextAt >= 0) {
                patience = Math.min(Math.max(deadline / 2 / held(), deadline / 10), deadline - held.fence.age());
                attempt(seat, _ -> renew(seat, held));
            }
        }
    }

    private void renew(Seat seat, Tenure held) throws IOException {
        ShardProgress progress = held.occupant().progress();
        Map<String, String> notes = new HashMap<>(Map.of(SEEN, written(progress)));
        if (seat == overseer) {
            notes.putAll(map.notes());
        }
        if (seat.refused) {
            notes.put(WANTED_BY, "");
        }
        OptionalLong sentAt = seat.lease.renew(notes);
        if (sentAt.isEmpty()) {
            sentAt = seat == overseer ? map.take(notes) : seat.lease.take(notes);
        }
        if (sentAt.isEmpty()) {
            if (seat.lease.isSomebodyElses()) {
                lose(seat, held, "another replica has taken the lease");
            }
            return;
        }
        held.fence.renewed(sentAt.getAsLong());
        held.told = progress;
        seat.refused = false;
        String wantedBy = seat.wantedBy();
        if (!wantedBy.isEmpty() && !held.draining) {
            Map<String, Integer> counts = counts();
            // what is wanted counts as the other's already
            seat.refused =
                    wantedBy.equals(identity) || counts.getOrDefault(identity, 0) < counts.getOrDefault(wantedBy, 0);
            if (!seat.refused) {
                drain(held, wantedBy);
            }
        }
    }

    private void look(Seat seat) throws IOException {
        if (!seat.isToBeTaken(counts())) {
            seat.read();
            return;
        }
        Map<String, String> notes = Map.of(SEEN, written(ShardProgress.NONE), WANTED_BY, "");
        long vacantSince = seat.lease.changedAt().orElse(now());
        OptionalLong sentAt = seat == overseer ? map.take(notes) : seat.lease.take(notes);
        seat.noteWhetherFree();
        if (sentAt.isEmpty()) {
            seat.freeSince = now() + retry;
        } else if (seat == overseer || mapIsStillInForce()) {
            begin(seat, sentAt.getAsLong(), vacantSince);
        } else {
            seat.lease.release();
        }
    }

    /** Whoever changes the map looks at the shards after that: what was taken before it sees, what was taken since is given back. */
    private boolean mapIsStillInForce() throws IOException {
        Tenure ofOverseer = overseer.tenure;
        if (ofOverseer == null || !ofOverseer.fence.mayBind()) {
            overseer.read();
        }
        return map.isInForce();
    }

    private void begin(Seat seat, long sentAt, long vacantSince) {
        Tenure held = new Tenure(seat, sentAt, vacantSince);
        seat.tenure = held;
        seat.seenFree = false;
        seat.refused = false;
        log.atInfo().setMessage("Took a shard").addKeyValue("shard", seat.name).log();
        held.occupant = occupants.begin(held);
    }

    private void drain(Tenure held, String wantedBy) {
        held.draining = true;
        log.atInfo()
                .setMessage("Giving a shard up")
                .addKeyValue("shard", held.name())
                .addKeyValue("to", wantedBy.isEmpty() ? "whoever takes it" : wantedBy)
                .log();
        held.occupant().drain();
    }

    private void release(Seat seat, Tenure held) throws IOException {
        held.fence.lost();
        seat.tenure = null;
        // Where the release is not heard of, others wait as long.
        seat.notBefore = now() + settings.leaseDuration().toNanos();
        seat.lease.release();
        seat.notBefore = now();
        seat.noteWhetherFree();
        log.atInfo()
                .setMessage("Gave a shard up")
                .addKeyValue("shard", seat.name)
                .log();
    }

    /** As others do, this replica takes it again once it has run out: something may still be on its way. */
    private void lose(Seat seat, Tenure held, String why) {
        held.fence.lost();
        seat.tenure = null;
        seat.notBefore = now() + settings.leaseDuration().toNanos();
        log.atError()
                .setMessage("Lost a shard")
                .addKeyValue("shard", seat.name)
                .addKeyValue("why", why)
                .log();
        held.occupant().lost();
    }

    /** Wants one of who holds at least two more, unless there are some that are free. */
    private void askForOne() throws IOException {
        if (!map.isInForce() || richest().isEmpty()) {
            unevenSince = OptionalLong.empty();
            return;
        }
        if (unevenSince.isEmpty()) {
            unevenSince = OptionalLong.of(now());
            unevenFor = (long) (retry * (0.5 + 0.5 * clocks.random().nextDouble()))
                    + counts().getOrDefault(identity, 0) * retry / 4;
        }
        if (now() - unevenSince.getAsLong() < unevenFor) {
            return;
        }
        unevenSince = OptionalLong.empty();
        for (Seat seat : seats) {
            if (seat.tenure == null) {
                patience = deadline / 10;
                seat.read();
                keepAll();
            }
        }
        String rich = richest().orElse("");
        for (Seat seat : seats.reversed()) {
            if (!rich.isEmpty()
                    && seat.intended().equals(rich)
                    && seat.lease.holder().equals(rich)) {
                seat.lease.note(seat.lease.latest().orElseThrow(), Map.of(WANTED_BY, identity));
                log.atInfo()
                        .setMessage("Asked for a shard, as another replica has more")
                        .addKeyValue("shard", seat.name)
                        .addKeyValue("of", rich)
                        .log();
                return;
            }
        }
    }

    /** Who holds most, and at least two more than this replica; nobody while some are free, or not known. */
    private Optional<String> richest() {
        if (seats.stream().anyMatch(seat -> seat.intended().isEmpty())) {
            return Optional.empty();
        }
        Map<String, Integer> counts = counts();
        int least = counts.getOrDefault(identity, 0) + 2;
        return counts.entrySet().stream()
                .filter(each -> each.getValue() >= least)
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey);
    }

    /** How many seats each replica has, once all that is wanted has been handed over. */
    private Map<String, Integer> counts() {
        Map<String, Integer> counts = new HashMap<>();
        seats.forEach(seat -> counts.merge(seat.intended(), 1, Integer::sum));
        counts.remove("");
        return counts;
    }

    private int held() {
        return (int) seats.stream().filter(seat -> seat.tenure != null).count();
    }

    private boolean isWaiting() {
        for (Seat seat : seats) {
            Tenure held = seat.tenure;
            if (held != null && held.occupant().waits()) {
                return true;
            }
        }
        return false;
    }

    private void tellOfOthers() {
        for (Seat seat : seats) {
            Tenure held = seat.tenure;
            if (held == null || (!held.occupant().waits() && now() - held.heardAt < retry)) {
                continue;
            }
            ShardProgress least = ShardProgress.NOBODY;
            for (Seat other : seats) {
                least = other == seat ? least : least.and(progressOf(other));
            }
            held.heardAt = now();
            if (!least.equals(held.heard)) {
                held.heard = least;
                held.occupant().othersAt(least);
            }
        }
    }

    private static String written(ShardProgress progress) {
        return progress.pods() + "/" + progress.podsSeen() + "/" + progress.nodes() + "/" + progress.nodesSeen();
    }

    /**
     * How far a seat's holders have seen, as was last written. That stays true of whoever takes the seat next, since it reads what is
     * newest; of what is newer nobody knows until then, nor what the last holder placed before it let go. What is no such note, or
     * says more than there can be, says nothing. The overseer binds nothing, so nobody waits for it.
     */
    private ShardProgress progressOf(Seat seat) {
        Tenure held = seat.tenure;
        if (held != null) {
            return held.occupant().progress();
        }
        if (seat == overseer) {
            return ShardProgress.NOBODY;
        }
        Matcher seen = SEEN_FORM.matcher(
                seat.lease.latest().map(last -> last.note(SEEN)).orElse(""));
        return seen.matches()
                ? new ShardProgress(number(seen, 1), number(seen, 2), number(seen, 3), number(seen, 4))
                : ShardProgress.NONE;
    }

    private static long number(Matcher seen, int group) {
        return Long.parseLong(seen.group(group));
    }

    /** Something that asks the server about a seat. */
    private interface Step {
        void take(Seat seat) throws IOException;
    }

    /** Not again before a retry period is over, nor in step with others. */
    private void attempt(Seat seat, Step step) {
        long more = seat.tenure == null ? (long) (retry * 0.2 * clocks.random().nextDouble()) : 0;
        seat.askedAt = now();
        seat.nextAt = seat.askedAt + retry + more;
        carefully(seat, step);
    }

    private void carefully(Seat seat, Step step) {
        try {
            step.take(seat);
            if (inTrouble) {
                inTrouble = false;
                log.info("The leases can be read and written again");
            }
        } catch (OvertakenException faster) {
            log.atDebug()
                    .setMessage("Another replica updated the lease first")
                    .addKeyValue("why", faster.getMessage())
                    .log();
            seat.nextAt = now();
        } catch (IOException failed) {
            Level level = NoAnswer.level(failed);
            inTrouble |= level == Level.WARN;
            log.atLevel(level)
                    .setMessage("Cannot read or write a shard's lease, retrying")
                    .addKeyValue("shard", seat.name)
                    .addKeyValue("why", NoAnswer.why(failed))
                    .log();
        }
    }

    private long now() {
        return clocks.nanos().getAsLong();
    }
}
