package io.evenkeel.world;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.companion.RebalanceOptions.RebalanceSettings;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.live.LiveEngines;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.app.live.LiveShards;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerObserver.AttemptResult;
import io.evenkeel.engine.SchedulerSettings.EngineLimits;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.policies.status.PolicyObserver;
import io.evenkeel.tools.moves.Moving;
import io.evenkeel.whatif.rebalance.Rebalancer;
import io.evenkeel.world.check.Advice;
import io.evenkeel.world.check.DegradedGangs;
import io.evenkeel.world.check.Mirror;
import io.evenkeel.world.check.Moves;
import io.evenkeel.world.check.Placements;
import io.evenkeel.world.check.Reports;
import io.evenkeel.world.check.Shards;
import io.evenkeel.world.check.Violation;
import io.evenkeel.world.net.Transport;
import io.evenkeel.world.net.Trap;
import io.evenkeel.world.play.SimulatedProcess;
import io.evenkeel.world.plugin.Reserved;
import io.evenkeel.world.plugin.Whims;
import io.evenkeel.world.plugin.WhimsicalPlugin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A replica of the scheduler, the whole of it, in a process that may be paused, killed and begun again. */
final class Replica {
    /** No pod is to be tried again merely because time has passed: it would hide a wake-up that was lost. */
    private static final Duration NO_FLUSH = Duration.ofHours(1);

    /** After how long something is said of a policy. */
    private static final Duration SETTLE = Duration.ofSeconds(10);

    /** Between plans: so little that much is moved in a world's time. */
    private static final Duration EVERY = Duration.ofSeconds(10);

    /** For what is underway when a shard is given up. */
    private static final Duration GRACE = Duration.ofSeconds(25);

    private final String name;
    private SchedulerConfiguration configuration;
    private final SchedulerConfiguration judging;
    private final Story story;
    private final Whims whims;
    private final Placements placements;
    private final Reports reports;
    private final EngineLimits limits;
    private final Predicate<KubernetesObject> isThere;
    private final Optional<Moves> moves;
    private final RebalanceSettings rebalancing;
    private Optional<Running> running = Optional.empty();
    private long hangsFor;
    private boolean hangsAtRejection;

    /**
     * One life of it.
     *
     * @param engines by the names of their shards, as they have last begun; without shards there is one, of the empty name
     */
    private record Running(
            SimulatedProcess process,
            Transport transport,
            LiveEngines live,
            Map<String, Watched> engines,
            Reserved reserved) {}

    /** What is seen of an engine. */
    private record Watched(Mirror mirror, DegradedGangs degraded) {}

    /**
     * One that does not run yet.
     *
     * @param judging the configuration without whims, by which moves are planned
     * @param surges whether Deployments have a pod more while one of theirs moves
     */
    Replica(
            String name,
            SchedulerConfiguration configuration,
            SchedulerConfiguration judging,
            Story story,
            Whims whims,
            Placements placements,
            Reports reports,
            EngineLimits limits,
            Predicate<KubernetesObject> isThere,
            Optional<Moves> moves,
            boolean surges) {
        this.name = name;
        this.configuration = configuration;
        this.judging = judging;
        this.story = story;
        this.whims = whims;
        this.placements = placements;
        this.reports = reports;
        this.limits = limits;
        this.isThere = isThere;
        this.moves = moves;
        rebalancing = new RebalanceSettings(EVERY, Moves.A_MINUTE, EVERY.dividedBy(2), false, surges);
    }

    String name() {
        return name;
    }

    /** As it is configured when it begins next. */
    void configure(SchedulerConfiguration next) {
        configuration = next;
    }

    SchedulerConfiguration configuration() {
        return configuration;
    }

