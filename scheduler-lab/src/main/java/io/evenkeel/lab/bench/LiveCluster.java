package io.evenkeel.lab.bench;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.QueueObserver;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The whole scheduler on one thread, and a server that answers at once: what it is told to bind is bound and seen. */
final class LiveCluster {
    private final Queue<Command> commands = new ArrayDeque<>();
    private final Tallying tallying = new Tallying();
    private final Scheduler scheduler;
    private final Consumer<Pod> bound;

    /**
     * With these objects, and all else known to be absent, in the default configuration.
     *
     * @param seed of the choice among equally good nodes
     * @param clock nanoseconds that only ever grow
     */
    LiveCluster(Collection<KubernetesObject> objects, long seed, PluginRegistry registry, LongSupplier clock) {
        this(SchedulerConfiguration.defaults(), objects, seed, registry, clock, _ -> {});
    }

    /** Starts one in another configuration, and tells of each pod that is bound. */
    LiveCluster(
            SchedulerConfiguration configuration,
            Collection<KubernetesObject> objects,
            long seed,
            PluginRegistry registry,
            LongSupplier clock,
            Consumer<Pod> bound) {
        this.bound = bound;
        scheduler = new Scheduler(
                configuration,
                registry,
                new AtRandom(new SplittableRandom(seed)),
                SchedulerSettings.of(0),
                commands::add,
                tallying,
                clock);
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Began(kind.name())));
        objects.forEach(object -> scheduler.handle(new ClusterEvent.Put(object)));
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Ended(kind.name())));
    }

    /** Something happens; until all pods that it lets try are on their nodes, or wait. */
    void happens(ClusterEvent event) {
        takeIn(event);
        while (placeNext()) {}
        tick();
    }

    /** Something happens; whom that wakes is tried next. */
    void takeIn(ClusterEvent event) {
        scheduler.handle(event);
    }

    /** Decides the next pod; false where there is none. */
    boolean placeNext() {
        boolean goesOn = scheduler.scheduleNext();
        carryOut();
        return goesOn;
    }

    void tick() {
        scheduler.tick();
        carryOut();
    }

    /** When there is something to do though nothing happens. */
    OptionalLong nextDeadline() {
        return scheduler.nextDeadline();
    }

    /** A pod is created; until it is on its node, or waits. */
    void create(Pod pod) {
        happens(new ClusterEvent.Put(pod));
    }

    private void carryOut() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            if (command instanceof Command.Bind bind) {
                bound.accept(bind.pod());
                scheduler.handle(new CommandResult.Bound(bind.pod(), bind.node()));
                scheduler.handle(new ClusterEvent.Put(
                        PodBuilder.from(bind.pod()).nodeName(bind.node()).build()));
            }
        }
    }

    /** A pod is deleted; whom that wakes is tried with what comes next. */
    void delete(Pod pod) {
        takeIn(new ClusterEvent.Removed(pod));
    }

    int placed() {
        return scheduler.cluster().pods().count();
    }

    /** The pods in the queue, by what they wait for. */
    QueueCounts queue() {
        return scheduler.queue().counts();
    }

    Tally tally() {
        return tallying.tally();
    }

    /** How much work that was, in units. */
    long units() {
        return scheduler.cluster().work().units();
    }

    private static final class Tallying implements SchedulerObserver, QueueObserver {
        private static final String ASLEEP = "unschedulable";

        /** The events besides changes of the cluster that move pods. */
        private static final Set<String> NO_CHANGES = Set.of(
                "UnschedulablePodAdd",
                "ScheduleAttemptFailure",
                "BackoffComplete",
                "PopFromBackoffQ",
                "UnschedulableTimeout",
                "ForceActivate");

        private long hints;
        private long wakeUps;
        private long placed;
        private long rejected;

        Tally tally() {
            return new Tally(hints, wakeUps, placed, rejected);
        }

        @Override
        public QueueObserver queue() {
            return this;
        }

        @Override
        public void hintRan(String plugin, String event, boolean queued, long nanos) {
            hints++;
        }

        @Override
        public void incoming(String queue, String event) {
            if (!queue.equals(ASLEEP) && !NO_CHANGES.contains(event)) {
                wakeUps++;
            }
        }

        @Override
        public void attempted(String profile, AttemptResult result, long nanos) {
            if (result == AttemptResult.SCHEDULED) {
                placed++;
            } else {
                rejected++;
            }
        }
    }

    /**
     * The work of a scheduler.
     *
     * @param hints how often a plugin was asked whether a change may help a pod
     * @param wakeUps how often a change let a pod try again that waited for one
     * @param placed attempts by which a pod got a node
     * @param rejected attempts by which it got none
     */
    record Tally(long hints, long wakeUps, long placed, long rejected) {
        static final Tally NONE = new Tally(0, 0, 0, 0);

        Tally since(Tally then) {
            return new Tally(
                    hints - then.hints, wakeUps - then.wakeUps, placed - then.placed, rejected - then.rejected);
        }

        Tally plus(Tally more) {
            return new Tally(
                    hints + more.hints, wakeUps + more.wakeUps, placed + more.placed, rejected + more.rejected);
        }
    }
}
