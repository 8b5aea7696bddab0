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
import io.evenkeel.kube.election.Shares.Share;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The Leases of the shards and of the overseer: takes some, renews them, and hands them over. Replicas do not know each other. Each
 * sees the Leases, so their loads come to be alike. What a seat weighs (nodes and pods that its engine keeps) its holder writes on
 * its Lease ({@code evenkeel.io/weight}):
 *
 * <pre>
 *   a free one               whoever has less takes it sooner
 *   one better with me       I write on its Lease that I want it (evenkeel.io/wanted-by); its holder sees this when it renews, sees
 *   (see Shares)             through what is underway, and releases it; for two retry periods others leave it to me
 * </pre>
 *
 * There is one such hand-over at a time, as nobody asks while a seat is wanted or free; and each makes loads more alike, so none is
 * followed by its opposite. All who ask for the same Lease ask the server, so it lets one of them be first, and the next counts again.
 *
 * <p>Holders write into their Leases how far they have seen ({@code evenkeel.io/seen}), and hear how far all others have: once every
 * retry period, and more often while engines wait for each other. Who waits for a seat that nobody holds waits until it is taken.
 *
 * <p>Who cannot renew a Lease in time writes nothing from then on, but its engine stays, and it goes on trying. Where it renews the
 * Lease before anybody else has taken it, nobody else can have placed anything in the shard: the engine is as it would be had the
 * server only been slow, and goes on. The Lease shows it, as its transitions are the same; and that of the overseer shows that no other
 * map was in force, by which others place on the same nodes under other Leases:
 *
 * <pre>
 * second   a has shard 0, the server is silent from 1 on     shard 0: holder, transitions
 *    0     a renews                                          a, 3
 *   10     a pauses                                          a, 3
 *   20     the server is back; a renews                      a, 3   a reads which map is in force, and goes on
 *          or b was faster, as it has run out                b, 4   a's engine ends
 * </pre>
 *
 * So that holders come first, whoever has heard nothing for as long as a renewal may take leaves them two retry periods.
 *
 * <p>One thread decides all of this and makes no call. Calls are made by threads of their own, so many at a time at most: one for a Lease that
 * is held here, every retry period, and one for all others. A renewal may take half of the renew deadline, or what is left of it.
 */
public final class Seats {
    private static final Logger log = LoggerFactory.getLogger(Seats.class);

    static final String SEEN = "evenkeel.io/seen";
    static final String WANTED_BY = "evenkeel.io/wanted-by";
    static final String WEIGHT = "evenkeel.io/weight";
    /** No server has made so many changes as is more than this. */
    private static final Pattern SEEN_FORM = Pattern.compile("N/N/N/N".replace("N", "([0-4]?\\d{1,18})"));

    private static final Pattern WEIGHT_FORM = Pattern.compile("\\d{1,15}");

