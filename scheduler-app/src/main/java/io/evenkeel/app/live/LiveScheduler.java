package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.metrics.LiveMetrics.Measured;
import io.evenkeel.app.metrics.LiveMetrics.RecordCounts;
import io.evenkeel.app.record.Recorder;
import io.evenkeel.app.record.Recording;
import io.evenkeel.app.record.SegmentHeader.RunSettings;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.decision.NodeChoice;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.api.Supervisor;
import io.evenkeel.kube.api.Supervisor.SupervisedMachine;
import io.evenkeel.kube.dispatch.CommandSink;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import io.evenkeel.kube.dispatch.Dispatcher;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.DryRun;
import io.evenkeel.kube.election.LeaderElector;
import io.evenkeel.kube.election.LeaderElector.LeaderCallbacks;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;
import io.evenkeel.kube.patch.PatchWriter;
import io.evenkeel.kube.watch.Watches;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.shard.ShardGate;
import io.evenkeel.shard.ShardProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler at work on a cluster: watches, engine, dispatcher and leader election, put together. Of one shard, it takes part in no
 * election, as it begins when the shard is this replica's.
 */
public final class LiveScheduler implements Surroundings, Measured, LiveEngines {
    private static final Logger log = LoggerFactory.getLogger(LiveScheduler.class);
    private static final Duration TO_RESIGN = Duration.ofSeconds(5);

    public enum Ending {
        STOPPED,
        /** Another replica may be leading now. */
        LEASE_LOST,
        /** Its state cannot be trusted any more. */
        FAULT
    }

    private final Machine machine;
    private final Mailbox mailbox;
    private final Leadership leadership;
    private final CompletableFuture<Ending> ended = new CompletableFuture<>();
    private final ObjectReader reader = new ObjectReader();
    private static final PodCondition NO_TRACE = new PodCondition(PodCondition.SHARD, "", "", "", "", 0);

    private final SchedulerConfiguration configuration;
    private final ApiTransport transport;
    private final LiveOptions options;
    private final Extenders extenders;
    private final CommandSink commands;
    private final List<Companion> companions;
    private final List<PatchWriter> writers = new ArrayList<>();
    private final Optional<Rehearsal> rehearsal;
    private final RecordedEngine recorded;
    private final EngineLoop loop;
    private final Optional<EngineLoop.Gated> gated;
    private final Optional<Shard> shard;
    private final List<Kind<?>> kinds;
    private final String identity;
    private volatile Optional<Watches> watches = Optional.empty();
    private volatile boolean podsAreToBeListedAnew;
    private volatile boolean stopping;

    private LiveScheduler(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            LiveObservers observers,
            Machine machine,
            Optional<Shard> shard) {
        this.shard = shard;
        this.configuration = configuration;
        this.transport = transport;
        this.options = options;
        this.machine = new SupervisedMachine(machine, this::died);
        identity = options.hostname() + "_" + machine.uuid();
        mailbox = new Mailbox(this.machine);
        leadership = new Leadership(this.machine);
        extenders = Extenders.of(configuration, transport, observers.extenders(), this.machine);
        commands = options.isReadOnly()
                ? new DryRun(this::took)
                : Dispatcher.start(
                        DispatcherSettings.of(configuration),
                        transport,
                        reader,
                        leadership::mayWrite,
                        this::took,
                        observers.dispatcher(),
                        identity,
                        extenders,
                        this.machine);
        LongSupplier nanos = machine.clocks().nanos();
        companions = observers.companions();
        rehearsal = options.dryRun() ? Optional.of(new Rehearsal(nanos)) : Optional.empty();
        recorded = new RecordedEngine(options, machine);
        AtomicReference<Scheduler> engine = new AtomicReference<>();
        Optional<ShardGate> gate = shard.map(part -> part.gate().before(engine::get, this::submit));
        gated = gate.map(before -> new EngineLoop.Gated(before, this::listPodsAnew));
        Scheduler scheduler = new Scheduler(
                configuration,
                options.plugins(),
                recorded.choice(),
                options.settings(configuration),
                recorded.commands(gate.<Consumer<Command>>map(before -> command -> before.give(command, this::submit))
                        .orElse(this::submit)),
                new FaultLog(observers.scheduler(), leadership::isLeading),
                recorded.clock());
        engine.set(scheduler);
        kinds = scheduler.watchedKinds();
        loop = new EngineLoop(
                scheduler, mailbox, () -> mayPlace() && !stopping, recorded.observer(turns(observers)), nanos, gated);
        companions.forEach(each -> each.begin(this));
    }

