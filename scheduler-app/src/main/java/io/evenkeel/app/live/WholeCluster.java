package io.evenkeel.app.live;

import io.evenkeel.app.companion.AskedCluster;
import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.Companion.Answering;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole of a cluster that several engines share, for companions that answer about it: one more engine, which places nothing. It
 * begins with the first question, whatever shards this replica holds, and is let go a while after the last. Its fault ends it
 * alone; the next one begins a minute later at the soonest.
 */
final class WholeCluster implements AskedCluster, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WholeCluster.class);

    /** A little longer than the copy for questions is kept, which follows it. */
    static final Duration KEPT = Duration.ofMinutes(6);

    /** Who asks has as long again for the answer. */
    private static final Duration TO_BE_KNOWN = Duration.ofSeconds(15);

    private static final Duration AFTER_A_FAULT = Duration.ofMinutes(1);

    private final SchedulerConfiguration configuration;
    private final ApiTransport transport;
    private final LiveOptions options;
    private final List<Answering> companions;
    private final Supplier<Parted> parted;
    private final Duration kept;
    private final Runnable collection;
    private final Machine machine;
    private volatile Optional<LiveScheduler> live = Optional.empty();
    private volatile long lastAsked;
    private Optional<Long> failedAt = Optional.empty();
    private boolean closed;

    /**
     * @param companions answer about it, and are told of all that is taken in
     * @param parted how engines share it, but for how long it is quiet
     * @param collection gives back what the engine has left, once it has ended: by itself the collector of a small heap looks at what is
     *     old only when the heap is full
     */
    WholeCluster(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            List<Answering> companions,
            Supplier<Parted> parted,
            Duration kept,
            Runnable collection,
            Machine machine) {
        this.configuration = configuration;
        this.transport = transport;
        this.options = LiveOptions.observing(options.hostname(), options.plugins());
        this.companions = List.copyOf(companions);
        this.parted = parted;
        this.kept = kept;
        this.collection = collection;
        this.machine = machine;
        companions.forEach(each -> each.begin(this));
    }

    private synchronized Optional<LiveScheduler> begun() {
        lastAsked = now();
        if (live.isPresent()
                || closed
                || failedAt.filter(at -> lastAsked - at < AFTER_A_FAULT.toNanos())
                        .isPresent()) {
            return live;
        }
        log.info("Reading the whole cluster, as somebody asks about it");
        Turns turns = new Turns();
        LiveScheduler next = LiveScheduler.assemble(
                configuration,
                transport,
                options,
                new LiveObservers(SchedulerObserver.NONE, DispatcherObserver.NONE, turns),
                machine);
        turns.of = Optional.of(next);
        live = Optional.of(next);
        var _ = next.ended().thenAccept(_ -> failed(next));
        next.begin();
        return live;
    }

    private long now() {
        return machine.clocks().nanos().getAsLong();
    }

    private synchronized void failed(LiveScheduler ended) {
        if (!closed && live.filter(ended::equals).isPresent()) {
            failedAt = Optional.of(now());
            letGo(ended, () -> {});
        }
    }

    private synchronized void letGoIfUnasked(LiveScheduler idle) {
        if (now() - lastAsked >= kept.toNanos() && live.filter(idle::equals).isPresent()) {
            log.info("Whole cluster let go, as nobody asks about it");
            letGo(idle, collection);
        }
    }

    /** On a thread of its own, as it waits for those of the watches, which may have called, and for the engine's. */
    private void letGo(LiveScheduler last, Runnable then) {
        live = Optional.empty();
        AtomicReference<Optional<LiveScheduler>> leaving = new AtomicReference<>(Optional.of(last));
        machine.thread("whole-cluster-end", () -> {
                    end(leaving);
                    then.run();
                })
                .start();
    }

    /** Nothing of this thread holds it afterwards, so that a collection finds it gone. */
    private static void end(AtomicReference<Optional<LiveScheduler>> leaving) {
        leaving.getAndSet(Optional.empty()).ifPresent(LiveScheduler::closeAndWait);
    }

    /** Tells the companions of what this engine takes in, until it is let go. */
    private final class Turns implements LoopObserver {
        private final LoopObserver told = LoopObserver.all(companions);
        private volatile Optional<LiveScheduler> of = Optional.empty();

        @Override
        public void taking(Scheduler scheduler, SchedulerEvent event) {
            if (of.equals(live)) {
                told.taking(scheduler, event);
            }
        }

        @Override
        public void turned(Scheduler scheduler, int events, long nanos) {
            told.turned(scheduler, events, nanos);
            if (left() <= 0) {
                of.ifPresent(WholeCluster.this::letGoIfUnasked);
            }
        }

        @Override
        public long nanosUntilNext(Scheduler scheduler) {
            return Math.min(Math.max(1, left()), told.nanosUntilNext(scheduler));
        }

        private long left() {
            return lastAsked + kept.toNanos() - now();
        }
    }

    @Override
    public boolean isSynced() {
        return live.filter(LiveScheduler::isSynced).isPresent();
    }

    @Override
    public boolean isKnown() {
        Optional<LiveScheduler> asked = begun();
        try {
            if (asked.isPresent()) {
                asked.get().loop().known().get(TO_BE_KNOWN.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | CancellationException _) {
            return false;
        }
        return isSynced();
    }

    /** Nothing where it has not been read. */
    @Override
    public Optional<Parted> parted() {
        Parted known = parted.get();
        return live.map(
                engine -> new Parted(known.replica(), quiet(engine), known.map(), known.overseer(), known.holders()));
    }

    private Duration quiet(LiveScheduler engine) {
        return engine.watchStatuses().stream()
                .filter(watch -> watch.kind().equals(Kinds.POD.name()))
                .flatMap(watch -> watch.quietFor(machine.clocks().time().instant()).stream())
                .findFirst()
                .orElse(Duration.ZERO);
    }

    @Override
    public List<Kind<?>> kinds() {
        return begun().map(LiveScheduler::kinds).orElse(List.of());
    }

    @Override
    public <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
        return begun().map(engine -> engine.ask(question)).orElseGet(() -> {
            CompletableFuture<T> none = new CompletableFuture<>();
            none.cancel(false);
            return none;
        });
    }

    @Override
    public <T> T answer(Function<Scheduler, T> question) {
        return begun().orElseThrow(() -> new IllegalStateException("the engine does not answer"))
                .answer(question);
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
    public boolean isLeading() {
        return false;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        live.ifPresent(LiveScheduler::close);
        companions.forEach(Companion::close);
    }
}