    /**
     * Begins with empty memory.
     *
     * @param heldUp hears of pods that its plugin holds up
     * @param advice hears what its extender says
     */
    void start(
            SimulatedProcess process,
            Function<SimulatedProcess, Transport> network,
            Consumer<Pod> heldUp,
            Advice advice,
            boolean audited) {
        story.tell(name, "starts");
        Transport transport = network.apply(process);
        Optional<Moves.OfProcess> itsMoves =
                moves.map(all -> all.begins(process, name, process.clock()::nanos, what -> story.tell(name, what)));
        Map<String, Watched> engines = new TreeMap<>();
        Reserved reserved = new Reserved();
        PluginRegistry plugins = InTreePlugins.registry()
                .with(List.of(WhimsicalPlugin.factory(whims, process.sleeper(), process::stopFor, heldUp, reserved)));
        LiveOptions options = new LiveOptions(false, audited, NO_FLUSH, name, plugins, limits, false, Optional.empty());
        Function<String, LiveObservers> observers =
                shard -> observers(shard, process, advice, reserved, itsMoves, engines);
        LiveEngines live = isParted()
                ? LiveShards.assemble(configuration, transport, options, GRACE, observers, process)
                : LiveScheduler.assemble(configuration, transport, options, observers.apply(""), process);
        running = Optional.of(new Running(process, transport, live, engines, reserved));
        live.begin();
    }

    /** Of an engine that begins. */
    private LiveObservers observers(
            String shard,
            SimulatedProcess process,
            Advice advice,
            Reserved reserved,
            Optional<Moves.OfProcess> itsMoves,
            Map<String, Watched> engines) {
        DegradedGangs degraded = new DegradedGangs();
        Mirror mirror = new Mirror(
                name,
                configuration,
                whims::objections,
                (uid, attempts) -> reports.tried(process, uid, attempts),
                what -> story.tell(shard.isEmpty() ? name : name + " of " + shard, what),
                placements,
                isDisturbed() ? Integer.MAX_VALUE : limits.mostBindings(),
                reserved,
                isThere,
                shard,
                advice,
                itsMoves);
        engines.put(shard, new Watched(mirror, degraded));
        return new LiveObservers(hanging(process, degraded), DispatcherObserver.NONE, watching(mirror))
                .with(isOfAllNodes(shard) ? companions(process, itsMoves) : List.of());
    }

    /** Whether the engine is the only one, or the overseer's. */
    private static boolean isOfAllNodes(String shard) {
        return shard.isEmpty() || shard.equals(Shards.OVERSEER);
    }

    private boolean isParted() {
        return configuration.shards().shards() > 1;
    }

    /** Whether others than the plugins of the tree have a say. */
    private boolean isDisturbed() {
        return whims.arePresent() || !configuration.extenders().isEmpty();
    }

    /** As where a scheduler runs alone: who says how policies are kept, where there are any; and who moves pods, where that is wanted. */
    private List<Companion> companions(SimulatedProcess process, Optional<Moves.OfProcess> itsMoves) {
        Clocks clocks = process.clocks();
        Times times = new Times(clocks.nanos(), clocks.time(), SETTLE);
        return Stream.<Companion>concat(
                        PolicyObserver.of(configuration, times).stream(),
                        itsMoves.stream().map(listener -> mover(process, listener)))
                .toList();
    }

    private Companion mover(SimulatedProcess process, Moves.OfProcess listener) {
        return new Mover(
                new Moving(
                        judging,
                        InTreePlugins.registry(),
                        Rebalancer::plan,
                        new Moving.Manner(rebalancing, true, false, listener)),
                process);
    }

    private SchedulerObserver hanging(SimulatedProcess process, DegradedGangs degraded) {
        return new SchedulerObserver() {
            @Override
            public GroupObserver groups() {
                return degraded;
            }

            @Override
            public void decided(long nanos) {
                if (hangsFor > 0 && !hangsAtRejection) {
                    story.tell(name, "hangs with what it has decided");
                    process.stopFor(hangsFor);
                    hangsFor = 0;
                }
            }

            @Override
            public void attempted(String profile, AttemptResult result, long nanos) {
                if (hangsFor > 0 && hangsAtRejection && result != AttemptResult.SCHEDULED) {
                    story.tell(name, "hangs as it begins to write why a pod waits");
                    process.stopAtThread(hangsFor);
                    hangsFor = 0;
                }
            }
        };
    }

