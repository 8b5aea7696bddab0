package io.evenkeel.app.live;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.shard.ShardGate;
import io.evenkeel.shard.ShardProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's thread: takes the mailbox's events in, and in between places one pod after the other. The only thread
 * that touches the scheduler.
 *
 * <p>Events go first, so that each pod is decided on what is known by then. A fault while an event is taken in ends the
 * loop: the state may be wrong from then on, and the next process reads all objects again.
 *
 * <p>Where nothing comes and nothing is due, no turn is taken: the loop sleeps.
 */
final class EngineLoop implements Loop {
    private static final Logger log = LoggerFactory.getLogger(EngineLoop.class);
    private static final int MOST_EVENTS_AT_ONCE = 1_024;
    private static final int MOST_PODS_AT_ONCE = 64;
    private static final long PATIENCE_SECONDS = 30;

    private final Scheduler scheduler;
    private final Mailbox mailbox;
    private final BooleanSupplier mayPlace;
    private final LoopObserver observer;
    private final LongSupplier clock;
    private final Optional<Gated> gated;
    private final Consumer<SchedulerEvent> engine = this::handle;
    private final Consumer<SchedulerEvent> intake;
    private final List<SchedulerEvent> events = new ArrayList<>(MOST_EVENTS_AT_ONCE);
    private final Set<Runnable> unanswered = ConcurrentHashMap.newKeySet();
    private volatile Consumer<Throwable> onFault = fault -> {};
    private volatile boolean begun;
    private volatile boolean ended;
    private volatile boolean stopping;
    private volatile Optional<Thread> thread = Optional.empty();
    /** When a turn began, or was asked for, that has not ended. */
    private volatile long turnsSince;

    private volatile boolean rests;
    private boolean busy = true;
    private final CompletableFuture<Void> known = new CompletableFuture<>();

    /** @param mayPlace whether this replica leads and is not about to stop */
    public EngineLoop(
            Scheduler scheduler, Mailbox mailbox, BooleanSupplier mayPlace, LoopObserver observer, LongSupplier clock) {
        this(scheduler, mailbox, mayPlace, observer, clock, Optional.empty());
    }

    /** One that may have a gate before its scheduler. */
    EngineLoop(
            Scheduler scheduler,
            Mailbox mailbox,
            BooleanSupplier mayPlace,
            LoopObserver observer,
            LongSupplier clock,
            Optional<Gated> gated) {
        this.gated = gated;
        intake = gated.<Consumer<SchedulerEvent>>map(shard -> event -> shard.take(event, engine))
                .orElse(engine);
        this.scheduler = scheduler;
        this.mailbox = mailbox;
        this.mayPlace = mayPlace;
        this.observer = observer;
        this.clock = clock;
    }

    /** The gate before a shard's engine. What it says of itself is read by other threads, as it was after the last turn. */
    static final class Gated {
        private final ShardGate gate;
        private final Runnable podsAnew;
        /** How far the others have got, until the gate has been told; also where they are no further, as it tries again then what failed. */
        private final AtomicReference<@Nullable ShardProgress> others = new AtomicReference<>();

        private volatile ShardProgress progress = ShardProgress.NONE;
        private volatile boolean waits;
        private volatile long weight;

        /** @param podsAnew has all pods listed anew */
        Gated(ShardGate gate, Runnable podsAnew) {
            this.gate = gate;
            this.podsAnew = podsAnew;
        }

        ShardProgress progress() {
            return progress;
        }

        boolean waits() {
            return waits;
        }

        QueueCounts counted(QueueCounts inQueue) {
            return gate.counted(inQueue);
        }

        private void take(SchedulerEvent event, Consumer<SchedulerEvent> engine) {
            gate.take(event, engine);
            if (gate.wantsPodsAnew()) {
                podsAnew.run();
            }
        }

        private void hearOfOthers(Consumer<SchedulerEvent> engine) {
            ShardProgress now = others.getAndSet(null);
            if (now != null) {
                gate.othersAt(now, engine);
            }
        }

        long weight() {
            return weight;
        }

        private void turned(ClusterView cluster) {
            progress = gate.progress();
            waits = gate.waits();
            weight = 1L + cluster.nodes().count() + cluster.pods().count();
        }
    }

    /** Others have got so far: what waited for them goes on. */
    void othersAt(ShardProgress least) {
        gated.ifPresent(shard -> shard.others.set(least));
        wake();
    }

    /** Starts the thread; {@code failed} is told of the fault that has ended the loop, if one has. */
    public void start(Machine machine, Consumer<Throwable> failed) {
        onFault = failed;
        turnsSince = clock.getAsLong();
        begun = true;
        Thread turns = machine.dedicated("engine", this);
        thread = Optional.of(turns);
        turns.start();
    }

