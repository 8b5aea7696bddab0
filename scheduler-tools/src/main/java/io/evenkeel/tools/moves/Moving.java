package io.evenkeel.tools.moves;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.companion.RebalanceOptions.RebalanceSettings;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.tools.why.NewsFeed;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.goal.Goal;
import io.evenkeel.whatif.goal.GoalPlanner;
import io.evenkeel.whatif.moves.MoveRun;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import io.evenkeel.whatif.moves.MoveRun.Limits;
import io.evenkeel.whatif.moves.Scene;
import io.evenkeel.whatif.moves.Step;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Plans moves now and then, and carries them out, on a thread of its own with a copy of the cluster: the engine is only asked what has
 * become of the places that it holds. It does so while this replica leads, or, where the scheduler is elsewhere, all the time.
 */
public final class Moving implements Companion, Loop {
    private static final Logger log = LoggerFactory.getLogger(Moving.class);
    private static final long BETWEEN_TURNS = TimeUnit.SECONDS.toNanos(1);
    /** A write of an earlier leader's may still come late. */
    private static final long BETWEEN_SWEEPS = TimeUnit.MINUTES.toNanos(1);

    /** Hears of what is planned and done; by the thread that does it. */
    public interface Listener {
        Listener NONE = new Listener() {};

        default void planned(MovePlan plan) {}

        default void did(Step step) {}

        /** Nothing is left of the plan. */
        default void done() {}
    }

    /**
     * How it works.
     *
     * @param schedules whether the scheduler of this process places pods, so that it can hold places for them
     * @param once whether one plan is made, at once, and no other
     */
    public record Manner(RebalanceSettings settings, boolean schedules, boolean once, Listener listener) {}

    private final SchedulerConfiguration configuration;
    private final PluginRegistry plugins;
    private final Function<ClusterSnapshot, MovePlan> planner;
    private final Manner manner;
    private final MovingMetrics metrics = new MovingMetrics();
    private final NewsFeed feed = new NewsFeed();
    private final MoveRun run;
    private Optional<Started> started = Optional.empty();
    private Optional<Following> copy = Optional.empty();
    private volatile boolean isClosed;
    private long turnedAt;
    private long plannedAt;
    private boolean hasPlanned;
    private OptionalLong sweptAt = OptionalLong.empty();

    /** The parts that exist once there is a scheduler. */
    private record Started(Surroundings around, Places places, Evictor evictor, Sleeper sleeper, Thread thread) {}

    private record Following(KnownCluster cluster, NewsFeed.Subscription news) {}

    private record Beginning(List<KubernetesObject> objects, NewsFeed.Subscription news) {}

    public Moving(
            SchedulerConfiguration configuration,
            PluginRegistry plugins,
            Function<ClusterSnapshot, MovePlan> planner,
            Manner manner) {
        this.configuration = configuration;
        this.plugins = plugins;
        this.planner = planner;
        this.manner = manner;
        run = new MoveRun(
                Limits.of(manner.settings().movesAMinute(), manner.settings().coolDown()));
    }

    /** Plans for a goal. */
    static Function<ClusterSnapshot, MovePlan> planner(Goal goal) {
        return snapshot -> GoalPlanner.plan(snapshot, goal);
    }

    /** Of {@code run --rebalance}. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            return setup
                    .rebalance()
                    .<Companion>map(settings -> new Moving(
                            setup.configuration(),
                            setup.plugins(),
                            planner(GoalOptions.lasting(settings.goal(), setup.configuration())),
                            new Manner(settings, true, false, Listener.NONE)))
                    .stream()
                    .toList();
        }
    }

    @Override
    public void begin(Surroundings around) {
        Places places = manner.schedules() ? new Places.ByScheduler(around) : new Places.ByNobody();
        long now = around.machine().clocks().nanos().getAsLong();
        turnedAt = now;
        plannedAt = now;
        Thread thread = around.machine().dedicated("rebalance", this);
        started = Optional.of(
                new Started(around, places, evictor(around), around.machine().sleeper(), thread));
        thread.start();
    }

    private Evictor evictor(Surroundings around) {
        ApiTransport transport = new FencedTransport(around.transport(), () -> mayWrite(around));
        Evictor evictor = new Evictor.ByApi(transport);
        if (manner.settings().evictionRequests()) {
            evictor = new Evictor.ByRequests(transport, evictor);
        }
        return manner.settings().surge() ? new Surge(transport, this::deploymentOf, evictor) : evictor;
    }

    /** Beside another scheduler no lease is asked. */
    private boolean mayWrite(Surroundings around) {
        return !manner.schedules() || around.mayWrite();
    }

