package io.evenkeel.tools.why;

import io.evenkeel.app.companion.AskedCluster;
import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.http.Routes;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Questions that a live scheduler answers to others: of the cluster by a copy of it, of its own queue by itself. Who shares one shares its
 * copy, and takes turns.
 */
public final class Questions implements Companion.Answering {
    private final SchedulerConfiguration configuration;
    private final PluginRegistry plugins;
    private final Judgement judgement;
    private final Spreads spreads;
    private final boolean servesWhy;
    private final List<ClusterCopy.Follower> followers = new ArrayList<>();
    private final NewsFeed feed = new NewsFeed();
    private boolean looksAtLeases;
    private Optional<AskedCluster> cluster = Optional.empty();
    private Optional<PlacementApi> placements = Optional.empty();
    private volatile Optional<Thread> thread = Optional.empty();

    /**
     * @param judgement tells the owner of the configuration
     * @param servesWhy whether it answers for {@code why.evenkeel.io}
     */
    public Questions(
            SchedulerConfiguration configuration,
            PluginRegistry plugins,
            Judgement judgement,
            Spreads spreads,
            boolean servesWhy) {
        this.configuration = configuration;
        this.plugins = plugins;
        this.judgement = judgement;
        this.spreads = spreads;
        this.servesWhy = servesWhy;
    }

    /** Has answers say which engines share the work of the cluster's own scheduler, where that is another. To be called before it answers. */
    public Questions lookingAtLeases() {
        looksAtLeases = true;
        return this;
    }

    /** To be called before it answers. */
    public void follow(ClusterCopy.Follower follower) {
        followers.add(follower);
    }

    public Spreads spreads() {
        return spreads;
    }

    @Override
    public void begin(AskedCluster around) {
        cluster = Optional.of(around);
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        feed.saw(event);
    }

    @Override
    public void addTo(Routes routes) {
        if (servesWhy) {
            placements().addTo(routes);
        }
    }

    /** Its answers; it begins to answer with the first call. */
    public PlacementApi placements() {
        if (placements.isEmpty()) {
            placements = Optional.of(begun(cluster.orElseThrow()));
        }
        return placements.get();
    }

    private PlacementApi begun(AskedCluster live) {
        Optional<FreshLeases> leases = looksAtLeases ? Optional.of(new FreshLeases(live)) : Optional.empty();
        ClusterCopy copy = new ClusterCopy(
                faults -> {
                    ClusterQuestions empty =
                            new ClusterQuestions(configuration, plugins, judgement, faults).of(live::parted);
                    leases.ifPresent(each -> empty.tellOfShards(each::shardsOf));
                    return empty;
                },
                live::ask,
                feed,
                (questions, event) -> followers.forEach(each -> each.news(questions, event)),
                live.machine().clocks().nanos());
        Thread turns = live.machine().dedicated("questions", copy);
        thread = Optional.of(turns);
        turns.start();
        return new PlacementApi(
                new CopyAnswers(copy, () -> {
                    leases.ifPresent(FreshLeases::refresh);
                    return live.isKnown();
                }),
                spreads,
                pod -> known(live, pod),
                new PodsAtServer(live.transport()),
                live.machine().clocks().time());
    }

    /** The cluster's Leases, read again for whoever asks so long after the last time, on their thread. */
    private static final class FreshLeases {
        private static final Duration FRESH = Duration.ofSeconds(5);

        private final AskedCluster live;
        private final AtomicLong due = new AtomicLong();
        private volatile Optional<SchedulerLeases> read = Optional.empty();

        FreshLeases(AskedCluster live) {
            this.live = live;
        }

        void refresh() {
            long now = live.machine().clocks().nanos().getAsLong();
            long then = due.get();
            if (now >= then && due.compareAndSet(then, now + FRESH.toNanos())) {
                read = SchedulerLeases.read(
                        live.transport(), live.machine().clocks().time());
            }
        }

        Optional<EngineShards> shardsOf(String schedulerName) {
            return read.flatMap(leases -> leases.shardsOf(schedulerName));
        }
    }

    /** How old answers are where several engines share the cluster. */
    public Optional<Duration> age() {
        return cluster.flatMap(AskedCluster::parted).map(Parted::quiet);
    }

    @Override
    public void close() {
        thread.ifPresent(Thread::interrupt);
    }

    private static QueueKnowledge known(AskedCluster live, String pod) {
        if (!live.isLeading()) {
            return QueueKnowledge.NONE;
        }
        try {
            return live.answer(scheduler -> {
                long now =
                        live.machine().clocks().nanos().getAsLong(); // when it answers, which may be later than asked
                return new QueueKnowledge(
                        scheduler.queue().view(pod).map(entry -> queued(entry, now)), scheduler.onTheirWay());
            });
        } catch (IllegalStateException noAnswer) {
            throw new EngineUnavailableException(noAnswer);
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
