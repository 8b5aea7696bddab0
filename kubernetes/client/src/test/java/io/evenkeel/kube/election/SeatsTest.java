package io.evenkeel.kube.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.election.ContestedLease.LeaseClient;
import io.evenkeel.kube.election.LeaderElector.LeaderCallbacks;
import io.evenkeel.kube.election.Seats.Occupant;
import io.evenkeel.kube.election.Seats.SeatView;
import io.evenkeel.kube.election.Seats.Tenure;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeatsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Instant BEGIN = Instant.parse("2026-11-21T02:26:02.892070Z");
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");
    private static final LeaderElection SETTINGS = new LeaderElection(
            true,
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            "leases",
            "evenkeel",
            "kube-system");

    private final SimulatedReplicas replicas = new SimulatedReplicas();
    private final Map<String, LeaseStore> leases = new TreeMap<>();
    private final List<Process> processes = new ArrayList<>();
    private Random random = new Random(1);
    private int begun;
    private int born;
    private int made;
    /** Requests that the server was asked, by verb. */
    private final Map<String, Integer> asked = new TreeMap<>();
    /** Of what the engine of a shard keeps. */
    private ToLongFunction<String> weights = _ -> 1;
    /** Whether the server lets nobody list Leases. */
    private boolean mayNotList;
    /** Of each seat who might bind last. */
    private final Map<String, Sitting> last = new HashMap<>();

    private String lastMap = "";
    private int maps;

    /** What the server fails to write. */
    private @Nullable LeaseStore unwritable;

    /** Comes right before the next write of the overseer's Lease. */
    private Runnable comesFirst = () -> {};

    /** A replica with clocks of its own and a way to the server that may be broken. */
    private final class Process {
        private final String name = "replica-" + born++;
        private final String map;
        private final SimulatedReplicas.Replica replica = replicas.replica();
        private final Clocks clocks;
        private final double rate;
        private final Seats seats;
        private final List<Sitting> sittings = new ArrayList<>();
        private boolean dead;
        private boolean cutOff;
        private double failures;
        private double pauses;
        /** How long a call is on its way, there and back. */
        private long latency;

        private final ThreadLocal<Long> patience = ThreadLocal.withInitial(() -> Long.MAX_VALUE);

        Process(int shards, double rate) {
            this(shards, rate, 0);
        }

        Process(int shards, double rate, long latency) {
            this(new ShardSettings("", List.of(), shards, false), rate, latency);
        }

        Process(ShardSettings settings, double rate, long latency) {
            this.rate = rate;
            this.latency = latency;
            ShardMap parted = new ShardMap(settings);
            map = parted.text();
            clocks = clocks();
            seats = new Seats(
                    SETTINGS,
                    parted,
                    name,
                    new ScriptedTransport(this::call),
                    this::begin,
                    clocks,
                    this::sleep,
                    this::within,
                    replicas::start);
            processes.add(this);
            replicas.start(replica, seats::run);
        }

        private Clocks clocks() {
            long begin = replicas.now();
            long offset = random.nextLong(1_000 * SECOND);
            return new Clocks(
                    () -> (long) ((replicas.now() - begin) * rate) + offset,
                    () -> BEGIN.plusNanos(replicas.now() - begin),
                    random);
        }

        private Occupant begin(Tenure tenure) {
            begun++;
            Sitting sitting = new Sitting(this, tenure);
            sittings.add(sitting);
            return sitting;
        }

        private void sleep(long nanos) {
            boolean paused = random.nextDouble() < pauses;
            replicas.sleep((long) (nanos / rate) + (paused ? random.nextLong(40 * SECOND) : 0));
        }

        private Answered within(long nanos, TimeLimit.Exchange exchange) throws IOException {
            patience.set(nanos);
            try {
                return exchange.run();
            } finally {
                patience.remove();
            }
        }

        private ApiAnswer call(ApiCall call) throws IOException {
            if (failures > 0 || pauses > 0) {
                sleep(random.nextLong(SECOND / 10));
            }
            if (latency > 0) {
                sleep(Math.min(latency, patience.get()) / 2);
            }
            if (latency > patience.get()) {
                sleep(patience.get() / 2);
                throw new IOException("no answer");
            }
            if (dead || cutOff || random.nextDouble() < failures) {
                throw new IOException("no route");
            }
            ApiAnswer answer = serve(call);
            sleep(latency / 2);
            if (failures > 0 || pauses > 0) {
                sleep(random.nextLong(SECOND / 10));
            }
            if (random.nextDouble() < failures) {
                throw new IOException("reset");
            }
            return answer;
        }

        void die() {
            dead = true;
            seats.abandon();
        }

        long load() {
            return sittings.stream()
                    .filter(Sitting::mayBind)
                    .mapToLong(each -> weights.applyAsLong(each.tenure.name()))
                    .sum();
        }

        long held() {
            return sittings.stream().filter(Sitting::mayBind).count();
        }

        Sitting sitting() {
            return sittings.stream().filter(Sitting::mayBind).findFirst().orElseThrow();
        }

        void gets(ShardProgress progress) {
            sittings.forEach(each -> each.progress = progress);
        }
    }

    /** An engine that is at work until it is to be drained, and a while longer. */
    private final class Sitting implements Occupant {
        private final Process process;
        private final Tenure tenure;
        private OptionalLong vacatesAt = OptionalLong.empty();
        private ShardProgress progress = ShardProgress.NONE;
        private final List<ShardProgress> heard = new ArrayList<>();
        private ShardProgress others = ShardProgress.NONE;
        private boolean waits;
        /** Whether something is underway that is never seen through. */
        private boolean isStuck;

        private boolean isLost;
        private int wentOn;
        /** How often the map in force had become another when this might bind first. */
        private OptionalInt mapsBefore = OptionalInt.empty();

        Sitting(Process process, Tenure tenure) {
            this.process = process;
            this.tenure = tenure;
        }

        boolean mayBind() {
            return !process.dead && tenure.mayBind();
        }

        @Override
        public ShardProgress progress() {
            return progress;
        }

        @Override
        public boolean waits() {
            return waits;
        }

        @Override
        public void othersAt(ShardProgress least) {
            others = least;
            heard.add(least);
        }

        @Override
        public OptionalLong weight() {
            return OptionalLong.of(weights.applyAsLong(tenure.name()));
        }

        @Override
        public void goOn() {
            wentOn++;
        }

        @Override
        public void drain() {
            vacatesAt = OptionalLong.of(replicas.now() + random.nextLong(SECOND));
        }

        @Override
        public void lost() {
            isLost = true;
        }
    }

    private ApiAnswer serve(ApiCall call) {
        String path = call.path();
        if (path.endsWith("/leases?labelSelector=evenkeel.io%2Fshard")) {
            asked.merge("LIST", 1, Integer::sum);
            return mayNotList ? Answers.of(403, "forbidden") : Answers.of(200, listed());
        }
        asked.merge(call.method(), 1, Integer::sum);
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (call.method().equals("POST")) {
            Matcher named = NAME.matcher(call.body().orElseThrow().content());
            assertThat(named.find()).isTrue();
            name = named.group(1);
        }
        if (name.equals("evenkeel") && call.method().equals("PUT")) {
            comesFirst.run();
            comesFirst = () -> {};
        }
        LeaseStore store = leases.get(name);
        if (store != null && store == unwritable && call.method().equals("PUT")) {
            return Answers.of(500, "");
        }
        if (store == null && !call.method().equals("POST")) {
            return Answers.recorded("lease that is not there");
        }
        return leases.computeIfAbsent(name, _ -> new LeaseStore("u" + made++)).answer(call);
    }

    /** As a server does, without what each item is. */
    private String listed() {
        return leases.values().stream()
                .map(LeaseStore::json)
                .filter(json -> json.contains("\"evenkeel.io/shard\""))
                .map(json -> json.replaceFirst("\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",", ""))
                .collect(Collectors.joining(",", "{\"kind\":\"LeaseList\",\"metadata\":{},\"items\":[", "]}"));
    }

    private void pass(double seconds) {
        replicas.pass((long) (seconds * SECOND), this::check);
    }

    private void check() {
        Map<String, Sitting> holders = new HashMap<>();
        for (Process process : processes) {
            for (Sitting sitting : process.sittings) {
                if (sitting.vacatesAt.isPresent() && sitting.vacatesAt.getAsLong() - replicas.now() <= 0) {
                    if (sitting.isStuck) {
                        sitting.tenure.leave();
                    } else {
                        sitting.tenure.vacate();
                    }
                }
                if (sitting.mayBind()) {
                    Sitting other = holders.put(sitting.tenure.name(), sitting);
                    assertThat(other)
                            .as("who else may bind in shard " + sitting.tenure.name())
                            .isNull();
                    goesOn(sitting);
                }
            }
        }
        assertThat(holders.values().stream()
                        .map(each -> each.process.map)
                        .distinct()
                        .count())
                .as("maps in force")
                .isLessThanOrEqualTo(1);
    }

    /** Who was kept knows of nothing that others have done. */
    private void goesOn(Sitting sitting) {
        Sitting before = last.put(sitting.tenure.name(), sitting);
        maps += lastMap.equals(sitting.process.map) ? 0 : 1;
        lastMap = sitting.process.map;
        if (sitting.mapsBefore.isEmpty()) {
            sitting.mapsBefore = OptionalInt.of(maps);
        } else {
            assertThat(before)
                    .as("who might bind last in shard " + sitting.tenure.name())
                    .isSameAs(sitting);
            assertThat(sitting.mapsBefore).as("maps until now").hasValue(maps);
        }
    }

    private List<Long> held() {
        return processes.stream()
                .filter(process -> !process.dead && !process.replica.hasEnded())
                .map(Process::held)
                .sorted()
                .toList();
    }

    private void areShared(int seats) {
        List<Long> held = held();
        assertThat(held.stream().mapToLong(each -> each).sum())
                .as("of %s", held)
                .isEqualTo(seats);
        assertThat(held.getLast() - held.getFirst()).as("of %s", held).isLessThanOrEqualTo(1);
    }

    @Test
    void oneReplicaTakesAllSoon() {
        new Process(4, 1);
        pass(3);
        areShared(5);
        assertThat(leases.keySet())
                .containsExactly(
                        "evenkeel", "evenkeel-shard-0", "evenkeel-shard-1", "evenkeel-shard-2", "evenkeel-shard-3");
        assertThat(leases.get("evenkeel").lease().note(MapLease.MAP)).isEqualTo("count=4");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void whoJoinsIsGivenItsShareAndNoMore(int shards) {
        new Process(shards, 1);
        pass(10);
        for (int more = 2; more <= 5; more++) {
            int before = begun;
            new Process(shards, 1);
            pass(60);
            areShared(shards + 1);
            assertThat(begun - before).as("hand-overs to replica %d", more).isEqualTo((shards + 1) / more);
            before = begun;
            pass(60);
            assertThat(begun - before).as("hand-overs in calm").isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void manyThatJoinAtOnceShareWithoutHandOversThatAreUndone(long seed) {
        random = new Random(seed);
        int shards = 1 + random.nextInt(8);
        new Process(shards, 1);
        pass(10);
        int before = begun;
        int others = 1 + random.nextInt(4);
        for (int i = 0; i < others; i++) {
            new Process(shards, 1);
        }
        pass(60);
        areShared(shards + 1);
        int seats = shards + 1;
        int kept = (seats + others) / (others + 1);
        assertThat(begun - before)
                .as("hand-overs of %d seats to %d others", seats, others)
                .isBetween(seats - kept, seats - seats / (others + 1));
    }

    @Test
    void whoIsToStopHandsOverWithinTwoRetryPeriods() {
        Process a = new Process(4, 1);
        new Process(4, 1);
        new Process(4, 1);
        pass(40);
        areShared(5);
        long held = a.held();
        int before = begun;
        a.seats.stop();
        pass(5);
        assertThat(a.replica.hasEnded()).isTrue();
        areShared(5);
        assertThat(begun - before).isEqualTo((int) held);
    }

    @Test
    void whatADeadReplicaHeldIsTakenOnceItHasRunOut() {
        Process a = new Process(4, 1);
        new Process(4, 1);
        new Process(4, 1);
        pass(40);
        int before = begun;
        long held = a.held();
        a.die();
        pass(12);
        assertThat(begun - before).isZero();
        pass(8);
        areShared(5);
        assertThat(begun - before).isEqualTo((int) held);
    }

    @Test
    void whoIsCutOffMayNotBindWithinTheDeadlineAndTakesPartAgain() {
        Process a = new Process(4, 1);
        new Process(4, 1);
        pass(40);
        a.cutOff = true;
        pass(10.1);
        assertThat(a.held()).isZero();
        pass(10);
        a.cutOff = false;
        pass(60);
        areShared(5);
    }

    private void silent(boolean isSilent) {
        processes.forEach(each -> each.cutOff = isSilent);
    }

    private List<Sitting> lost() {
        return processes.stream()
                .flatMap(each -> each.sittings.stream())
                .filter(each -> each.isLost)
                .toList();
    }

    private static List<String> seatsOf(Process process) {
        return process.seats.view().stream()
                .filter(SeatView::mine)
                .map(SeatView::name)
                .toList();
    }

    @ParameterizedTest(name = "{0} s, seed {1}")
    @CsvSource({"11, 1", "12, 2", "13.5, 3", "15, 4", "16, 5", "20, 6", "60, 7", "280, 8"})
    void aServerThatIsSilentTakesNoEngineFromAnybody(double seconds, long seed) {
        random = new Random(seed);
        Process a = new Process(4, 1);
        Process b = new Process(4, 1);
        new Process(4, 1);
        pass(60);
        List<String> ofA = seatsOf(a);
        List<String> ofB = seatsOf(b);
        int before = begun;
        silent(true);
        pass(seconds);
        boolean isPaused = seconds > 12;
        if (isPaused) {
            assertThat(held()).containsOnly(0L);
            assertThat(seatsOf(a)).isEmpty();
        }
        assertThat(a.seats.healthy()).isTrue();
        silent(false);
        pass(4);
        areShared(5);
        assertThat(seatsOf(a)).isEqualTo(ofA);
        assertThat(seatsOf(b)).isEqualTo(ofB);
        assertThat(begun - before).as("engines that began").isZero();
        assertThat(lost()).isEmpty();
    }

    @Test
    void whoGoesOnIsToldOfOthersAtOnce() {
        Process a = new Process(1, 1);
        pass(10);
        silent(true);
        pass(20);
        a.sittings.forEach(each -> each.heard.clear());
        pass(5);
        assertThat(a.sittings).allSatisfy(each -> assertThat(each.heard).isEmpty());
        silent(false);
        for (int i = 0; i < 100 && a.held() < 2; i++) {
            pass(0.05);
        }
        pass(0.1);
        assertThat(a.sittings).allSatisfy(each -> assertThat(each.heard).isNotEmpty());
        assertThat(a.sittings).allSatisfy(each -> assertThat(each.wentOn).isOne());
    }

    /** Another replica may have taken it, and have placed by what it knew then. */
    @Test
    void whatAPausedEngineSeesIsNotWhatTheShardsHolderHasSeen() {
        Process a = new Process(2, 1);
        pass(10);
        a.gets(new ShardProgress(50, 60, 40, 40));
        pass(5);
        Sitting one = a.sitting();
        LeaseStore other = leases.get(a.sittings.stream()
                .filter(each -> each != one && !each.tenure.isOverseer())
                .findFirst()
                .orElseThrow()
                .tenure
                .lease());
        unwritable = other;
        pass(20);
        assertThat(a.held()).isEqualTo(2);
        a.gets(new ShardProgress(80, 90, 70, 70));
        pass(5);
        assertThat(one.others).isEqualTo(new ShardProgress(50, 90, 40, 40));
        unwritable = null;
        pass(5);
        assertThat(a.held()).isEqualTo(3);
        assertThat(one.others).isEqualTo(new ShardProgress(80, 90, 70, 70));
    }

    @Test
    void anEngineEndsWhereAnotherHasTakenTheShardMeanwhile() {
        Process a = new Process(4, 1);
        Process b = new Process(4, 1);
        pass(60);
        List<Sitting> before = a.sittings.stream().filter(Sitting::mayBind).toList();
        a.cutOff = true;
        pass(40);
        assertThat(b.held()).isEqualTo(5);
        assertThat(lost()).isEmpty();
        a.cutOff = false;
        pass(3);
        assertThat(lost()).containsExactlyInAnyOrderElementsOf(before);
        pass(60);
        areShared(5);
    }

    @Test
    void anEngineEndsThatWouldHaveToReadAllAnewAnyway() {
        Process a = new Process(2, 1);
        pass(10);
        silent(true);
        pass(305);
        assertThat(lost()).hasSize(3);
        silent(false);
        pass(30);
        assertThat(a.held()).isEqualTo(3);
    }

    @Test
    void whoIsAskedToStopWaitsForNoServer() {
        Process a = new Process(2, 1);
        pass(10);
        silent(true);
        pass(20);
        a.seats.stop();
        pass(1);
        assertThat(a.replica.hasEnded()).isTrue();
        assertThat(lost()).hasSize(3);
    }

    /** A Lease of which nobody else has heard is no proof: who parts nodes otherwise places on them under other Leases. */
    @ParameterizedTest(name = "taken {0} times")
    @ValueSource(ints = {0, 1, 2})
    void anEngineEndsWhereAnotherMapMayHaveBeenInForce(int taken) {
        Process a = new Process(3, 1);
        pass(10);
        a.cutOff = true;
        pass(20);
        for (int i = 0; i < taken; i++) {
            LeaseStore overseer = leases.get("evenkeel");
            int transitions = overseer.lease().transitions();
            overseer.put(overseer.json()
                    .replace("\"leaseTransitions\":" + transitions, "\"leaseTransitions\":" + (transitions + 1))
                    .replace(overseer.holder(), "somebody" + i));
        }
        a.cutOff = false;
        pass(4);
        assertThat(lost().stream().map(each -> each.tenure.name()))
                .containsExactlyInAnyOrderElementsOf(
                        switch (taken) {
                            case 0 -> List.of();
                            case 1 -> List.of(Seats.OVERSEER);
                            default -> List.of(Seats.OVERSEER, "0", "1", "2");
                        });
    }

    @Test
    void anEngineEndsWhereItsNodesWereAnothersUnderAnotherMap() {
        Process a = new Process(4, 1);
        pass(10);
        a.cutOff = true;
        Process b = new Process(2, 1);
        pass(60);
        assertThat(b.held()).isEqualTo(3);
        a.cutOff = false;
        pass(4);
        assertThat(lost()).hasSize(5);
        assertThat(leases.get("evenkeel-shard-3").holder())
                .as("of a Lease that nobody took")
                .isEqualTo(a.name);
    }

    @Test
    void anEngineEndsWhereALeaseWasTakenAndPutBack() {
        Process a = new Process(2, 1);
        pass(10);
        LeaseStore shard = leases.get("evenkeel-shard-1");
        int transitions = shard.lease().transitions();
        shard.put(shard.json()
                .replace("\"leaseTransitions\":" + transitions, "\"leaseTransitions\":" + (transitions + 1)));
        pass(3);
        assertThat(lost().stream().map(each -> each.tenure.name())).containsExactly("1");
        pass(30);
        assertThat(a.held()).isEqualTo(3);
    }

    /** The answer to the last renewal comes when it is too late to go by it without a look. */
    @Test
    void whoeverStoodStillLooksBeforeItGoesOn() {
        Process a = new Process(3, 1);
        pass(10);
        a.pauses = 0.05;
        pass(600);
        a.pauses = 0;
        pass(60);
        assertThat(a.held()).isEqualTo(4);
        assertThat(lost()).as("nobody else was there").isEmpty();
    }

    @Test
    void howFarOthersHaveGotIsHeardSoonByWhoWaits() {
        Process a = new Process(2, 1);
        Process b = new Process(2, 1);
        pass(40);
        Sitting one = a.sitting();
        a.gets(new ShardProgress(8, 9, 7, 7));
        b.gets(new ShardProgress(5, 6, 4, 4));
        pass(5);
        assertThat(one.others.pods()).isEqualTo(5);
        assertThat(one.others.podsSeen()).isBetween(6L, 9L);
        assertThat(one.others.nodes()).isEqualTo(4);

        one.waits = true;
        b.sittings.forEach(each -> each.waits = true);
        pass(0.5);
        b.gets(new ShardProgress(10, 11, 9, 9));
        pass(0.4);
        assertThat(one.others.nodes()).isGreaterThanOrEqualTo(7);
        assertThat(one.others.podsSeen()).isEqualTo(11);

        b.die();
        pass(25);
        assertThat(a.held()).isEqualTo(3);
        assertThat(one.others.podsSeen()).isEqualTo(9);
    }

    @ParameterizedTest(name = "waits {0}")
    @ValueSource(booleans = {true, false})
    void howFarOthersHaveGotIsToldOnceARetryPeriodThoughNobodyGetsAnyFurther(boolean waits) {
        Process a = new Process(2, 1);
        pass(5);
        Sitting one = a.sitting();
        one.waits = waits;
        pass(5);
        one.heard.clear();
        pass(20);
        assertThat(one.heard).hasSizeBetween(9, 11);
        assertThat(Set.copyOf(one.heard)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "5000000000000000000", "99999999999999999999", "-1", "many"})
    void whatNoHolderCanHaveSeenIsNothingUntilTheHolderSaysItAnew(String absurd) {
        Process a = new Process(2, 1);
        Process b = new Process(2, 1);
        pass(40);
        Sitting one = a.sitting();
        one.waits = true;
        a.gets(new ShardProgress(80, 90, 70, 70));
        b.gets(new ShardProgress(50, 60, 40, 40));
        pass(5);
        one.heard.clear();
        String its = b.sittings.getLast().tenure.lease();
        LeaseStore lease = leases.get(its);
        lease.put(lease.json().replace("50/60/40/40", String.join("/", Collections.nCopies(4, absurd))));
        pass(5);
        assertThat(one.heard.stream().map(ShardProgress::pods).distinct()).containsExactlyInAnyOrder(0L, 50L);
        assertThat(one.others).isEqualTo(new ShardProgress(50, 90, 40, 40));
    }

    @ParameterizedTest(name = "released {0}")
    @ValueSource(booleans = {true, false})
    void ofASeatThatNobodyHoldsIsKnownWhatWasLastWrittenUntilItsNextHolderHasSeenMore(boolean released) {
        Process a = new Process(2, 1);
        Process b = new Process(2, 1);
        pass(40);
        Sitting one = a.sitting();
        one.waits = true;
        a.gets(new ShardProgress(80, 90, 70, 70));
        b.gets(new ShardProgress(50, 60, 40, 40));
        pass(5);
        ShardProgress before = one.others;
        assertThat(before.pods()).isEqualTo(50);

        one.heard.clear();
        if (released) {
            b.seats.stop();
        } else {
            b.die();
        }
        pass(25);
        assertThat(a.held()).isEqualTo(3);
        assertThat(one.heard)
                .as("of what nobody has seen")
                .allSatisfy(least -> assertThat(least.pods()).isLessThanOrEqualTo(before.pods()));
        assertThat(one.others.pods()).isZero();
        a.sittings.getLast().progress = new ShardProgress(100, 110, 90, 90);
        pass(1);
        assertThat(one.others.podsSeen()).isEqualTo(110);
    }

    @Test
    void anotherMapWaitsUntilTheLastHolderOfTheOldOneHasGone() {
        Process a = new Process(4, 1);
        Process b = new Process(4, 1);
        pass(40);
        Process c = new Process(2, 1);
        Process d = new Process(2, 1);
        pass(30);
        assertThat(c.held() + d.held()).isZero();
        a.seats.stop();
        pass(20);
        assertThat(b.held()).isEqualTo(5);
        assertThat(c.held() + d.held()).isZero();
        b.seats.stop();
        pass(10);
        assertThat(c.held() + d.held()).isEqualTo(3);
        assertThat(leases.get("evenkeel").lease().note(MapLease.MAP)).isEqualTo("count=2");
        assertThat(leases.get("evenkeel").lease().note(MapLease.BEFORE)).isEmpty();
    }

    @Test
    void aShardThatWasTakenWhileTheMapWasChangedIsWaitedFor() {
        Process a = new Process(4, 1);
        pass(10);
        LeaseStore shard = leases.get("evenkeel-shard-0");
        String taken = shard.json();
        a.seats.stop();
        pass(5);
        comesFirst = () -> shard.put(taken);
        Process b = new Process(2, 1);
        pass(10);
        assertThat(b.held()).isZero();
        assertThat(leases.get("evenkeel").lease().note(MapLease.BEFORE)).isEqualTo("count=4");
        pass(20);
        assertThat(b.held()).isEqualTo(3);
        assertThat(leases.get("evenkeel").lease().note(MapLease.BEFORE)).isEmpty();
    }

    @Test
    void whatAnotherWantsIsLeftToItForTwoRetryPeriods() {
        Process a = new Process(2, 1);
        pass(5);
        a.seats.stop();
        pass(2);
        LeaseStore shard = leases.get("evenkeel-shard-1");
        shard.put(shard.json()
                .replace("\"evenkeel.io/seen\"", "\"evenkeel.io/wanted-by\":\"somebody\",\"evenkeel.io/seen\""));
        Process b = new Process(2, 1);
        pass(3.5);
        assertThat(b.held()).isEqualTo(2);
        pass(2.5);
        assertThat(b.held()).isEqualTo(3);
    }

    /** A replica without shards, as most are. */
    private LeaderElector alone(List<String> told) {
        SimulatedReplicas.Replica replica = replicas.replica();
        LeaderElector elector = new LeaderElector(
                SETTINGS,
                "alone",
                new ScriptedTransport(this::serve),
                new LeaderCallbacks() {
                    @Override
                    public void onStartedLeading() {
                        told.add("started");
                    }

                    @Override
                    public void onStoppedLeading() {
                        told.add("stopped");
                    }

                    @Override
                    public void onNewLeader(String identity) {}
                },
                (_, _) -> {},
                "evenkeel",
                new Clocks(replicas::now, () -> BEGIN.plusNanos(replicas.now()), random),
                replica,
                (_, exchange) -> exchange.run());
        replicas.start(replica, elector::run);
        return elector;
    }

    @Test
    void whoSchedulesAloneWaitsForTheLastHolderOfAShardAndTheOtherWayRound() {
        Process a = new Process(4, 1);
        pass(10);
        List<String> told = new ArrayList<>();
        LeaderElector alone = alone(told);
        pass(20);
        assertThat(told).isEmpty();
        a.seats.stop();
        pass(10);
        assertThat(told).containsExactly("started");
        assertThat(leases.get("evenkeel").lease().annotations()).doesNotContainKeys(MapLease.MAP, MapLease.BEFORE);

        Process b = new Process(4, 1);
        pass(20);
        assertThat(b.held()).isZero();
        alone.stop();
        pass(10);
        assertThat(b.held()).isEqualTo(5);
    }

    @Test
    void whoeverFindsAnotherMapGivesUpAtOnce() {
        Process a = new Process(4, 1);
        pass(10);
        LeaseStore overseer = leases.get("evenkeel");
        overseer.put(overseer.json().replace("count=4", "count=3").replace(a.name, "somebody"));
        pass(2.3);
        assertThat(a.held()).isZero();
    }

    @Test
    void whatOthersWriteInThePlaceOfTheMapDoesNotStay() {
        Process a = new Process(4, 1);
        pass(10);
        LeaseStore overseer = leases.get("evenkeel");
        overseer.put(overseer.json().replace("count=4", "nonsense"));
        pass(40);
        assertThat(overseer.lease().note(MapLease.MAP)).isEqualTo("count=4");
        assertThat(a.held()).isEqualTo(5);
    }

    @Test
    void whoWaitsForAnotherMapsEndAsksForNothing() {
        Process a = new Process(4, 1);
        pass(10);
        Process b = new Process(3, 1);
        pass(40);
        assertThat(a.held()).isEqualTo(5);
        assertThat(a.sittings).as("none was given up").hasSize(5);
        assertThat(b.held()).isZero();
    }

    @Test
    void allLeasesOfAnotherMapRunOutAtOnce() {
        Process a = new Process(4, 1);
        pass(10);
        a.seats.abandon();
        Process b = new Process(3, 1);
        pass(40);
        assertThat(b.held()).isEqualTo(4);
    }

    @ParameterizedTest(name = "{0} seats at {1} ms a call")
    @CsvSource({"64, 200", "8, 1200", "64, 1200"})
    void allAreTakenAndKeptThoughCallsAreSlow(int seats, long millis) {
        Process a = new Process(seats - 1, 1, millis * SECOND / 1_000);
        pass(90);
        assertThat(a.held()).isEqualTo(seats);
        assertThat(begun).as("none was lost").isEqualTo(seats);
        pass(600);
        assertThat(a.held()).isEqualTo(seats);
        assertThat(begun).as("none was lost").isEqualTo(seats);
    }

    @Test
    void twoShareManyThoughCallsAreSlow() {
        new Process(31, 1, SECOND / 5);
        pass(60);
        new Process(31, 1, SECOND / 5);
        pass(240);
        assertThat(held()).hasSize(2).allMatch(each -> each >= 15);
        int before = begun;
        pass(300);
        assertThat(begun - before).as("hand-overs in calm").isZero();
    }

    @Test
    void aLeaseIsWrittenOnceARetryPeriodAndAllOthersAreReadByOneCall() {
        new Process(8, 1);
        new Process(8, 1);
        pass(60);
        asked.clear();
        pass(200);
        assertThat(asked.get("PUT")).isBetween(9 * 90, 9 * 100);
        assertThat(asked.get("LIST")).isBetween(2 * 80, 2 * 101);
        assertThat(asked).doesNotContainKeys("GET", "POST");
    }

    @Test
    void newsIsWrittenOnlyWhereSomebodyWaitsAndAFewTimesASecond() {
        Process a = new Process(8, 1);
        Process b = new Process(8, 1);
        pass(60);
        List<Sitting> all = Stream.of(a, b)
                .flatMap(each -> each.sittings.stream())
                .filter(Sitting::mayBind)
                .toList();
        asked.clear();
        for (int i = 1; i <= 400; i++) {
            newsOf(all, i);
            pass(0.05);
        }
        assertThat(asked.get("PUT")).as("in 20 s").isBetween(9 * 9, 9 * 10 + 9);

        all.forEach(each -> each.waits = true);
        asked.clear();
        for (int i = 401; i <= 800; i++) {
            newsOf(all, i);
            pass(0.05);
        }
        assertThat(asked.get("PUT")).as("in 20 s").isBetween(20 * 10, 20 * 25);
        assertThat(asked.get("LIST")).as("in 20 s").isLessThanOrEqualTo(2 * 20 * 10);
    }

    private static void newsOf(List<Sitting> sittings, long version) {
        sittings.forEach(each -> each.progress = new ShardProgress(version, version, version, version));
    }

    @Test
    void whatWasNotReadHasNotRunOut() throws IOException {
        Process a = new Process(1, 1);
        pass(10);
        AtomicLong now = new AtomicLong();
        ContestedLease lease = new ContestedLease(
                new LeaseClient(
                        new ScriptedTransport(this::serve),
                        (_, exchange) -> exchange.run(),
                        () -> SECOND,
                        "kube-system",
                        "evenkeel",
                        "overseer"),
                "somebody",
                Duration.ofSeconds(15),
                now::get,
                () -> BEGIN);
        lease.read();
        now.set(60 * SECOND);
        assertThat(lease.isFree()).as("read once").isFalse();
        pass(10);
        lease.read();
        assertThat(lease.isFree()).as("renewed meanwhile").isFalse();
        a.die();
        now.set(74 * SECOND);
        lease.read();
        assertThat(lease.isFree()).isFalse();
        now.set(75 * SECOND);
        assertThat(lease.isFree())
                .as("when it was last read it had not run out")
                .isFalse();
        lease.read();
        assertThat(lease.isFree()).isTrue();
    }

    @ParameterizedTest(name = "{0}, cut off {1}")
    @CsvSource({"evenkeel-shard-1, false", "evenkeel-shard-1, true", "evenkeel, false", "evenkeel, true"})
    void whatIsDeletedIsMadeAnewOnceItsHolderHasSurelyEnded(String deleted, boolean cutOff) {
        Process a = new Process(2, 1);
        pass(10);
        new Process(2, 1);
        pass(40);
        Process holder = processes.stream()
                .filter(each -> each.name.equals(leases.get(deleted).holder()))
                .findFirst()
                .orElseThrow();
        int before = begun;
        long held = holder.held();
        holder.cutOff = cutOff;
        leases.remove(deleted);
        pass(3);
        assertThat(holder.held()).isEqualTo(cutOff ? held : held - 1);
        pass(9);
        assertThat(leases).doesNotContainKey(deleted);
        holder.cutOff = false;
        pass(60);
        assertThat(leases).containsKey(deleted);
        areShared(3);
        assertThat(begun - before).isBetween(1, cutOff ? 4 : 2);
    }

    @Test
    void whereTheOverseersLeaseWasDeletedTheMapStaysWhileAnyHoldsAShard() {
        Process a = new Process(4, 1);
        pass(10);
        Process b = new Process(3, 1);
        pass(10);
        leases.remove("evenkeel");
        pass(60);
        assertThat(a.held()).isEqualTo(5);
        assertThat(b.held()).isZero();
        assertThat(leases.get("evenkeel").lease().note(MapLease.MAP)).isEqualTo("count=4");

        a.die();
        leases.remove("evenkeel");
        pass(60);
        assertThat(b.held()).isEqualTo(4);
    }

    @Test
    void whatIsStillUnderwayWhenAReplicaEndsIsLeftToRunOut() {
        Process a = new Process(2, 1);
        pass(40);
        Sitting stuck = a.sittings.stream()
                .filter(each -> each.tenure.name().equals("1"))
                .findFirst()
                .orElseThrow();
        stuck.isStuck = true;
        Process b = new Process(2, 1);
        pass(0.2);
        a.seats.stop();
        pass(6);
        assertThat(a.replica.hasEnded()).isTrue();
        assertThat(b.held()).isEqualTo(2);
        assertThat(leases.get("evenkeel-shard-1").holder()).isEqualTo(a.name);
        pass(6);
        assertThat(b.held()).isEqualTo(2);
        pass(6);
        assertThat(b.held()).isEqualTo(3);
    }

    @Test
    void whoKnowsAllNodesIsAloneOnOneOfThreeReplicas() {
        weights = name -> name.equals(Seats.OVERSEER) ? 40_000 : 10_000;
        new Process(4, 1);
        pass(10);
        new Process(4, 1);
        new Process(4, 1);
        pass(120);
        assertThat(held()).containsExactly(1L, 2L, 2L);
        assertThat(processes.stream()
                        .filter(each -> each.held() == 1)
                        .flatMap(each -> each.sittings.stream())
                        .filter(Sitting::mayBind)
                        .map(each -> each.tenure.name()))
                .containsExactly(Seats.OVERSEER);

        int before = begun;
        Random noise = new Random(3);
        weights = name -> (long) ((name.equals(Seats.OVERSEER) ? 40_000 : 10_000) * (0.97 + 0.06 * noise.nextDouble()));
        pass(2_000);
        assertThat(begun - before).as("hand-overs in a thousand retry periods").isZero();

        weights = name -> name.equals("2") ? 60_000 : 10_000;
        pass(120);
        assertThat(processes.stream()
                        .filter(each -> each.held() == 1)
                        .flatMap(each -> each.sittings.stream())
                        .filter(Sitting::mayBind)
                        .map(each -> each.tenure.name()))
                .as("alone")
                .containsExactly("2");
    }

    @Test
    void seatsGoOneByOne() {
        weights = name -> name.equals(Seats.OVERSEER) ? 4_000 : 1_000;
        new Process(16, 1);
        pass(30);
        new Process(16, 1);
        new Process(16, 1);
        int last = begun;
        for (int i = 0; i < 1_500; i++) {
            pass(0.1);
            long wanted = leases.values().stream()
                    .filter(each -> !each.lease().note(Seats.WANTED_BY).isEmpty())
                    .count();
            assertThat(wanted).as("on the move").isLessThanOrEqualTo(2);
            assertThat(begun - last).isLessThanOrEqualTo(2);
            last = begun;
        }
        assertThat(processes.stream().map(Process::load).toList())
                .allSatisfy(load -> assertThat(load).isBetween(5_000L, 8_000L));
    }

    @Test
    void whereLeasesMayNotBeListedEachIsReadByItself() {
        mayNotList = true;
        Process a = new Process(4, 1);
        pass(10);
        new Process(4, 1);
        new Process(4, 1);
        pass(60);
        areShared(5);
        a.die();
        pass(30);
        areShared(5);
        new Process(3, 1);
        processes.stream().filter(each -> each.map.equals("count=4")).forEach(each -> each.seats.stop());
        pass(30);
        areShared(4);
    }

    @Test
    void whoWaitsForAnotherMapSaysSoAsItBeginsAndEveryMinute() {
        Process a = new Process(4, 1);
        pass(10);
        try (LogLines log = new LogLines(MapLease.class)) {
            new Process(2, 1);
            pass(130);
            assertThat(log.lines())
                    .hasSize(3)
                    .allMatch(("INFO Nodes are parted by another map, waiting until nobody holds a shard of it"
                            + " [map=\"count=4\", heldBy=\"" + a.name + "\"]")::equals);
            a.die();
            pass(15);
            assertThat(log.lines().getLast()).contains("heldBy=\"" + a.name + "\"");
        }
    }

    @Test
    void howLongAShardWasVacantCountsFromWhenTheMapIsInForce() {
        Process a = new Process(2, 1);
        pass(10);
        Process b = new Process(4, 1);
        pass(100);
        a.seats.stop();
        pass(10);
        assertThat(b.held()).isEqualTo(5);
        long now = b.clocks.nanos().getAsLong();
        assertThat(b.sittings)
                .allSatisfy(each -> assertThat(now - each.tenure.vacantSince()).isLessThan(10 * SECOND));
    }

    @Test
    void whatIsPlacedAcrossIsPartOfTheMap() {
        Process a = new Process(new ShardSettings("", List.of(), 2, false), 1, 0);
        pass(10);
        Process b = new Process(new ShardSettings("", List.of(), 2, true), 1, 0);
        pass(40);
        assertThat(b.held()).isZero();
        a.seats.stop();
        pass(20);
        assertThat(b.held()).isEqualTo(3);
        assertThat(leases.get("evenkeel").lease().note(MapLease.MAP)).isEqualTo("count=2 across=Refuse");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void neverDoTwoHoldAShardWhateverFailsPausesOrRunsFast(long seed) {
        random = new Random(seed);
        int shards = 1 + random.nextInt(8);
        int most = 2 + random.nextInt(4);
        for (int round = 0; round < 25; round++) {
            processes.removeIf(one -> one.replica.hasEnded());
            if (processes.size() < most) {
                // sometimes by another map
                int parted = random.nextInt(4) == 0 ? 1 + random.nextInt(8) : shards;
                Process process = new Process(parted, 0.9 + 0.2 * random.nextDouble());
                process.failures = random.nextInt(3) * 0.1;
                process.pauses = random.nextInt(3) * 0.01;
            }
            Process one = processes.get(random.nextInt(processes.size()));
            switch (random.nextInt(6)) {
                case 0 -> one.seats.stop();
                case 1 -> one.die();
                case 2 -> one.cutOff = true;
                case 3 -> leases.remove("evenkeel-shard-" + random.nextInt(shards));
                default -> one.cutOff = false;
            }
            pass(random.nextDouble() * 40);
        }
        for (Process process : List.copyOf(processes)) {
            process.failures = 0;
            process.pauses = 0;
            process.cutOff = false;
            if (!process.map.equals("count=" + shards)) {
                process.seats.stop();
            }
        }
        new Process(shards, 1);
        pass(160);
        areShared(shards + 1);
        int before = begun;
        pass(100);
        assertThat(begun - before).as("hand-overs in calm").isZero();
    }
}