    /** Writes nothing once the lease may be another's: while it was asked for one thing the process may have been paused. */
    private record FencedTransport(ApiTransport transport, BooleanSupplier mayWrite) implements ApiTransport {
        @Override
        public ApiAnswer call(ApiCall call) throws IOException {
            if (!call.method().equals("GET") && !mayWrite.getAsBoolean()) {
                throw new IOException("the lease was not renewed in time");
            }
            return transport.call(call);
        }

        @Override
        public ApiAnswer stream(ApiCall call) throws IOException {
            return transport.stream(call);
        }

        @Override
        public String host() {
            return transport.host();
        }
    }

    private Optional<OwnerReference> deploymentOf(Pod pod) {
        return copy.flatMap(following -> following
                .cluster()
                .owner(pod.meta().controller().orElseThrow())
                .flatMap(owner -> owner.meta().controller()));
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        feed.saw(event);
    }

    @Override
    public boolean moves() {
        return true;
    }

    @Override
    public Instruments metrics() {
        return metrics;
    }

    @Override
    public void close() {
        isClosed = true;
        started.ifPresent(parts -> {
            parts.sleeper().wake();
            parts.thread().interrupt();
        });
    }

    @Override
    public long nanosUntilNext() {
        return Math.max(0, turnedAt + BETWEEN_TURNS - now());
    }

    @Override
    public boolean turn(long longestWait) {
        Started parts = started.orElseThrow();
        try {
            long wait = Math.min(longestWait, nanosUntilNext());
            if (wait > 0) {
                parts.sleeper().sleep(wait);
            }
        } catch (InterruptedException asWished) {
            return false;
        }
        if (nanosUntilNext() == 0) {
            turnedAt = now();
            try {
                goOn(parts);
            } catch (Throwable fault) {
                if (isClosed) {
                    return false;
                }
                log.error("Rebalancing failed, it is tried again", fault);
                letGo(parts, "an error");
            }
        }
        return !isClosed;
    }

    private long now() {
        return started.orElseThrow().around().machine().clocks().nanos().getAsLong();
    }

    private void goOn(Started parts) {
        if (!parts.around().isSynced() || !mayWrite(parts.around())) {
            letGo(parts, "this replica does not lead");
            // what the last leader has moved is in place by then, or known not to be
            plannedAt = now();
            return;
        }
        if (sweptAt.isEmpty() || now() - sweptAt.getAsLong() >= BETWEEN_SWEEPS) {
            sweptAt = parts.evictor().sweep() ? OptionalLong.of(now()) : OptionalLong.empty();
        }
        parts.evictor().tidy();
        KnownCluster cluster = current(parts);
        if (run.isIdle() && isTimeToPlan()) {
            plan(parts, cluster);
        }
        if (!run.isIdle()) {
            List<Pod> underway = run.underway().stream().map(Move::pod).toList();
            Map<String, Scene.Hold> holds = parts.places().of(underway, cluster);
            carryOut(parts, run.advance(new Known(parts, cluster, holds), now()));
            metrics.left(run.underway().size() + run.queued().size());
            if (run.isIdle()) {
                manner.listener().done();
            }
        }
    }

    private boolean isTimeToPlan() {
        return manner.once()
                ? !hasPlanned
                : now() - plannedAt >= manner.settings().every().toNanos();
    }

    private void plan(Started parts, KnownCluster cluster) {
        plannedAt = now();
        hasPlanned = true;
        MovePlan plan = planner.apply(cluster.snapshot());
        cluster.snapshot().reset();
        metrics.planned(plan);
        manner.listener().planned(plan);
        if (plan.moves().isEmpty()) {
            manner.listener().done();
            return;
        }
        log.atInfo()
                .setMessage("Moves planned")
                .addKeyValue("moves", plan.moves().size())
                .addKeyValue("violations", plan.violationsBefore())
                .addKeyValue("left", plan.violationsAfter())
                .log();
        parts.places().planned(plan.moves());
        run.plan(plan.moves());
    }

    private KnownCluster current(Started parts) {
        copy.ifPresent(following -> following.news().take(following.cluster()::take));
        if (copy.isEmpty() || copy.get().news().isBroken()) {
            feed.end();
            Beginning beginning = parts.around().answer(scheduler -> new Beginning(scheduler.known(), feed.begin()));
            KnownCluster cluster = new KnownCluster(new ClusterSnapshot(configuration, plugins), beginning.objects());
            copy = Optional.of(new Following(cluster, beginning.news()));
            beginning.news().take(cluster::take);
        }
        return copy.get().cluster();
    }