    /** A shard's Lease that was not renewed in time may be once more: until then nothing is decided that could not be written. */
    private boolean mayPlace() {
        return shard.isPresent() ? leadership.mayWrite() : leadership.isLeading();
    }

    /** Puts a scheduler together that does nothing yet. */
    public static LiveScheduler assemble(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            LiveObservers observers) {
        return assemble(configuration, transport, options, observers, Machine.SYSTEM);
    }

    /** Assembles one on a machine that may be simulated. */
    public static LiveScheduler assemble(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            LiveObservers observers,
            Machine machine) {
        return new LiveScheduler(configuration, transport, options, observers, machine, Optional.empty());
    }

    /** Assembles the one of a shard, whose Lease this replica has just taken. */
    static LiveScheduler ofShard(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            LiveObservers observers,
            Machine machine,
            Shard shard) {
        return new LiveScheduler(configuration, transport, options, observers, machine, Optional.of(shard));
    }

    /**
     * A shard, and this replica's right to it.
     *
     * @param gate made for the engine, and for what it has to say by itself
     * @param vacate is run once nothing is underway any more
     * @param leave is run in its place where something still is
     */
    record Shard(BooleanSupplier mayWrite, Runnable vacate, Runnable leave, GateMaker gate) {
        interface GateMaker {
            ShardGate before(Supplier<Scheduler> engine, Consumer<? super Command> commands);
        }
    }

    public static LiveScheduler start(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            LiveObservers observers) {
        LiveScheduler scheduler = assemble(configuration, transport, options, observers);
        scheduler.begin();
        return scheduler;
    }

    /**
     * Watches the cluster, takes part in the election once it is known, and schedules its pods when this replica leads.
     */
    @Override
    public void begin() {
        recorded.begin(configuration, kinds);
        loop.start(machine, fault -> {
            log.error("The engine has failed", fault);
            ended.complete(Ending.FAULT);
        });
        // A replica that does not know the cluster could only keep the lease from others that do.
        var _ = loop.known().thenRun(this::lead).whenComplete((_, fault) -> {
            if (fault != null) {
                died("engine", fault);
            }
        });
        watches = Optional.of(
                shard.isPresent()
                        ? Watches.ofTheNewest(kinds, transport, mailbox::news, machine)
                        : Watches.start(kinds, transport, mailbox::news, machine));
        if (podsAreToBeListedAnew) {
            listPodsAnew();
        }
    }

    /** A shard's Lease is held again, that nobody else has had meanwhile. */
    void goOn() {
        watches.ifPresent(Watches::hurry);
        loop.wake();
    }

    /** By the engine's thread, which may be at work before the watches are all there. */
    private void listPodsAnew() {
        podsAreToBeListedAnew = true;
        watches.ifPresent(watching -> watching.relist(Kinds.POD));
    }

    private LoopObserver turns(LiveObservers observers) {
        List<LoopObserver> all = new ArrayList<>(List.of(observers.loop()));
        all.addAll(companions);
        all.add(new PoolWatch(
                configuration, leadership::isLeading, machine.clocks().nanos()));
        if (options.audit()) {
            all.add(new TurnAudit());
        }
        rehearsal.ifPresent(all::add);
        return LoopObserver.all(all);
    }

    @Override
    public Supervisor supervisor() {
        return this::died;
    }

    /** Without one of its threads a scheduler would look alive, hold the lease, and do a part of its work. */
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

    private void submit(Command command) {
        switch (command) {
            case Command.AskExtenders question -> extenders.ask(question, mailbox::post);
            case Command.AtServer each -> {
                Command.AtServer write = shard.isPresent() ? each : withoutTrace(each);
                rehearsal.ifPresent(dry -> dry.decided(write));
                commands.submit(write);
            }
        }
    }

    /** Where one engine schedules alone, what those of shards have told each other of a pod goes with the next that is written of it. */
    private static Command.AtServer withoutTrace(Command.AtServer write) {
        return write instanceof Command.PatchStatus(Pod pod, List<PodCondition> conditions, var nominated)
                        && !conditions.isEmpty()
                        && pod.status().shard().isPresent()
                ? new Command.PatchStatus(
                        pod,
                        Stream.concat(conditions.stream(), Stream.of(NO_TRACE)).toList(),
                        nominated)
                : write;
    }

