package io.evenkeel.app.live;

import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.app.companion.AskedCluster.Parted.Holder;
import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.live.LiveScheduler.Ending;
import io.evenkeel.app.live.LiveScheduler.Shard;
import io.evenkeel.app.live.LiveScheduler.Shard.GateMaker;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.app.metrics.ShardMetrics;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Supervisor;
import io.evenkeel.kube.api.Supervisor.SupervisedMachine;
import io.evenkeel.kube.election.Seats;
import io.evenkeel.kube.election.Seats.Occupant;
import io.evenkeel.kube.election.Seats.Tenure;
import io.evenkeel.shard.LocalGate;
import io.evenkeel.shard.OverseerGate;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedulers of the shards that this replica holds. Each begins when its Lease is taken, and reads everything from then on; it
 * ends when the Lease is lost, or wanted by another replica and all that was underway has been seen through. While the Lease cannot
 * be renewed it decides and writes nothing, but stays. A fault of one ends the process, as its state cannot be trusted.
 */
public final class LiveShards implements LiveEngines {
    private static final Logger log = LoggerFactory.getLogger(LiveShards.class);

    static final String OVERSEER = Seats.OVERSEER;
    private static final Duration TO_RELEASE = Duration.ofSeconds(5);

    private final SchedulerConfiguration configuration;
    private final ShardMap map;
    private final ApiTransport transport;
    private final LiveOptions options;
    private final String version;
    private final ShownMetrics shown;
    private final Supplier<List<Companion>> ofOverseer;
    private final Duration grace;
    private final Machine machine;
    private final BiFunction<String, LiveObservers, LiveObservers> observers;
    private final Seats seats;
    private final Thread election;
    private final ShardMetrics metrics;
    private final CompletableFuture<Ending> ended = new CompletableFuture<>();
    private final Map<Integer, Sitting> sittings = new ConcurrentSkipListMap<>();
    private volatile boolean stopping;

    /**
     * @param ofOverseer makes what runs beside the engine that knows all nodes, whenever that begins here
     * @param grace for what is underway when a shard is given up
     */
    LiveShards(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            String version,
            ShownMetrics shown,
            Supplier<List<Companion>> ofOverseer,
            Duration grace,
            Machine machine) {
        this(configuration, transport, options, version, shown, ofOverseer, grace, (_, usual) -> usual, machine);
    }

    private LiveShards(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            String version,
            ShownMetrics shown,
            Supplier<List<Companion>> ofOverseer,
            Duration grace,
            BiFunction<String, LiveObservers, LiveObservers> observers,
            Machine machine) {
        this.observers = observers;
        this.configuration = configuration;
        this.transport = transport;
        this.options = options;
        this.version = version;
        this.shown = shown;
        this.ofOverseer = ofOverseer;
        this.grace = grace;
        this.machine = new SupervisedMachine(machine, this::died);
        map = new ShardMap(configuration.shards());
        seats = new Seats(
                configuration.leaderElection(),
                map,
                options.hostname() + "_" + machine.uuid(),
                transport,
                Sitting::new,
                this.machine);
        election = this.machine.dedicated("leader-election", seats::run);
        metrics = new ShardMetrics(this::held, this::instruments);
    }

    /**
     * Assembles those of a replica without companions, on a machine that may be simulated.
     *
     * @param observers of a shard's engine, by the shard's name
     */
    public static LiveShards assemble(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            Duration grace,
            Function<String, LiveObservers> observers,
            Machine machine) {
        return new LiveShards(
                configuration,
                transport,
                options,
                "",
                ShownMetrics.ALL,
                List::of,
                grace,
                (shard, _) -> observers.apply(shard),
                machine);
    }

    /** Whoever is on the seat of a shard here: its engine, from the taking of the Lease until its end. */
    private final class Sitting implements Occupant {
        private final Tenure tenure;
        private final boolean hasEngine;
        private volatile Optional<LiveScheduler> live = Optional.empty();
        private volatile List<Instruments> instruments = List.of();
        private volatile ShardProgress others = ShardProgress.NONE;
        private volatile boolean over;

        Sitting(Tenure tenure) {
            this.tenure = tenure;
            hasEngine = !tenure.isOverseer() || !configuration.shards().refusesAcross();
            sittings.put(tenure.number(), this);
            if (hasEngine) {
                onItsOwnThread("begin", this::begin);
            }
        }

        private void onItsOwnThread(String what, Runnable work) {
            machine.thread("shard-" + tenure.name() + "-" + what, work).start();
        }

        private synchronized void begin() {
            List<Companion> beside = tenure.isOverseer() ? ofOverseer.get() : List.of();
            LiveMetrics measured = new LiveMetrics(tenure.lease(), version, configuration.featureGates(), shown);
            LiveScheduler scheduler = LiveScheduler.ofShard(
                    configuration,
                    transport,
                    options,
                    observers.apply(tenure.name(), LiveObservers.of(measured, beside)),
                    machine,
                    new Shard(tenure::mayBind, tenure::vacate, tenure::leave, gate()));
            List<Instruments> all = new ArrayList<>(
                    measured.ofScheduler(scheduler, beside.stream().anyMatch(Companion::showsSpread)));
            beside.forEach(each -> all.add(each.metrics()));
            instruments = List.copyOf(all);
            live = Optional.of(scheduler);
            scheduler.loop().othersAt(others);
            var _ = scheduler.ended().thenAccept(this::ended);
            var _ = scheduler.loop().known().thenRun(this::isKnown);
            if (!over) {
                scheduler.begin();
            }
            if (over) { // by now: whoever said so may have found nothing yet to be closed
                scheduler.close();
            }
        }