    private void letGo(Started parts, String why) {
        if (!mayWrite(parts.around())) {
            parts.evictor().forget();
        }
        carryOut(parts, run.abandon(why, now()));
        sweptAt = OptionalLong.empty();
        metrics.left(0);
        copy = Optional.empty();
        feed.end();
    }

    private void carryOut(Started parts, List<Step> steps) {
        for (Step step : steps) {
            switch (step) {
                case Step.Hold(Move move, var within) -> parts.places().hold(move, within);
                case Step.Release(Move move) -> {
                    parts.evictor().withdraw(move.pod());
                    parts.places().release(move);
                }
                case Step.Evict(Move move, boolean hasSuccessor) -> evict(parts, move, hasSuccessor);
                case Step.Ended ended -> ended(parts, ended);
                case Step.Stopped(String why, int left) ->
                    log.atWarn()
                            .setMessage("Rebalancing stopped, the cluster is not as planned")
                            .addKeyValue("why", why)
                            .addKeyValue("left", left)
                            .log();
            }
            manner.listener().did(step);
        }
    }

    private void evict(Started parts, Move move, boolean hasSuccessor) {
        EvictionAnswer answer = mayWrite(parts.around())
                ? parts.evictor().evict(move.pod(), hasSuccessor)
                : new EvictionAnswer.NotNow("the lease was not renewed in time", Optional.empty());
        String done = switch (answer) {
            // that it is to go was said before its successor came
            case EvictionAnswer.Accepted _ -> hasSuccessor ? "" : "Evicted from ";
            case EvictionAnswer.Asked _ -> "Is to go from ";
            case EvictionAnswer.Gone _, EvictionAnswer.NotNow _, EvictionAnswer.Never _ -> "";
        };
        if (!done.isEmpty()) {
            tell(
                    parts,
                    move,
                    ObjectEvent.Type.NORMAL,
                    "Rebalancing",
                    done + move.from() + ", as its successor is to run on " + move.to());
        }
        carryOut(parts, run.evicted(move, answer, now()));
    }

    private void ended(Started parts, Step.Ended ended) {
        Move move = ended.move();
        metrics.ended(ended.result());
        log.atLevel(ended.result() == Step.Result.LEFT_ALONE ? Level.DEBUG : Level.INFO)
                .setMessage("Move ended")
                .addKeyValue("pod", move.pod().key())
                .addKeyValue("from", move.from())
                .addKeyValue("to", move.to())
                .addKeyValue("result", ended.result().label())
                .addKeyValue("why", ended.why())
                .addKeyValue("seconds", ended.took().toSeconds())
                .log();
        if (!ended.result().isAsPlanned()) {
            tell(
                    parts,
                    move,
                    ObjectEvent.Type.WARNING,
                    "RebalancingFailed",
                    "Was to move from " + move.from() + " to " + move.to() + ": "
                            + Stream.of(ended.result().label(), ended.why())
                                    .filter(text -> !text.isEmpty())
                                    .collect(Collectors.joining(", ")));
        }
    }

    private static void tell(Started parts, Move move, ObjectEvent.Type type, String reason, String note) {
        Pod pod = move.pod();
        parts.around()
                .events()
                .recordEvent(
                        Regarding.pod(pod),
                        new ObjectEvent(
                                type, reason, "Rebalancing", note, pod.spec().schedulerName()));
    }

    /** The scene of this turn. */
    private final class Known implements Scene {
        private final Started parts;
        private final KnownCluster cluster;
        private final Map<String, Hold> holds;

        Known(Started parts, KnownCluster cluster, Map<String, Hold> holds) {
            this.parts = parts;
            this.cluster = cluster;
            this.holds = holds;
        }

        @Override
        public Optional<Pod> pod(String uid) {
            return cluster.pod(uid);
        }

        @Override
        public Optional<String> unrest(Move move) {
            return cluster.unrest(move).or(() -> parts.places().objection(move, cluster));
        }

        @Override
        public boolean isComplete(OwnerReference owner) {
            return cluster.isComplete(owner);
        }

        @Override
        public Optional<String> objection(Move move) {
            return cluster.objection(move, others(run.underway(), move), others(run.queued(), move));
        }

        private static List<Move> others(List<Move> moves, Move but) {
            return moves.stream().filter(move -> !move.equals(but)).toList();
        }

        @Override
        public Hold hold(Pod pod) {
            return holds.getOrDefault(pod.meta().uid(), Hold.NONE);
        }
    }
}
