package io.evenkeel.tools.observe;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.WaitingPods;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Pod;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks on while a live scheduler takes in what happens in its cluster. On the engine's thread: each pod that comes or goes costs what
 * {@link SpreadIndex} says, each that another scheduler binds a comparison, and once a second as many
 * domains are read and as many nodes linted as take a few milliseconds; what is left over waits for the next second.
 */
public final class SpreadObserver implements Companion {
    private static final Logger log = LoggerFactory.getLogger(SpreadObserver.class);
    private static final long BETWEEN_TICKS = TimeUnit.SECONDS.toNanos(1);
    private static final long DOMAINS_A_TICK = 500_000;
    private static final long NODES_A_TICK = 200_000;

    private final SchedulerConfiguration configuration;
    private final Times times;
    private final ObserveMetrics metrics = new ObserveMetrics();
    private final Comparison comparison;
    private final SpreadBoard spreads;
    private Optional<Watch> watch = Optional.empty();
    private long tickedAt;
    private boolean saidThatSomeAreLeftOut;

    /** The parts that exist once there is a scheduler to look at. */
    private record Watch(Reader reader, WaitingPods waiting, LintBoard lints) {}

    public SpreadObserver(SchedulerConfiguration configuration, Times times) {
        this.configuration = configuration;
        this.times = times;
        comparison = new Comparison(configuration, metrics, times);
        spreads = new SpreadBoard(times);
        tickedAt = times.now() - BETWEEN_TICKS;
    }

    @Override
    public Instruments metrics() {
        return metrics;
    }

    @Override
    public boolean showsSpread() {
        return true;
    }

    /** Says how far the schedulers agreed, if that has not been said already. */
    @Override
    public void close() {
        comparison.tellNow();
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        watching(scheduler)
                .waiting()
                .take(event)
                .filter(_ -> scheduler.isSynced())
                .ifPresent(pod -> comparison.bound(scheduler, pod, nodeOf(event)));
    }

    private static String nodeOf(SchedulerEvent event) {
        return event instanceof ClusterEvent.Put(Pod pod) ? pod.spec().nodeName() : "";
    }

    private Watch watching(Scheduler scheduler) {
        if (watch.isEmpty()) {
            Reader reader = new Reader(scheduler.cluster(), configuration);
            WaitingPods waiting = new WaitingPods(new WaitingPods.Listener() {
                @Override
                public void began(Pod pod) {
                    reader.index().addWaiting(pod);
                }

                @Override
                public void ended(Pod pod) {
                    reader.index().removeWaiting(pod);
                }
            });
            watch = Optional.of(new Watch(reader, waiting, new LintBoard(scheduler.cluster(), reader.index(), times)));
        }
        return watch.get();
    }

    @Override
    public void turned(Scheduler scheduler, int events, long turnNanos) {
        long now = times.now();
        if (scheduler.isSynced() && now - tickedAt >= BETWEEN_TICKS) {
            tickedAt = now;
            tick(watching(scheduler));
        }
    }

    @Override
    public long nanosUntilNext(Scheduler scheduler) {
        return scheduler.isSynced() ? Math.max(1, tickedAt + BETWEEN_TICKS - times.now()) : Long.MAX_VALUE;
    }

    private void tick(Watch watched) {
        watched.reader().read(DOMAINS_A_TICK, spreads::read, spreads::gone);
        spreads.tell();
        watched.lints().goOn(NODES_A_TICK);
        comparison.tell();
        spreads.news().ifPresent(metrics::show);
        metrics.showFindings(watched.lints().found());
        tellOfThoseLeftOut();
    }

    private void tellOfThoseLeftOut() {
        int leftOut = spreads.size() - ObserveMetrics.MOST_SPREADS;
        if (leftOut > 0 && !saidThatSomeAreLeftOut) {
            log.atWarn()
                    .setMessage("Too many spread constraints for metrics: the worst are shown")
                    .addKeyValue("shown", ObserveMetrics.MOST_SPREADS)
                    .addKeyValue("leftOut", leftOut)
                    .log();
        }
        saidThatSomeAreLeftOut = leftOut > 0;
    }
}