    private void lead() {
        if (shard.isPresent()) {
            leadership.assume(shard.get().mayWrite());
            loop.wake();
            return;
        }
        if (options.observing()) {
            return;
        }
        if (options.dryRun() || !configuration.leaderElection().leaderElect()) {
            log.info("Scheduling without leader election");
            leadership.assume();
            return;
        }
        leadership.campaign(
                configuration.leaderElection(),
                identity,
                transport,
                commands,
                configuration.profiles().stream()
                        .map(Profile::schedulerName)
                        .findFirst()
                        .orElseThrow(),
                loop::wake,
                () -> {
                    log.error("Leader election lost, another replica may be leading");
                    ended.complete(Ending.LEASE_LOST);
                });
    }

    private void took(CommandResult result) {
        if (result instanceof CommandResult.OfBinding binding) {
            tell(binding);
        }
        mailbox.post(result);
    }

    @Override
    public CompletableFuture<Ending> ended() {
        return ended;
    }

    /** Nanoseconds, by the clock that times what the scheduler does. */
    long now() {
        return machine.clocks().nanos().getAsLong();
    }

    @Override
    public boolean isLeading() {
        return leadership.isLeading();
    }

    @Override
    public boolean mayWrite() {
        return leadership.mayWrite();
    }

    @Override
    public boolean isSynced() {
        return loop.isSynced();
    }

    @Override
    public List<Kind<?>> kinds() {
        return kinds;
    }