    private static LoopObserver watching(Mirror mirror) {
        return new LoopObserver() {
            private Optional<Scheduler> known = Optional.empty();

            @Override
            public void taking(Scheduler scheduler, SchedulerEvent event) {
                known = Optional.of(scheduler);
                mirror.take(event);
            }

            @Override
            public void placing() {
                known.ifPresent(mirror::placing);
            }

            @Override
            public void turned(Scheduler scheduler, int events, long nanos) {
                mirror.check(scheduler, events);
            }
        };
    }

    boolean isRunning() {
        return running.isPresent();
    }

    /** Is asked to end, as when another is to take its place: it sees through what is underway. */
    void stop() {
        running.filter(_ -> isParted()).ifPresent(life -> {
            story.tell(name, "is asked to stop");
            life.process.thread("shutdown", () -> life.live.stop(GRACE)).start();
        });
    }

    /** The number of the API server that it is connected to. */
    int front() {
        return running.map(life -> life.transport.front()).orElse(0);
    }

    /** Which shards it has engines of. */
    Set<String> shards() {
        return running.map(life -> life.live.engines().keySet()).orElse(Set.of());
    }

    /** Ends at once, wherever it is. */
    void kill(String why) {
        running.ifPresent(life -> {
            story.tell(name, "killed: " + why);
            moves.ifPresent(all -> all.ends(life.process));
            life.process.kill();
        });
        running = Optional.empty();
    }

    /** Whether the process would have ended by itself. */
    Optional<LiveScheduler.Ending> ending() {
        return running.map(life -> life.live.ended())
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join);
    }

    Optional<Violation> violation() {
        return engines()
                .map(engine -> engine.mirror.violation())
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Stream<Watched> engines() {
        return running.stream().flatMap(life -> life.engines.values().stream());
    }

    /** Whether it has been told everything once. */
    boolean knowsTheCluster() {
        return engines().anyMatch(engine -> engine.mirror.isWhole());
    }

    boolean isLeading() {
        return running.filter(life -> life.live.engines().values().stream().anyMatch(LiveScheduler::isLeading))
                .isPresent();
    }

    Optional<SimulatedProcess> process() {
        return running.map(Running::process);
    }

    /** On which nodes its plugin holds something for which pods, by UID. */
    Map<String, String> reserved() {
        return running.map(life -> life.reserved.nodes()).orElse(Map.of());
    }

    /** What its engine of this shard says of gangs. */
    DegradedGangs degradedGangs(String shard) {
        return running.map(life -> life.engines.get(shard).degraded).orElseGet(DegradedGangs::new);
    }

    /** Nothing goes on in it for a while. */
    void pause(long nanos) {
        running.ifPresent(life -> {
            story.tell(name, "is paused for " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s");
            life.process.stopFor(nanos);
        });
    }

    /** Has something happen to it at one of its writes, if it does not end before. */
    void set(Trap trap) {
        running.ifPresent(life -> life.transport.set(trap));
    }

    /** Nothing goes on in it for so long as soon as it has decided something, before that is written; 0 takes it back. */
    void hangAtDecision(long nanos) {
        hangsFor = nanos;
        hangsAtRejection = false;
    }

    /** The same when it has turned a pod away and is about to write why. */
    void hangAtRejection(long nanos) {
        hangsFor = nanos;
        hangsAtRejection = true;
    }

    /** Nothing that it sends arrives for a while. */
    void cutOff(long nanos) {
        running.ifPresent(life -> {
            story.tell(name, "is cut off for " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s");
            life.transport.cutOff(nanos);
        });
    }

    void failOver() {
        running.ifPresent(life -> {
            story.tell(name, "goes to another API server");
            life.transport.failOver();
        });
    }

    /** Has the scheduler asked something as soon as it may be. */
    void ask(Consumer<Scheduler> question) {
        ask((_, scheduler) -> question.accept(scheduler));
    }

    /** Has each of its schedulers asked something, with the name of its shard. */
    void ask(BiConsumer<String, Scheduler> question) {
        running.ifPresent(life -> life.live
                .engines()
                .forEach((shard, live) -> life.process.now(() -> {
                    var _ = live.ask(scheduler -> {
                        question.accept(shard, scheduler);
                        return true;
                    });
                })));
    }
}
