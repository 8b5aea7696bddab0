package io.evenkeel.world.exhaustive;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.dispatch.CommandKind;
import io.evenkeel.kube.dispatch.DispatchPlan;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.kube.dispatch.Job;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.world.check.Advice;
import io.evenkeel.world.check.Mirror;
import io.evenkeel.world.check.Placements;
import io.evenkeel.world.check.Violation;
import io.evenkeel.world.play.LocalClock;
import io.evenkeel.world.plugin.Reserved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A replica that does nothing by itself: the product's engine, its plan of what to send, and its requests. */
final class SteppedReplica {
    /** Nothing is to be tried again merely because time has passed. */
    private static final SchedulerSettings SETTINGS =
            SchedulerSettings.of(Set.of("Node", "Pod"), 0).withLongestUnschedulable(Duration.ofHours(1));

    private final String name;
    private final LocalClock clock;
    private final BooleanSupplier leads;
    private final Consumer<ApiCall> watcher;
    private final boolean rebinds;
    private final Scheduler scheduler;
    private final DispatchPlan plan;
    private final Wire wire;
    private final Mirror mirror;
    private final News nodes;
    private final News pods;
    private final List<Errand> errands = new ArrayList<>();
    private boolean heldBack;
    private int taken;

    /** @param watcher sees each request before it is sent */
    SteppedReplica(
            String name,
            SchedulerConfiguration configuration,
            SmallServer server,
            LocalClock clock,
            BooleanSupplier leads,
            BooleanSupplier mayWrite,
            Placements placements,
            boolean rebinds,
            Consumer<ApiCall> watcher) {
        this.name = name;
        this.clock = clock;
        this.leads = leads;
        this.watcher = watcher;
        this.rebinds = rebinds;
        mirror = new Mirror(
                name,
                configuration,
                () -> 0,
                (_, _) -> {},
                _ -> {},
                placements,
                SETTINGS.mostBindings(),
                new Reserved(),
                object -> server.all().contains(object),
                "",
                new Advice(Optional.empty()),
                Optional.empty());
        nodes = new News("Node", server.log("Node"));
        pods = new News("Pod", server.log("Pod"));
        wire = new Wire(mayWrite, clock::time, rebinds);
        // Retries wait for no chance.
        plan = new DispatchPlan(
                new DispatcherSettings(16, -1, 1, 1, rebinds), () -> 0, DispatcherObserver.NONE, clock.nanos());
        scheduler = new Scheduler(
                configuration,
                InTreePlugins.registry(),
                new FirstByName(),
                SETTINGS,
                this::command,
                SchedulerObserver.NONE,
                clock::nanos);
        scheduler.watchedKinds().forEach(kind -> {
            take(new Relist.Began(kind.name()));
            server.first().stream()
                    .filter(object -> object.kindName().equals(kind.name()))
                    .forEach(object -> take(new ClusterEvent.Put(object)));
            take(new Relist.Ended(kind.name()));
        });
        look();
    }

    private void command(Command command) {
        // Events change nothing here.
        if (command instanceof Command.AtServer write && CommandKind.of(write) != CommandKind.RECORD_EVENT) {
            plan.add(write, clock.nanos());
        }
    }

    String name() {
        return name;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    DispatchPlan plan() {
        return plan;
    }

    News nodes() {
        return nodes;
    }

    News pods() {
        return pods;
    }

    List<Errand> errands() {
        return errands;
    }

    boolean leads() {
        return leads.getAsBoolean();
    }

    private void take(SchedulerEvent event) {
        taken++;
        mirror.take(event);
        scheduler.handle(event);
    }

    private void look() {
        mirror.check(scheduler, taken);
        taken = 0;
    }

    /** Takes in what comes next of these. */
    void hear(News news) {
        take(news.next());
        turned();
    }

    /** Whether there is a pod whose turn it is. */
    boolean canDecide() {
        return leads()
                && scheduler.queue().view().stream()
                        .anyMatch(entry -> entry.state() == QueueState.ACTIVE || entry.state() == QueueState.BACKOFF);
    }

    /** Decides one pod. */
    void decide() {
        scheduler.tick();
        scheduler.scheduleNext();
        turned();
    }

    /** Does what time has made due. */
    void tick() {
        scheduler.tick();
        turned();
    }

    /** Sends nothing until {@link #goOn}. */
    void holdBack() {
        heldBack = true;
    }

    void goOn() {
        heldBack = false;
        turned();
    }

    void receive(Errand errand) {
        errands.remove(errand);
        Outcome outcome = wire.receive(errand);
        errand.end();
        finish(errand.job(), outcome);
        turned();
    }

    private void turned() {
        look();
        startAll();
        Optional<Violation> wrong = mirror.violation();
        if (wrong.isPresent()) {
            throw wrong.get();
        }
    }

    private void startAll() {
        for (Optional<Job> job = next(); job.isPresent(); job = next()) {
            Wire.Sending sending = wire.send(job.get());
            if (sending.call().isPresent()) {
                watcher.accept(sending.call().get());
                errands.add(new Errand(job.get(), sending.call().get()));
            } else {
                finish(job.get(), sending.outcome());
                look();
            }
        }
    }

    private Optional<Job> next() {
        return heldBack ? Optional.empty() : plan.take(clock.nanos());
    }

    /** In the dispatcher's order: room for others, the result, and then the pod's next command. */
    private void finish(Job job, Outcome outcome) {
        plan.ended(job);
        switch (outcome) {
            case Outcome.Done(CommandResult result) -> take(result);
            case Outcome.Bound(CommandResult.Bound result, Runnable postBind) -> {
                take(result);
                postBind.run();
            }
            default -> {}
        }
        plan.settle(job, rebinds ? atOnce(outcome) : outcome, clock.nanos());
    }

    /** No time passes within a story, so what is to be asked again later would be so only at its end. */
    private static Outcome atOnce(Outcome outcome) {
        return outcome instanceof Outcome.TryAgain(var _, String message)
                ? new Outcome.TryAgain(Optional.of(Duration.ZERO), message)
                : outcome;
    }

    /** When there is something to do that only time brings. */
    long nextDeadline() {
        OptionalLong engine = scheduler.nextDeadline();
        long wait = plan.nanosUntilNext(clock.nanos());
        long ofPlan = wait == Long.MAX_VALUE ? wait : clock.nanos() + wait;
        return engine.isPresent() ? Math.min(engine.getAsLong(), ofPlan) : ofPlan;
    }
}
