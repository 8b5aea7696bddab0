package io.evenkeel.app.live;

import io.evenkeel.app.why.ClusterQuestions;
import io.evenkeel.app.why.Judgement;
import io.evenkeel.app.why.QueueKnowledge;
import io.evenkeel.app.why.QueuedPod;
import io.evenkeel.app.why.api.ClusterCopy;
import io.evenkeel.app.why.api.NewsFeed;
import io.evenkeel.app.why.api.PlacementApi;
import io.evenkeel.app.why.api.PodsAtServer;
import io.evenkeel.app.why.api.SilentEngineException;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.queue.QueueEntryView;
import io.evenkeel.queue.QueueState;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Questions that a live scheduler answers to others: of the cluster by a copy of it, of its own queue by itself. */
final class Questions implements EngineLoop.LoopObserver, AutoCloseable {
    private final NewsFeed feed = new NewsFeed();
    private volatile Optional<Thread> thread = Optional.empty();

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        feed.saw(event);
    }

    @Override
    public void turned(Scheduler scheduler, int events, long nanos) {}

    /** Begins to answer. */
    PlacementApi begin(
            LiveScheduler live,
            SchedulerConfiguration configuration,
            LiveOptions options,
            ApiTransport transport,
            Machine machine) {
        ClusterCopy copy = new ClusterCopy(
                faults -> new ClusterQuestions(configuration, options.registry(), Judgement.OWN, faults),
                live.loop()::ask,
                feed,
                machine.clocks().nanos());
        Thread turns = machine.dedicated("questions", copy);
        thread = Optional.of(turns);
        turns.start();
        return new PlacementApi(copy, live::isSynced, pod -> known(live, pod), new PodsAtServer(transport));
    }

    @Override
    public void close() {
        thread.ifPresent(Thread::interrupt);
    }

    private static QueueKnowledge known(LiveScheduler live, String pod) {
        if (!live.leadership().isLeading()) {
            return QueueKnowledge.NONE;
        }
        try {
            return LiveDumps.answer(
                    live,
                    scheduler -> new QueueKnowledge(
                            scheduler.queue().view(pod).map(entry -> queued(entry, live.now())),
                            scheduler.onTheirWay()));
        } catch (IllegalStateException noAnswer) {
            throw new SilentEngineException(noAnswer);
        }
    }

    private static QueuedPod queued(QueueEntryView entry, long now) {
        return new QueuedPod(
                entry.state() == QueueState.IN_FLIGHT
                        ? "in flight"
                        : entry.state().metricName(),
                entry.attempts(),
                Duration.ofNanos(now - entry.sinceNanos()),
                until(entry.nextTryNanos(), now),
                entry.nominatedNode());
    }

    private static Optional<Duration> until(OptionalLong moment, long now) {
        return moment.isPresent()
                ? Optional.of(Duration.ofNanos(Math.max(0, moment.getAsLong() - now)))
                : Optional.empty();
    }
}