        private GateMaker gate() {
            return (engine, commands) -> tenure.isOverseer()
                    ? new OverseerGate(map, configuration, engine, commands)
                    : new LocalGate(tenure.number(), map, configuration, engine, commands);
        }

        private void isKnown() {
            live.ifPresent(scheduler -> {
                long since = scheduler.now() - tenure.vacantSince();
                metrics.tookOver(tenure.name(), since);
                log.atInfo()
                        .setMessage("Scheduling a shard")
                        .addKeyValue("shard", tenure.name())
                        .addKeyValue("takeover", GoDuration.rounded(Duration.ofNanos(since)))
                        .log();
                tenure.publish(
                        scheduler.events(), configuration.profiles().getFirst().schedulerName());
            });
        }

        private void ended(Ending ending) {
            if (ending == Ending.FAULT) {
                ended.complete(Ending.FAULT);
            }
        }

        @Override
        public ShardProgress progress() {
            return hasEngine ? live.map(LiveScheduler::progress).orElse(ShardProgress.NONE) : ShardProgress.NOBODY;
        }

        @Override
        public boolean waits() {
            return live.filter(LiveScheduler::waits).isPresent();
        }

        @Override
        public void othersAt(ShardProgress least) {
            others = least;
            live.ifPresent(scheduler -> scheduler.loop().othersAt(least));
        }

        @Override
        public OptionalLong weight() {
            return hasEngine ? live.map(LiveScheduler::weight).orElse(OptionalLong.empty()) : OptionalLong.of(0);
        }

        @Override
        public void goOn() {
            live.ifPresent(LiveScheduler::goOn);
        }

        @Override
        public void drain() {
            onItsOwnThread("end", () -> {
                synchronized (this) {
                    live.ifPresentOrElse(scheduler -> scheduler.stop(grace), tenure::vacate);
                }
                close();
            });
        }

        @Override
        public void lost() {
            metrics.lost(tenure.name());
            onItsOwnThread("end", this::close);
        }

        void close() {
            over = true;
            sittings.remove(tenure.number(), this);
            live.ifPresent(LiveScheduler::close);
        }
    }

    private void died(String thread, Throwable why) {
        try {
            log.atError()
                    .setMessage("A thread has died")
                    .addKeyValue("thread", thread)
                    .setCause(why)
                    .log();
        } finally {
            ended.complete(Ending.FAULT);
        }
    }

    private Map<String, Boolean> held() {
        Map<String, Boolean> held = new LinkedHashMap<>();
        seats.view().forEach(seat -> held.put(seat.name(), seat.mine()));
        return held;
    }

    private Map<String, List<Instruments>> instruments() {
        Map<String, List<Instruments>> all = new LinkedHashMap<>();
        sittings.values().stream()
                .filter(LiveShards::isAtWork)
                .forEach(each -> all.put(each.tenure.name(), each.instruments));
        return all;
    }

    /** Not while it is paused, as another replica may have the shard by then. */
    private static boolean isAtWork(Sitting sitting) {
        return sitting.tenure.mayBind()
                && sitting.live.filter(scheduler -> !scheduler.isStopping()).isPresent();
    }

    /** Who holds what, as last read. */
    Parted parted() {
        Map<String, Holder> holders = new HashMap<>();
        seats.view()
                .forEach(seat -> holders.put(
                        seat.name(),
                        new Holder(
                                seat.holder()
                                        .substring(0, Math.max(0, seat.holder().lastIndexOf('_'))),
                                seat.hasRunOut())));
        return new Parted(
                options.hostname(),
                Duration.ZERO,
                map,
                holders.getOrDefault(OVERSEER, Parted.NOBODY),
                IntStream.range(0, map.count())
                        .mapToObj(shard -> holders.getOrDefault(Integer.toString(shard), Parted.NOBODY))
                        .toList());
    }

    /** The metrics of all shards. */
    Instruments metrics() {
        return metrics;
    }

    @Override
    public Map<String, LiveScheduler> engines() {
        Map<String, LiveScheduler> all = new LinkedHashMap<>();
        sittings.values().stream()
                .filter(LiveShards::isAtWork)
                .forEach(each -> all.put(each.tenure.name(), each.live.orElseThrow()));
        return all;
    }

    @Override
    public boolean isElectionHealthy() {
        return seats.healthy();
    }

    @Override
    public boolean takesPart() {
        return seats.takesPart();
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    @Override
    public void begin() {
        log.atInfo()
                .setMessage("Attempting to acquire the leases of shards")
                .addKeyValue(
                        "lease",
                        configuration.leaderElection().resourceNamespace() + "/"
                                + configuration.leaderElection().resourceName())
                .addKeyValue("map", map.text())
                .addKeyValue("identity", seats.identity())
                .log();
        election.start();
    }

    @Override
    public Supervisor supervisor() {
        return this::died;
    }

    @Override
    public CompletableFuture<Ending> ended() {
        return ended;
    }

    @Override
    public void stop(Duration time) {
        if (stopping) {
            return;
        }
        stopping = true;
        seats.stop();
        try {
            machine.join(election, time.plus(TO_RELEASE));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        close();
        ended.complete(Ending.STOPPED);
    }

    @Override
    public void close() {
        stopping = true;
        seats.abandon();
        sittings.values().forEach(Sitting::close);
    }
}