    /** The name of the seat of who knows all nodes. */
    public static final String OVERSEER = "overseer";

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);
    /** As long as a seat is to be taken, or its Lease may have run out: so long answers lie there at most. */
    private static final long SHORT_TICK = TimeUnit.MILLISECONDS.toNanos(10);
    /** For so long at least a seat is left to who wants it, however short retry periods are: that one has to hear of it first. */
    private static final long LEAST_TO_COME = 10 * TICK;
    /** So much later than another who holds one less, in parts of a retry period. */
    private static final int PARTS = 8;
    /** No later than a retry period, whatever is held. */
    private static final int MOST_SEATS_LATER = PARTS;
    /** Who has one less asks before, whoever is drawn first; no more than this, so that nobody waits long. */
    private static final int MOST_SEATS_AFTER = 2;

    /** Calls at a time for Leases that are held here: 64 that take a second each are renewed every four seconds. */
    private static final int MOST_RENEWALS = 16;
    /** Other calls at a time. */
    private static final int MOST_OTHERS = 8;

    /** Between two renewals of a Lease only because there is news on it. */
    private static final long BETWEEN_NEWS = TimeUnit.MILLISECONDS.toNanos(300);
    /** The same, of all Leases of a replica. */
    private static final long BETWEEN_NEWS_OF_ANY = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Duration WATCHDOG_TOLERANCE = Duration.ofSeconds(20);

    /** As long as servers keep what has changed: after that all is read anew anyway. */
    private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(5);

    private final LeaderElection settings;
    private final String identity;
    private final Occupants occupants;
    private final Clocks clocks;
    private final Sleeper sleeper;
    private final Consumer<Runnable> threads;
    private final LeaseClient lister;
    private final MapLease map;
    private final String mapText;
    private final Seat overseer;
    private final List<Seat> seats = new ArrayList<>();
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final long deadline;
    private final long retry;
    private volatile boolean stopping;
    private volatile boolean abandoning;
    private boolean inTrouble;
    /** When the server answered last, and when it did so after it had been silent for too long. */
    private long answeredAt;

    private long isBackSince;
    private volatile boolean takesPart;
    private int renewing;
    private int others;
    private boolean isListing;
    private long listsNotBefore;
    private long listsNextAt;
    private boolean readsEach;
    private boolean toldOfReading;
    private long newsAt;
    private boolean wasInForce;
    private long inForceSince;
    /** Since when another has a seat that were better here. */
    private OptionalLong unevenSince = OptionalLong.empty();

    private long unevenFor;
    private boolean asksWhenListed;
    /** Whether nothing was on the move or wanted when it was reckoned last: it is so until something is heard. */
    private boolean isEven;

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

        /** How far all others have got: told at least once a retry period. */
        void othersAt(ShardProgress least);

        /** What it keeps, as nodes and pods; empty while it does not know yet. */
        OptionalLong weight();

        /** The seat could not be kept for a while, nobody else had it, and now it is held again. */
        void goOn();

        /** The seat is to be given up: sees through what is underway, and calls {@link Tenure#vacate} or {@link Tenure#leave} then. */
        void drain();

        /** The seat is lost: nothing more may be written. */
        void lost();
    }

    /**
     * What is known of a seat.
     *
     * @param mine whether it is held here, and not paused
     * @param hasRunOut whether its Lease is another's and has run out, by the Lease's own term
     */
    public record SeatView(String name, String lease, String holder, boolean mine, boolean hasRunOut) {}

    /** The time for which this replica holds a seat, and nobody else does in between; once it is over it never begins again. */
    public final class Tenure {
        private final Seat seat;
        private final LeaseFence fence = new LeaseFence(clocks.nanos(), settings.renewDeadline());
        private @Nullable Occupant occupant;
        private boolean draining;
        private volatile boolean vacated;
        private volatile boolean left;
        private ShardProgress told = ShardProgress.NONE;
        private @Nullable ShardProgress heard;
        private long heardAt = now() - retry;
        /** The overseer's Lease as it was last read before a renewal that came in time: no map was in force but what stands there. */
        private Optional<Lease> mapInTime = overseer.lease.latest();

        private volatile boolean isPaused;
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

        /**
         * When the Lease was last renewed or released by another, as seen here; where there was none, when it was made. No earlier than the
         * map has been in force.
         */
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

        /** Something is still underway, and nobody sees it through: the Lease is left to run out. By any thread. */
        public void leave() {
            left = true;
        }
    }

    /** A Lease, and what this replica has to do with it. */
    private final class Seat {
        private final int number;
        private final String name;
        private final String leaseName;
        private final ContestedLease lease;
        private volatile @Nullable Tenure tenure;
        private boolean isAsked;
        private boolean isTaking;
        private boolean isReleasing;
        private long askedAt = now() - retry;
        private long answeredAt = askedAt;
        private long nextAt = now();
        private long notBefore = now();
        /** Whether it may be another than was last read. */
        private boolean isStale;

        private boolean seenFree;
        private long freeSince;
        private double chance;
        private boolean refused;

        Seat(int number, String name, String leaseName, String namespace, ApiTransport transport, TimeLimit limit) {
            this.number = number;
            this.name = name;
            this.leaseName = leaseName;
            lease = new ContestedLease(
                    new LeaseClient(transport, limit, this::patience, namespace, leaseName, name),
                    identity,
                    settings.leaseDuration(),
                    clocks.nanos(),
                    clocks.time());
        }

        /** As client-go: a server that does not answer leaves time for a second try. Asked by threads that call. */
        private long patience() {
            Tenure held = tenure;
            return held == null || held.isPaused ? deadline / 2 : Math.min(deadline / 2, deadline - held.fence.age());
        }

        String wantedBy() {
            return lease.latest().map(last -> last.note(WANTED_BY)).orElse("");
        }

        boolean isHeldHere() {
            return tenure != null || isTaking;
        }

        /** Whose it is, or is about to be; empty where it is free for all. */
        String intended() {
            String wanted = wantedBy();
            if (isHeldHere() || !lease.isFree()) {
                return !wanted.isEmpty() ? wanted : isHeldHere() ? identity : lease.holder();
            }
            return now() - freeSince < toCome() ? wanted : "";
        }

        /** What stands on its Lease, so that all reckon alike; nothing where nobody has known yet. */
        OptionalLong weight() {
            String written = lease.latest().map(last -> last.note(WEIGHT)).orElse("");
            return WEIGHT_FORM.matcher(written).matches()
                    ? OptionalLong.of(Long.parseLong(written))
                    : OptionalLong.empty();
        }

        void noteWhetherFree() {
            boolean free = tenure == null && lease.isFree();
            if (free && !seenFree) {
                freeSince = Math.min(now(), lease.freeSince().orElse(now()));
                chance = clocks.random().nextDouble();
            }
            seenFree = free;
        }

        /** Sooner where this replica has less, and where another wants it, after that one has had its time. */
        boolean isToBeTaken() {
            boolean may = this == overseer ? seenFree || lease.isMissing() : seenFree && map.isInForce();
            boolean mayComeBack = lease.isSomebodyElses() && now() - isBackSince < toCome();
            if (!may || mayComeBack || isStale || tenure != null || now() - notBefore < 0) {
                return false;
            }
            String intended = intended();
            double delay = (Math.min(shares().inSeats(identity), MOST_SEATS_LATER) + chance) * retry / PARTS;
            return intended.equals(identity) || (intended.isEmpty() && now() - freeSince >= delay);
        }

        /** Whether what is next about it is to be seen at once. */
        boolean isWatched() {
            if (lease.isFree()) {
                return false;
            }
            return untilItMayHaveRunOut() == 0 || isWaiting() || wantedBy().equals(identity);
        }

        /** Far away where it is not known, and where it has. */
        private long untilItMayHaveRunOut() {
            OptionalLong runsOut = lease.freeSince();
            return lease.isFree() || runsOut.isEmpty() ? Long.MAX_VALUE : Math.max(0, runsOut.getAsLong() - now());
        }

        private boolean isBeingTaken() {
            return isTaking || (seenFree && this != overseer && map.isInForce());
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
        this(
                settings,
                map,
                identity,
                transport,
                occupants,
                machine.clocks(),
                machine.sleeper(),
                machine.timeLimit(),
                call -> machine.dedicated("lease-call", call).start());
    }

    /** @param threads carries a call out on a thread of its own */
    Seats(
            LeaderElection settings,
            ShardMap map,
            String identity,
            ApiTransport transport,
            Occupants occupants,
            Clocks clocks,
            Sleeper sleeper,
            TimeLimit limit,
            Consumer<Runnable> threads) {
        this.settings = settings;
        this.identity = identity;
        this.occupants = occupants;
        this.clocks = clocks;
        this.sleeper = sleeper;
        this.threads = threads;
        deadline = settings.renewDeadline().toNanos();
        retry = settings.retryPeriod().toNanos();
        listsNextAt = now();
        listsNotBefore = now();
        newsAt = now();
        inForceSince = now();
        answeredAt = now();
        isBackSince = now() - toCome();
        String namespace = settings.resourceNamespace();
        String name = settings.resourceName();
        lister = new LeaseClient(transport, limit, () -> deadline / 2, namespace, name, OVERSEER);
        overseer = new Seat(map.count(), OVERSEER, name, namespace, transport, limit);
        seats.add(overseer);
        for (int shard = 0; shard < map.count(); shard++) {
            seats.add(new Seat(shard, Integer.toString(shard), leaseOf(name, shard), namespace, transport, limit));
        }
        this.map = new MapLease(
                overseer.lease,
                map.text(),
                map.count(),
                shard -> new ContestedLease(
                        new LeaseClient(
                                transport,
                                limit,
                                () -> deadline / 2,
                                namespace,
                                leaseOf(name, shard),
                                Integer.toString(shard)),
                        identity,
                        settings.leaseDuration(),
                        clocks.nanos(),
                        clocks.time()),
                clocks.nanos());
        this.mapText = map.text();
    }

    /** How long a seat is left to who has a better right to it. */
    private long toCome() {
        return Math.max(2 * retry, LEAST_TO_COME);
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
                .map(seat -> {
                    Tenure held = seat.tenure;
                    boolean mine = held != null && !held.isPaused;
                    boolean hasRunOut = seat.lease.isSomebodyElses() && seat.lease.isFree();
                    return new SeatView(seat.name, seat.leaseName, seat.lease.holder(), mine, hasRunOut);
                })
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
                .filter(held -> !held.isPaused)
                .allMatch(held -> held.fence.age() <= longest);
    }

    /** Contends until asked to stop. To be run once, on a thread of its own. */
    public void run() {
        try {
            while (!abandoning && !(stopping && seats.stream().noneMatch(this::isToBeSeenThrough))) {
                round();
                sleeper.sleep(untilNextRound());
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

    /** No longer than until a Lease may have run out. */
    private long untilNextRound() {
        long wait = TICK;
        for (Seat seat : seats) {
            if (seat.tenure == null && !stopping) {
                wait = Math.min(wait, seat.isBeingTaken() ? SHORT_TICK : seat.untilItMayHaveRunOut());
            }
        }
        return Math.max(SHORT_TICK, wait);
    }

    private boolean isToBeSeenThrough(Seat seat) {
        return seat.isHeldHere() || seat.isReleasing;
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
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            isEven = false;
            answer.run();
        }
        noteWhetherInForce();
        keepAll();
        if (!stopping && !abandoning) {
            seats.forEach(Seat::noteWhetherFree);
            takeFreeOnes();
            makeThoseMissing();
            lookAtOthers();
            if (!isEven) {
                askForOne();
            }
        }
        takesPart = takesPart || seats.stream().allMatch(seat -> seat.lease.isKnown() || seat.tenure != null);
        tellOfOthers();
    }

    private void noteWhetherInForce() {
        boolean inForce = map.isInForce();
        if (inForce && !wasInForce) {
            inForceSince = now();
        }
        wasInForce = inForce;
    }

    /** What waits longest goes first where not all can be asked at a time. */
    private void keepAll() {
        long begin = now();
        seats.stream()
                .filter(seat -> seat.tenure != null)
                .sorted(Comparator.comparingLong(seat -> seat.askedAt - begin))
                .forEach(seat -> keep(seat, Objects.requireNonNull(seat.tenure)));
    }

    private void keep(Seat seat, Tenure held) {
        if (abandoning) {
            return;
        }
        long age = held.fence.age();
        if (age >= deadline && (stopping || held.draining || age >= LONGEST_PAUSE)) {
            lose(seat, held, notRenewed());
        } else if (seat != overseer && map.isAnothers()) {
            lose(seat, held, "nodes are parted by another map");
        } else if (held.left) {
            leave(seat, held);
        } else if (stopping && !held.draining) {
            drain(held, "");
        } else {
            if (age >= deadline && !held.isPaused) {
                pause(held);
            }
            ask(seat, held);
        }
    }

    private void ask(Seat seat, Tenure held) {
        if (!seat.isAsked && renewing < MOST_RENEWALS) {
            if (held.vacated) {
                release(seat, held);
            } else if (now() - seat.nextAt >= 0 || hasNews(seat, held)) {
                renew(seat, held);
            }
        }
    }

    private boolean hasNews(Seat seat, Tenure held) {
        boolean is = !held.isPaused
                && now() - seat.askedAt >= BETWEEN_NEWS
                && now() - newsAt >= BETWEEN_NEWS_OF_ANY
                && isWaiting()
                && !held.told.equals(held.occupant().progress());
        newsAt = is ? now() : newsAt;
        return is;
    }

    private void renew(Seat seat, Tenure held) {
        ShardProgress progress = held.occupant().progress();
        Map<String, String> notes = new HashMap<>(Map.of(SEEN, written(progress)));
        notes.putAll(seat == overseer ? map.notes() : Map.of(MapLease.MAP, mapText));
        held.occupant().weight().ifPresent(weight -> notes.put(WEIGHT, written(weight, seat.weight())));
        if (seat.refused) {
            notes.put(WANTED_BY, "");
        }
        Optional<Lease> mapBefore = overseer.lease.latest();
        ask(
                seat,
                () -> {
                    OptionalLong tried = seat.lease.renew(notes);
                    OptionalLong sentAt = tried.isPresent() ? tried : seat.lease.keep(notes);
                    boolean isLate = sentAt.isPresent() && held.fence.age() >= deadline;
                    return new Renewal(sentAt, isLate, isLate && isNobodyElses(seat, held));
                },
                renewal -> renewed(seat, held, progress, mapBefore, renewal));
    }

    /**
     * What came of a renewal.
     *
     * @param sentAt empty where another has the Lease
     * @param isLate whether others may have found before that it had run out
     * @param isNobodyElses whether nobody can have placed in the shard meanwhile, where it is late
     */
    private record Renewal(OptionalLong sentAt, boolean isLate, boolean isNobodyElses) {}

    /** As the shard's Lease is this replica's once more, no other map can be put in force from here on: so whether one was is read last. */
    private boolean isNobodyElses(Seat seat, Tenure held) throws IOException {
        return seat == overseer || map.isInForceSince(held.mapInTime);
    }

    private void renewed(Seat seat, Tenure held, ShardProgress progress, Optional<Lease> mapBefore, Renewal renewal) {
        if (seat.tenure != held) {
            return;
        }
        OptionalLong sentAt = renewal.sentAt;
        boolean isLate = held.fence.age() >= deadline;
        if (sentAt.isEmpty()) {
            lose(
                    seat,
                    held,
                    seat.lease.isSomebodyElses()
                            ? "another replica has taken the lease"
                            : "somebody has deleted or released the lease");
            return;
        }
        if (isLate && !renewal.isLate) {
            seat.nextAt = now(); // it has come to be late since it was asked
            return;
        }
        if (renewal.isLate && !renewal.isNobodyElses) {
            lose(seat, held, notRenewed() + ", and nodes may have been parted by another map since");
            return;
        }
        held.fence.renewed(sentAt.getAsLong());
        if (!renewal.isLate) {
            held.mapInTime = mapBefore;
        }
        if (held.isPaused && held.fence.age() < deadline) {
            goOn(held);
        }
        held.told = progress;
        seat.refused = false;
        String wantedBy = seat.wantedBy();
        if (!wantedBy.isEmpty() && !held.draining) {
            // what another wants counts as its own already, but for this one
            seat.refused = wantedBy.equals(identity) || !shares(seat).isWorthMoving(seats.indexOf(seat), wantedBy);
            if (!seat.refused) {
                drain(held, wantedBy);
            }
        }
    }

    /** All that others hold, by one call, or by one each where they may not be listed. */
    private void lookAtOthers() {
        boolean isDue = now() - listsNextAt >= 0;
        if (isDue) {
            readsEach = false;
        }
        boolean isWatched = now() - listsNotBefore >= 0
                && (asksWhenListed
                        || seats.stream().anyMatch(seat -> seat.tenure == null && !seat.isAsked && seat.isWatched()));
        if (readsEach) {
            for (Seat seat : seats) {
                if (seat.tenure == null
                        && (now() - seat.nextAt >= 0 || (now() - seat.askedAt >= TICK && seat.isWatched()))) {
                    read(seat);
                }
            }
        } else if (!isListing && (isDue || isWatched) && seats.stream().anyMatch(seat -> seat.tenure == null)) {
            list();
        }
    }

    private void list() {
        long began = now();
        listsNotBefore = began + TICK;
        listsNextAt = began + retry + (long) (retry * 0.2 * clocks.random().nextDouble());
        isListing = true;
        call(
                "",
                () -> {
                    Optional<Map<String, Lease>> found = lister.list();
                    long seenAt = now();
                    return found.map(all -> new Listed(all, began, seenAt));
                },
                found -> {
                    isListing = false;
                    found.ifPresentOrElse(this::listed, this::mayNotList);
                },
                _ -> {
                    isListing = false;
                    listsNotBefore = now() + retry;
                });
    }

    private record Listed(Map<String, Lease> all, long askedAt, long seenAt) {}

    private void listed(Listed list) {
        for (Seat seat : seats) {
            Optional<Lease> found = Optional.ofNullable(list.all.get(seat.leaseName));
            if (seat.tenure != null || seat.isAsked || seat.answeredAt - list.askedAt >= 0) {
                continue; // what this replica has heard of it since may be newer
            }
            if (seat == overseer && found.isEmpty()) {
                read(seat); // of one who schedules alone it has no label
            } else {
                seat.lease.observe(found, list.askedAt, list.seenAt);
                seat.isStale = false;
                seat.noteWhetherFree();
            }
        }
        if (!overseer.isAsked) {
            map.tellIfWaiting();
        }
        if (asksWhenListed) {
            asksWhenListed = false;
            askNow();
        }
    }

    private void mayNotList() {
        if (!toldOfReading) {
            toldOfReading = true;
            log.atWarn()
                    .setMessage("The leases may not be listed, so each is read by itself")
                    .addKeyValue("namespace", settings.resourceNamespace())
                    .log();
        }
        readsEach = true;
        listsNextAt = now() + TimeUnit.MINUTES.toNanos(1);
    }

    private void read(Seat seat) {
        if (!seat.isAsked && others < MOST_OTHERS) {
            ask(seat, seat.lease::read, _ -> {
                seat.isStale = false;
                seat.noteWhetherFree();
            });
        }
    }

    /** Before the map is put in force, by whoever is about to do so. */
    private void makeThoseMissing() {
        if (overseer.isAsked) {
            return;
        }
        for (Seat seat : seats) {
            if (map.missing().contains(seat.number)
                    && !seat.isAsked
                    && others < MOST_OTHERS
                    && now() - seat.nextAt >= 0) {
                ask(
                        seat,
                        () -> {
                            seat.lease.make();
                            return seat;
                        },
                        _ -> {
                            map.made(seat.number);
                            seat.noteWhetherFree();
                            overseer.nextAt = now();
                        });
            }
        }
    }

    private void takeFreeOnes() {
        for (Seat seat : seats) {
            boolean isTime = now() - seat.askedAt >= TICK
                    && (seat != overseer || map.missing().isEmpty());
            if (isTime && !seat.isAsked && others < MOST_OTHERS && seat.isToBeTaken()) {
                take(seat);
            }
        }
    }

    private void take(Seat seat) {
        Map<String, String> notes = new HashMap<>(Map.of(SEEN, written(ShardProgress.NONE), WANTED_BY, ""));
        long changedAt = seat.lease.changedAt().orElse(now());
        seat.isTaking = true;
        ask(
                seat,
                () -> {
                    if (seat == overseer) {
                        return map.take(notes);
                    }
                    notes.put(MapLease.MAP, mapText);
                    OptionalLong sentAt = seat.lease.claim(seat.lease.latest(), notes);
                    if (!mapIsStillInForce()) {
                        seat.lease.release();
                        return OptionalLong.empty();
                    }
                    return sentAt;
                },
                sentAt -> {
                    seat.noteWhetherFree();
                    noteWhetherInForce();
                    if (sentAt.isPresent()) {
                        long since = changedAt - inForceSince > 0 ? changedAt : inForceSince;
                        begin(seat, sentAt.getAsLong(), since);
                    } else if (map.missing().isEmpty()) {
                        seat.freeSince = now() + retry;
                    }
                });
    }

    /** Whoever changes the map looks at the shards after that: what was taken before it sees, what was taken since is given back. */
    private boolean mapIsStillInForce() throws IOException {
        Tenure ofOverseer = overseer.tenure;
        return (ofOverseer != null && ofOverseer.fence.mayBind()) || map.isStillInForce();
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

    private void release(Seat seat, Tenure held) {
        held.fence.lost();
        seat.tenure = null;
        seat.isReleasing = true;
        // Where the release is not heard of, others wait as long.
        seat.notBefore = now() + settings.leaseDuration().toNanos();
        ask(
                seat,
                () -> {
                    seat.lease.release();
                    return seat;
                },
                _ -> {
                    seat.notBefore = now();
                    seat.noteWhetherFree();
                    log.atInfo()
                            .setMessage("Gave a shard up")
                            .addKeyValue("shard", seat.name)
                            .log();
                });
    }

    /** As others do, this replica takes it again once it has run out: something may still be on its way. */
    private void leave(Seat seat, Tenure held) {
        held.fence.lost();
        seat.tenure = null;
        seat.notBefore = now() + settings.leaseDuration().toNanos();
        log.atWarn()
                .setMessage("Left a shard's lease to run out, as not all that was underway has ended")
                .addKeyValue("shard", seat.name)
                .log();
    }

    private String notRenewed() {
        return "not renewed within " + GoDuration.format(settings.renewDeadline());
    }

    private void pause(Tenure held) {
        held.isPaused = true;
        log.atWarn()
                .setMessage("Paused a shard")
                .addKeyValue("shard", held.name())
                .addKeyValue("why", notRenewed())
                .log();
    }

    private void goOn(Tenure held) {
        held.isPaused = false;
        held.heardAt = now() - retry;
        log.atInfo()
                .setMessage("Holding a shard again that nobody else has held")
                .addKeyValue("shard", held.name())
                .log();
        held.occupant().goOn();
    }

    /** This replica, too, takes it again only once it has run out. */
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

    /** Wants a seat that were better here than where it is, unless something is on the move already. */
    private void askForOne() {
        boolean isMoving = isOnTheMove();
        isEven = !isMoving && shares().wantedBy(identity).isEmpty();
        if (isMoving || isEven) {
            unevenSince = OptionalLong.empty();
            asksWhenListed = false;
            return;
        }
        if (unevenSince.isEmpty()) {
            unevenSince = OptionalLong.of(now());
            unevenFor = (long) (retry * (0.5 + 0.5 * clocks.random().nextDouble())
                    + Math.min(shares().inSeats(identity), MOST_SEATS_AFTER) * retry / 2);
        }
        if (now() - unevenSince.getAsLong() >= unevenFor) {
            if (readsEach) {
                askNow();
            } else {
                asksWhenListed = true;
            }
        }
    }

    /** Whether a seat is free, wanted or not read yet, or one of this replica's has yet to be known by its engine. */
    private boolean isOnTheMove() {
        return !map.isInForce()
                || seats.stream()
                        .anyMatch(seat -> seat.intended().isEmpty()
                                || !seat.wantedBy().isEmpty()
                                || seat.isTaking
                                || seat.isReleasing
                                || isNotKnownYet(seat.tenure));
    }

    private static boolean isNotKnownYet(@Nullable Tenure held) {
        return held != null && held.occupant().weight().isEmpty();
    }

    private void askNow() {
        unevenSince = OptionalLong.empty();
        OptionalInt wanted = isOnTheMove() ? OptionalInt.empty() : shares().wantedBy(identity);
        if (wanted.isEmpty()) {
            return;
        }
        Seat seat = seats.get(wanted.getAsInt());
        if (seat.isAsked || seat.isHeldHere() || others >= MOST_OTHERS) {
            return;
        }
        String of = seat.lease.holder();
        ask(
                seat,
                () -> {
                    seat.lease.note(seat.lease.latest().orElseThrow(), Map.of(WANTED_BY, identity));
                    return seat;
                },
                _ -> log.atInfo()
                        .setMessage("Asked for a shard, as another replica has more")
                        .addKeyValue("shard", seat.name)
                        .addKeyValue("of", of)
                        .log());
    }

    /** Who has which seat, once all that is wanted has been handed over. */
    private Shares shares() {
        return shares(null);
    }

    /** The same, but that one seat stays where it is. */
    private Shares shares(@Nullable Seat staying) {
        long mean = Math.max(
                1,
                Math.round(seats.stream()
                        .map(Seat::weight)
                        .flatMapToLong(OptionalLong::stream)
                        .average()
                        .orElse(1)));
        return new Shares(seats.stream()
                .map(seat -> new Share(
                        seat == staying ? identity : seat.intended(),
                        seat.weight().orElse(mean)))
                .toList());
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

    /** What is new at once where somebody waits; and once a retry period though nothing is, as engines try again then what has failed. */
    private void tellOfOthers() {
        for (Seat seat : seats) {
            Tenure held = seat.tenure;
            boolean isTime = held != null && now() - held.heardAt >= retry;
            if (held == null || held.isPaused || (!isTime && !held.occupant().waits())) {
                continue;
            }
            ShardProgress least = ShardProgress.NOBODY;
            for (Seat other : seats) {
                least = other == seat ? least : least.and(progressOf(other));
            }
            if (isTime || !least.equals(held.heard)) {
                held.heard = least;
                held.heardAt = now();
                held.occupant().othersAt(least);
            }
        }
    }

    private static String written(ShardProgress progress) {
        return progress.pods() + "/" + progress.podsSeen() + "/" + progress.nodes() + "/" + progress.nodesSeen();
    }

    /** In two digits; as it was, unless it is a tenth more or less by now. */
    static String written(long weight, OptionalLong before) {
        if (before.isPresent() && 10 * Math.abs(weight - before.getAsLong()) <= before.getAsLong()) {
            return Long.toString(before.getAsLong());
        }
        long unit = 1;
        while (weight / unit >= 100) {
            unit *= 10;
        }
        return Long.toString((weight + unit / 2) / unit * unit);
    }

    /**
     * How far a seat's holders have seen, as was last written. That stays true of whoever takes the seat next, since it reads what is
     * newest; of what is newer nobody knows until then, nor what the last holder placed before it let go. What is no such note, or
     * says more than there can be, says nothing. The overseer binds nothing, so nobody waits for it.
     */
    private ShardProgress progressOf(Seat seat) {
        Tenure held = seat.tenure;
        if (held != null) {
            ShardProgress now = held.occupant().progress();
            if (held.mayBind()) { // looked at last: who is paused goes on seeing, and another may have taken the seat
                return now;
            }
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

    /** Asks the server something, by a thread that makes the call. */
    private interface Question<T> {
        T ask() throws IOException;
    }

    /** Asks about a seat, one question at a time. */
    private <T> void ask(Seat seat, Question<T> question, Consumer<? super T> answered) {
        boolean isHeld = seat.tenure != null || seat.isReleasing;
        seat.isAsked = true;
        seat.askedAt = now();
        seat.nextAt = seat.askedAt + retry;
        count(isHeld, 1);
        call(
                seat.name,
                question,
                answer -> {
                    count(isHeld, -1);
                    ended(seat);
                    answered.accept(answer);
                },
                why -> {
                    count(isHeld, -1);
                    ended(seat);
                    seat.isStale = true;
                    seat.nextAt = why instanceof OvertakenException ? now() : seat.nextAt;
                });
    }

    private void count(boolean isHeld, int more) {
        renewing += isHeld ? more : 0;
        others += isHeld ? 0 : more;
    }

    private void ended(Seat seat) {
        seat.isAsked = false;
        seat.isTaking = false;
        seat.isReleasing = false;
        seat.answeredAt = now();
    }

    /** What comes of it is told to the one thread that decides. */
    private <T> void call(
            String shard, Question<T> question, Consumer<? super T> answered, Consumer<IOException> failed) {
        threads.accept(() -> {
            try {
                T answer = question.ask();
                answers.add(() -> {
                    heardAnswer();
                    answered.accept(answer);
                });
            } catch (IOException why) {
                answers.add(() -> {
                    tell(shard, why);
                    failed.accept(why);
                });
            }
        });
    }

    private void heardAnswer() {
        long now = now();
        isBackSince = now - answeredAt >= deadline ? now : isBackSince;
        answeredAt = now;
        if (inTrouble) {
            inTrouble = false;
            log.info("The leases can be read and written again");
        }
    }

    private void tell(String shard, IOException failed) {
        if (failed instanceof OvertakenException) {
            log.atDebug()
                    .setMessage("Another replica updated the lease first")
                    .addKeyValue("why", failed.getMessage())
                    .log();
            listsNextAt = readsEach ? listsNextAt : now();
            return;
        }
        Level level = NoAnswer.level(failed);
        inTrouble |= level == Level.WARN;
        LoggingEventBuilder line = log.atLevel(level).setMessage("Cannot read or write a shard's lease, retrying");
        if (!shard.isEmpty()) {
            line = line.addKeyValue("shard", shard);
        }
        line.addKeyValue("why", NoAnswer.why(failed)).log();
    }

    private long now() {
        return clocks.nanos().getAsLong();
    }
}