    /** Lets the current turn end, and no other begin. */
    public void stop() {
        stopping = true;
        thread.ifPresent(Thread::interrupt);
    }

    /** Waits until the thread has ended, if it was started. */
    void join(Machine machine) throws InterruptedException {
        if (thread.isPresent()) {
            machine.join(thread.get());
        }
    }

    public boolean isAlive() {
        return !ended;
    }

    /**
     * How long a turn has not come to its end; nothing while the thread is not at work. A loop that rests is asked for a turn:
     * whether it has taken that is seen the next time.
     */
    Duration sinceTurn() {
        if (!begun || ended) {
            return Duration.ZERO;
        }
        if (rests) {
            turnsSince = clock.getAsLong();
            rests = false;
            wake();
        }
        return Duration.ofNanos(clock.getAsLong() - turnsSince);
    }

    /** Whether the caches are synced: all objects have been read once. */
    public boolean isSynced() {
        return known.isDone();
    }

    /** Completes, on the engine's thread, once the caches are synced. */
    CompletableFuture<Void> known() {
        return known;
    }

    /** Something has changed that no event tells of: a turn begins at once, though nothing has come. */
    void wake() {
        mailbox.post(new SchedulerEvent.Inquiry(_ -> {}));
    }

    /** Asks the scheduler something, between two pods. Cancelled unless the loop is at work until the answer. */
    public <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable cancellation = () -> answer.cancel(false);
        unanswered.add(cancellation);
        var _ = answer.whenComplete((_, _) -> unanswered.remove(cancellation));
        if (!begun || ended) {
            answer.cancel(false);
            return answer;
        }
        mailbox.post(new SchedulerEvent.Inquiry(asked -> {
            try {
                answer.complete(question.apply(asked));
            } catch (RuntimeException fault) {
                answer.completeExceptionally(fault);
            }
        }));
        return answer;
    }

    /** @throws IllegalStateException if there is no answer in time */
    <T> T answer(Function<Scheduler, T> question) {
        try {
            return ask(question).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", hurry);
        } catch (ExecutionException | TimeoutException | CancellationException noAnswer) {
            throw new IllegalStateException("the engine does not answer", noAnswer);
        }
    }

    @Override
    public boolean turn(long longestWait) {
        boolean goesOn = false;
        try {
            goesOn = !stopping && hasTurned(longestWait);
        } finally {
            if (!goesOn) {
                end();
            }
        }
        return goesOn;
    }

    private boolean hasTurned(long longestWait) {
        try {
            mailbox.take(events, MOST_EVENTS_AT_ONCE, Math.min(longestWait, nanosUntilNext()));
            takeIn();
            return true;
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error fault) {
            onFault.accept(fault);
        }
        return false;
    }

    @Override
    public long nanosUntilNext() {
        if (busy || !mailbox.isEmpty()) {
            return 0;
        }
        OptionalLong deadline = scheduler.nextDeadline();
        long wait = deadline.isEmpty() ? Long.MAX_VALUE : Math.max(1, deadline.getAsLong() - clock.getAsLong());
        return Math.min(wait, observer.nanosUntilNext(scheduler));
    }

    private void takeIn() {
        long begin = clock.getAsLong();
        turnsSince = begin;
        rests = false;
        gated.ifPresent(shard -> shard.hearOfOthers(engine));
        events.forEach(intake);
        observer.ticking();
        scheduler.tick();
        noteWhetherSynced();
        busy = placePods();
        gated.ifPresent(shard -> shard.turned(scheduler.cluster()));
        observer.turned(scheduler, events.size(), clock.getAsLong() - begin);
        events.clear();
        rests = true;
    }

    private void handle(SchedulerEvent event) {
        observer.taking(scheduler, event);
        scheduler.handle(event);
    }

    private void end() {
        mailbox.close();
        observer.ended();
        ended = true;
        unanswered.forEach(Runnable::run);
    }

    private void noteWhetherSynced() {
        if (!known.isDone() && scheduler.isSynced()) {
            log.atInfo()
                    .setMessage("Caches synced")
                    .addKeyValue("nodes", scheduler.cluster().nodes().count())
                    .addKeyValue("podsOnNodes", scheduler.cluster().pods().count())
                    .addKeyValue("podsWaiting", scheduler.queue().pods().size())
                    .log();
            known.complete(null);
        }
    }

    private boolean placePods() {
        int placed = 0;
        while (placed < MOST_PODS_AT_ONCE && mayPlace.getAsBoolean() && placeNext()) {
            placed++;
        }
        return placed > 0;
    }

    private boolean placeNext() {
        observer.placing();
        return scheduler.scheduleNext();
    }
}