    @Override
    public <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
        return loop.ask(question);
    }

    @Override
    public <T> T answer(Function<Scheduler, T> question) {
        return loop.answer(question);
    }

    @Override
    public void post(OfPlace place) {
        mailbox.post(place);
    }

    @Override
    public ApiTransport transport() {
        return transport;
    }

    @Override
    public Machine machine() {
        return machine;
    }

    @Override
    public PatchSink patches(String name, Pace pace, PatchObserver observer) {
        if (options.isReadOnly()) {
            return patch -> wouldPatch(patch, observer);
        }
        PatchWriter writer = PatchWriter.start(name, pace, transport, leadership::mayWrite, observer, machine);
        writers.add(writer);
        return writer;
    }

    private static void wouldPatch(MergePatch patch, PatchObserver observer) {
        log.atDebug()
                .setMessage("Would patch an object")
                .addKeyValue("kind", patch.kind().name())
                .addKeyValue("object", patch.object().key())
                .addKeyValue("subresource", patch.subresource())
                .log();
        observer.ended(patch, PatchObserver.End.NOT_SENT, "");
    }

    @Override
    public EventSink events() {
        return commands;
    }

    EngineLoop loop() {
        return loop;
    }

    /** How far a shard's engine has got. */
    ShardProgress progress() {
        return gated.map(EngineLoop.Gated::progress).orElse(ShardProgress.NOBODY);
    }

    /** Whether a shard's engine waits for others, or others perhaps for it. */
    boolean waits() {
        return gated.filter(EngineLoop.Gated::waits).isPresent();
    }

    /** How many nodes and pods a shard's engine keeps, and itself; empty while it has not read them all. */
    OptionalLong weight() {
        return gated.filter(_ -> isSynced()).stream()
                .mapToLong(EngineLoop.Gated::weight)
                .filter(weight -> weight > 0)
                .findFirst();
    }

    @Override
    public QueueCounts counted(QueueCounts inQueue) {
        return gated.map(shard -> shard.counted(inQueue)).orElse(inQueue);
    }

    @Override
    public Map<String, LiveScheduler> engines() {
        return Map.of("", this);
    }

    @Override
    public boolean isElectionHealthy() {
        return leadership.isHealthy();
    }

    @Override
    public boolean takesPart() {
        return isSynced();
    }

    Mailbox mailbox() {
        return mailbox;
    }

    Leadership leadership() {
        return leadership;
    }

    CommandSink commands() {
        return commands;
    }

    @Override
    public int eventsWaiting() {
        return mailbox.size();
    }

    @Override
    public DispatcherView dispatcher() {
        return commands.view();
    }

    @Override
    public RecordCounts recorded() {
        return recorded.counts();
    }

    @Override
    public List<WatchStatus> watchStatuses() {
        return watches.map(Watches::statuses).orElse(List.of());
    }

    /** Takes no more pods, waits for the bindings that are underway, and releases the lease. */
    @Override
    public void stop(Duration grace) {
        if (stopping) {
            return;
        }
        stopping = true;
        boolean isOver = false;
        try {
            isOver = new Drain(loop, commands, machine.clocks().nanos(), machine.sleeper()).run(grace);
            leadership.resign(TO_RESIGN);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        if (shard.isPresent()) {
            (isOver ? shard.get().vacate() : shard.get().leave()).run();
        }
        close();
        ended.complete(Ending.STOPPED);
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    /** Ends at once, as if the process had died: what is on its way may arrive or not, and the lease is kept. */
    @Override
    public void close() {
        stopping = true;
        leadership.abandon();
        watches.ifPresent(Watches::close);
        loop.stop();
        writers.forEach(PatchWriter::close);
        commands.close();
        extenders.close();
        rehearsal.ifPresent(Rehearsal::tell);
        recorded.close();
        companions.forEach(Companion::close);
    }

    /** The same, and waits until none of its threads is at work any more. */
    void closeAndWait() {
        close();
        try {
            loop.join(machine);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** An audit after each turn in which something came in; a difference ends the scheduler. */
    private static final class TurnAudit implements LoopObserver {
        @Override
        public void turned(Scheduler scheduler, int events, long nanos) {
            if (events > 0) {
                List<String> differences = ClusterAudit.differences(scheduler.cluster());
                if (!differences.isEmpty()) {
                    throw new IllegalStateException("the audit found: " + String.join("; ", differences));
                }
            }
        }
    }

    private static void tell(CommandResult.OfBinding result) {
        switch (result) {
            case CommandResult.Bound(var pod, var node) ->
                log.atDebug()
                        .setMessage("Successfully bound pod to node")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("node", node)
                        .log();
            case CommandResult.NotBound(var pod, var node, var failure, var message) ->
                log.atInfo()
                        .setMessage("Failed to bind pod")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("node", node)
                        .addKeyValue("why", failure)
                        .addKeyValue("message", message)
                        .log();
            case CommandResult.Found _, CommandResult.LookupFailed _ -> {}
        }
    }

    /**
     * Sees through what is on its way when a scheduler is to stop that takes no more pods: the bindings, what the engine makes
     * of the answers to them, and the conditions and events that tell of it.
     */
    record Drain(EngineLoop engine, CommandSink commands, LongSupplier nanos, Sleeper sleeper) {
        private static final Logger log = LoggerFactory.getLogger(Drain.class);

        /** Whether nothing is underway any more that another replica would have to know of. */
        boolean run(Duration grace) throws InterruptedException {
            long end = nanos.getAsLong() + grace.toNanos();
            boolean inTime = hasTakenInAll(end);
            do {
                // In this order: a command is finished already when the engine has yet to take in its answer.
                inTime = inTime && commands.drain(left(end), sleeper) && hasTakenInAll(end);
            } while (inTime && !commands.unfinished().isEmpty());
            Unfinished left = commands.unfinished();
            tell(left);
            return left.bindings() == 0 && left.conditions() == 0;
        }

        /** Whether the engine has taken in all that has come so far, and the pod that it was at is decided. */
        private boolean hasTakenInAll(long end) throws InterruptedException {
            CompletableFuture<Boolean> answer = engine.ask(_ -> true);
            while (!answer.isDone()) {
                if (left(end).isZero()) {
                    return false;
                }
                sleeper.sleep(CommandSink.DRAIN_PAUSE);
            }
            return true; // cancelled where it has ended, and has nothing more to say
        }

        private Duration left(long end) {
            return Duration.ofNanos(Math.max(0, end - nanos.getAsLong()));
        }

        private static void tell(Unfinished unfinished) {
            if (unfinished.bindings() > 0) {
                log.atWarn()
                        .setMessage("Bindings not finished within --shutdown-grace")
                        .addKeyValue("bindings", unfinished.bindings())
                        .addKeyValue("conditions", unfinished.conditions())
                        .addKeyValue("events", unfinished.events())
                        .log();
            } else if (!unfinished.isEmpty()) {
                log.atInfo()
                        .setMessage("Conditions and events left unwritten at shutdown")
                        .addKeyValue("conditions", unfinished.conditions())
                        .addKeyValue("events", unfinished.events())
                        .log();
            }
        }
    }

    /** The parts to make the engine with: its clock, its chance, its taker of commands; recorded where the options say so. */
    static final class RecordedEngine implements AutoCloseable {
        private final LiveOptions options;
        private final Machine machine;
        private final Optional<Recording> recording;

        RecordedEngine(LiveOptions options, Machine machine) {
            this.options = options;
            this.machine = machine;
            recording = options.record().map(record -> new Recording(record, machine));
        }

        NodeChoice choice() {
            return recording.map(run -> Recorder.choice(run.seed())).orElseGet(() -> new AtRandom(machine.random()));
        }

        LongSupplier clock() {
            LongSupplier nanos = machine.clocks().nanos();
            return recording.map(run -> run.recorder().clock(nanos)).orElse(nanos);
        }

        Consumer<? super Command> commands(Consumer<? super Command> taker) {
            return recording
                    .<Consumer<? super Command>>map(run -> run.recorder().commands(taker))
                    .orElse(taker);
        }

        /** Who is told of each turn: the recorder last, so that what the others do is no part of the call that is recorded. */
        LoopObserver observer(LoopObserver others) {
            return recording
                    .map(run -> LoopObserver.all(List.of(others, run.recorder())))
                    .orElse(others);
        }

        void begin(SchedulerConfiguration configuration, List<Kind<?>> kinds) {
            recording.ifPresent(run -> run.begin(
                    new RunSettings(
                            options.record().orElseThrow().version(),
                            configuration,
                            options.settings(configuration).awaiting(kinds),
                            List.copyOf(options.plugins().extensionPoints().keySet())),
                    kinds));
        }

        RecordCounts counts() {
            return recording.map(Recording::counts).orElse(RecordCounts.NONE);
        }

        @Override
        public void close() {
            recording.ifPresent(Recording::close);
        }
    }

    /** The right of this replica to schedule: by a Lease that it holds, or because there is no election. */
    static final class Leadership {
        private static final Logger log = LoggerFactory.getLogger(Leadership.class);

        private final Machine machine;
        private volatile Optional<LeaderElector> elector = Optional.empty();
        private volatile boolean leading;
        private volatile Optional<Thread> thread = Optional.empty();
        private boolean over;
        private volatile BooleanSupplier fence = () -> true;

        Leadership(Machine machine) {
            this.machine = machine;
        }

        /** Leads from now on, unless the election is over. */
        synchronized void assume() {
            leading = !over;
        }

        /** The same, as long as it may by a Lease that is held elsewhere. */
        synchronized void assume(BooleanSupplier held) {
            fence = held;
            assume();
        }

        /**
         * Takes part in the election, unless it is over; {@code won} is run once this replica leads, {@code lost} once if the
         * lease was held and is not any more.
         */
        synchronized void campaign(
                LeaderElection settings,
                String identity,
                ApiTransport transport,
                CommandSink events,
                String controller,
                Runnable won,
                Runnable lost) {
            if (over) {
                return;
            }
            LeaderElector running =
                    new LeaderElector(settings, identity, transport, callbacks(won, lost), events, controller, machine);
            elector = Optional.of(running);
            log.atInfo()
                    .setMessage("Attempting to acquire leader lease")
                    .addKeyValue("lease", settings.resourceNamespace() + "/" + settings.resourceName())
                    .addKeyValue("identity", running.identity())
                    .log();
            Thread campaign = machine.dedicated("leader-election", running::run);
            thread = Optional.of(campaign);
            campaign.start();
        }

        private LeaderCallbacks callbacks(Runnable won, Runnable lost) {
            return new LeaderCallbacks() {
                @Override
                public void onStartedLeading() {
                    assume();
                    won.run();
                }

                @Override
                public void onStoppedLeading() {
                    if (isLoss()) {
                        lost.run();
                    }
                }

                @Override
                public void onNewLeader(String identity) {
                    boolean ourselves = elector.filter(
                                    running -> running.identity().equals(identity))
                            .isPresent();
                    log.atInfo()
                            .setMessage(ourselves ? "Successfully acquired lease" : "New leader elected")
                            .addKeyValue("identity", identity)
                            .log();
                }
            };
        }

        /** Whether it led until now. A replica that has resigned loses nothing, even if it won the lease a moment later. */
        private synchronized boolean isLoss() {
            boolean loss = leading;
            leading = false;
            return loss;
        }

        public boolean isLeading() {
            return leading;
        }

        /** Whether a binding may be sent now: leading is not enough where the lease is about to run out. */
        public boolean mayWrite() {
            return leading && elector.map(LeaderElector::mayBind).orElseGet(fence::getAsBoolean);
        }

        /** Whether the election still notices what becomes of its lease. */
        public boolean isHealthy() {
            return elector.map(LeaderElector::healthy).orElse(true);
        }

        /** Gives the lease back, if this replica holds it, for another to take at once. */
        void resign(Duration time) throws InterruptedException {
            end();
            elector.ifPresent(LeaderElector::stop);
            if (thread.isPresent()) {
                thread.get().join(time);
            }
        }

        private synchronized void end() {
            over = true;
            leading = false;
        }

        /** Takes no more part in the election. A lease that this replica holds is kept, and renewed no more. */
        void abandon() {
            end();
            elector.ifPresent(LeaderElector::abandon);
            thread.ifPresent(Thread::interrupt);
        }
    }
}
