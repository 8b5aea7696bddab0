package io.evenkeel.kube.watch;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.watch.Decoder.ListPage;
import io.evenkeel.kube.watch.Decoder.WatchFrames;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Follows all objects of one kind, for ever: which request comes next, and what to do where it fails.
 *
 * <p>It is always in one of two states. Without a version, everything is to be read; with a version, the changes since are
 * followed, and every event and bookmark moves it on ({@link Delivery}). A stream that ends or breaks is resumed from the
 * version. The version is given up only where the server no longer knows it, or fails at it again and again, so nothing is
 * missed: what a relist finds gone is gone.
 *
 * <p>A server may have no such resource, where the kind is optional: then there are none, and it is asked again from time
 * to time.
 *
 * <p>Everything is read as one stream (sendInitialEvents), or as a paged list where the server does not offer that.
 */
final class Watch {
    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);
    /** A server that sends bookmarks sends one a minute, whether or not anything changes. */
    private static final Duration BOOKMARKS_MISSED = Duration.ofSeconds(130);

    /** Somebody installs a custom resource and waits for it to have an effect. */
    private static final Duration UNTIL_A_LOOK_AT_AN_ABSENT_KIND = Duration.ofSeconds(30);

    private static final int MOST_STREAMS_IN_VAIN = 3;
    private static final int MOST_FAILED_EVENTS = 3;
    static final String WHATEVER_IS_CACHED = "0";
    private static final String NEWEST = "";

    private final Kind<?> kind;
    private final boolean optional;
    private final boolean isCustom;
    private final Clocks clocks;
    private final Machine machine;
    private final List<Served> versions;
    private final WatchGauge gauge;
    private final WatchLog log;
    private final Connection connection;
    private final Delivery delivery;
    private final Backoff backoff;
    private final Thread thread;

    private int served;
    private int inNoVersion;
    private String listFrom = WHATEVER_IS_CACHED;
    private volatile boolean anew;
    /** Of the wait under way, or the last. */
    private volatile Optional<Sleeper> resting = Optional.empty();

    private boolean listNext;
    private int streamsInVain;
    private int failedEvents;

    Watch(
            Kind<?> kind,
            ApiTransport transport,
            ObjectReader reader,
            Consumer<? super SchedulerEvent> sink,
            Machine machine) {
        this.kind = kind;
        this.optional = kind.optional();
        this.isCustom = !kind.group().endsWith(".k8s.io") || kind.group().endsWith(".x-k8s.io");
        this.clocks = machine.clocks();
        this.machine = machine;
        this.versions = kind.versions().stream()
                .map(version -> new Served(new WatchQueries(version, clocks.random()), new Decoder(version, reader)))
                .toList();
        this.gauge = new WatchGauge(kind.name());
        this.log = new WatchLog(kind);
        this.connection = new Connection(transport, gauge);
        this.delivery = new Delivery(kind.name(), sink, gauge, log);
        this.backoff = new Backoff(clocks.random());
        this.thread = machine.thread("watch-" + kind.name(), this::run);
    }

    void start() {
        thread.start();
    }

    WatchStatus status() {
        return gauge.status();
    }

    void stop() {
        connection.stop();
        thread.interrupt();
    }

    boolean isOf(Kind<?> other) {
        return kind.equals(other);
    }

    /** Has everything read anew: what is being read by now may be older. By any thread. */
    void relist() {
        anew = true;
        connection.cutOff();
    }

    Thread thread() {
        return thread;
    }

    private void run() {
        try {
            while (!connection.isStopped()) {
                Duration pause = step();
                if (pause.isPositive() && !connection.isStopped()) {
                    rest(pause);
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void rest(Duration pause) throws InterruptedException {
        Sleeper sleeper = machine.sleeper();
        resting = Optional.of(sleeper);
        sleeper.sleep(pause.toNanos());
    }

    /** The server answers: it is asked without waiting any longer. By any thread. */
    void hurry() {
        resting.ifPresent(Sleeper::wake);
    }

    /** One request and all that it brings; answers how long to wait before the next. */
    Duration step() {
        if (anew) {
            anew = false;
            startOver(NEWEST);
        }
        boolean streaming = delivery.isRelisting() && !listNext;
        try {
            if (delivery.version().isPresent()) {
                return follow(delivery.version().get());
            }
            if (!gauge.isAbsent()) {
                gauge.relist();
            }
            if (streaming) {
                streamEverything();
            } else {
                list();
            }
            return Duration.ZERO;
        } catch (RefusedException refusal) {
            return connection.isStopped() ? Duration.ZERO : afterRefusal(refusal, streaming);
        } catch (IOException cut) {
            return connection.isStopped() || anew ? Duration.ZERO : afterCut(cut);
        } catch (RuntimeException | Error bug) {
            gauge.error(String.valueOf(bug));
            log.bug(bug);
            delivery.forget();
            return backoff.next();
        } finally {
            gauge.disconnected();
        }
    }

    /** What is asked and how the answers are read, in one version of the kind. */
    private record Served(WatchQueries queries, Decoder decoder) {}

    /** In the version in which the server has the kind, as far as is known. */
    private WatchQueries queries() {
        return versions.get(served).queries;
    }

    private Decoder decoder() {
        return versions.get(served).decoder;
    }

    private Duration follow(String since) throws IOException {
        Instant start = clocks.time().instant();
        long events = connection.ask(queries().changesSince(since), this::handleAll);
        boolean inVain =
                events == 0 && Duration.between(start, clocks.time().instant()).compareTo(SHORT_LIVED) < 0;
        if (inVain) {
            // A server that closes at once must not be asked a thousand times a second.
            log.cut("the stream ends at once", backoff.failures() > 1);
        }
        return inVain ? backoff.next() : Duration.ZERO;
    }

    private void streamEverything() throws IOException {
        streamsInVain++;
        connection.ask(queries().everything(), answer -> {
            began();
            return handleAll(answer);
        });
        if (delivery.isRelisting() && !connection.isStopped()) {
            throw new IOException("the stream of all objects ended early");
        }
    }

    private void began() {
        decoder().begin();
        delivery.began();
    }

    private void list() throws IOException {
        began();
        ListPage page = new ListPage("", "");
        do {
            page = connection.ask(
                    queries().page(listFrom, page.continueToken()),
                    answer -> decoder().page(answer, this::handleItem));
        } while (!page.continueToken().isEmpty());
        gauge.event(clocks.time().instant());
        ended(page.resourceVersion());
    }

    private void handleItem(WatchEvent item) {
        switch (item) {
            case WatchEvent.Put put -> delivery.put(put);
            case WatchEvent.Illegible illegible -> delivery.illegible(illegible);
            default -> throw new IllegalStateException("no item of a list: " + item);
        }
    }

    private long handleAll(ApiAnswer answer) throws IOException {
        if (anew) {
            throw new InterruptedIOException("to be read anew");
        }
        WatchFrames frames = decoder().frames(answer);
        long events = 0;
        Optional<WatchEvent> event = frames.next();
        for (; event.isPresent() && !connection.isStopped(); event = frames.next()) {
            events++;
            gauge.event(clocks.time().instant());
            if (handle(event.get())) {
                healthy();
            }
            if (event.get() instanceof WatchEvent.Bookmark bookmark && !bookmark.endsInitialEvents()) {
                answer.expectWithin(BOOKMARKS_MISSED);
            }
        }
        return events;
    }

    /** Answers whether the version has moved on. */
    private boolean handle(WatchEvent event) throws IOException {
        return switch (event) {
            case WatchEvent.Put put -> delivery.put(put);
            case WatchEvent.Heartbeat heartbeat -> delivery.reached(heartbeat.resourceVersion());
            case WatchEvent.Removed removed -> delivery.removed(removed);
            case WatchEvent.Illegible illegible -> delivery.illegible(illegible);
            case WatchEvent.Unreadable unreadable -> delivery.unreadable(unreadable);
            case WatchEvent.Bookmark bookmark -> {
                if (delivery.isRelisting()) {
                    endOfInitialEvents(bookmark);
                }
                yield delivery.reached(bookmark.resourceVersion());
            }
            case WatchEvent.Failed failed -> {
                failedEvents++;
                throw new RefusedException(failed.status());
            }
        };
    }

    private void endOfInitialEvents(WatchEvent.Bookmark bookmark) throws IOException {
        if (!bookmark.endsInitialEvents()) {
            listNext = true;
            throw new IOException("the server does not stream all objects; listing them instead");
        }
        ended(bookmark.resourceVersion());
    }

    private void ended(String version) {
        delivery.ended(version);
        if (served > 0) {
            log.older(queries().kind().apiVersion());
        }
        listNext = false;
        streamsInVain = 0;
        inNoVersion = 0;
        healthy();
    }

    private void healthy() {
        failedEvents = 0;
        backoff.reset();
        log.works();
    }

    private Duration afterRefusal(RefusedException refusal, boolean streaming) {
        String what = String.valueOf(refusal.getMessage());
        if (optional && refusal.isOfNothing() && delivery.isRelisting()) {
            served = (served + 1) % versions.size();
            if (served != 0) {
                return Duration.ZERO;
            }
            if (isCustom) {
                return afterAbsence(what);
            }
            // what Kubernetes itself has is not taken away with its objects: another server is older, or none answers;
            // and all devices are not free because one answer was wrong
            if (!delivery.hasBroughtAny()) {
                inNoVersion++;
                return gauge.isAbsent() || inNoVersion > 1 ? afterAbsence(what) : backoff.next();
            }
        }
        gauge.error(what);
        boolean leadsNowhere = failedEvents >= MOST_FAILED_EVENTS;
        if (refusal.isVersionUnknown() || leadsNowhere) {
            failedEvents = 0;
            log.relist(what);
            if (!delivery.isRelisting()) {
                // The server is back, perhaps after an hour of waiting ever longer for it.
                backoff.reset();
            }
            startOver(NEWEST);
            return backoff.next();
        }
        if (refusal.isOfTheRequest()) {
            if (streaming) {
                listNext = true;
                log.cut(what, false);
                return Duration.ZERO;
            }
            startOver(NEWEST);
        }
        log.trouble(what);
        Duration pause = backoff.next();
        return refusal.retryAfter().filter(asked -> asked.compareTo(pause) > 0).orElse(pause);
    }

    private Duration afterAbsence(String what) {
        delivery.absent(what);
        listNext = false;
        streamsInVain = 0;
        backoff.reset();
        return UNTIL_A_LOOK_AT_AN_ABSENT_KIND;
    }

    private Duration afterCut(IOException cut) {
        String what = NoAnswer.why(cut);
        gauge.error(what);
        boolean isToldByTransport =
                !gauge.isConnected() && NoAnswer.unreached(cut).isPresent();
        log.cut(what, !isToldByTransport && (backoff.failures() > 0 || cut instanceof InterruptedIOException));
        if (delivery.isRelisting() && streamsInVain >= MOST_STREAMS_IN_VAIN) {
            listNext = true;
            streamsInVain = 0;
        }
        return backoff.nextUnreached();
    }

    private void startOver(String from) {
        listFrom = from;
        delivery.forget();
    }

    /**
     * The wait before another try: twice as long each time, and never quite the same, lest all schedulers and all
     * watches of a restarted server come back at once.
     */
    private static final class Backoff {
        private static final long FIRST_MILLIS = 500;
        private static final long LONGEST_MILLIS = 30_000;
        private static final long LONGEST_UNREACHED_MILLIS = 10_000;

        private final RandomGenerator random;
        private int failures;

        Backoff(RandomGenerator random) {
            this.random = random;
        }

        /** Between one half and one and a half of the nominal time. */
        Duration next() {
            return next(LONGEST_MILLIS);
        }

        /** The delay for a server that was not reached: asking costs it nothing, and one that is back is to be noticed. */
        Duration nextUnreached() {
            return next(LONGEST_UNREACHED_MILLIS);
        }

        private Duration next(long longestMillis) {
            long nominal = Math.min(longestMillis, FIRST_MILLIS << Math.min(failures, 16));
            failures++;
            return Duration.ofMillis((long) (nominal * (0.5 + random.nextDouble())));
        }

        int failures() {
            return failures;
        }

        void reset() {
            failures = 0;
        }
    }

    /**
     * The state of one kind's hand-over: which objects, and up to which version.
     *
     * <p>Without a version the kind is being relisted: a bracket of {@link Relist.Began} and {@link Relist.Ended} that says of
     * all that was there before and is not named in between that it is gone. A bracket that breaks off is begun again, so
     * nothing is taken for gone before the server has told everything once. With a version, changes follow one by one. For
     * example, where b was known, c cannot be read, and the first try breaks off:
     *
     * <pre>
     * the server says              handed over             version after it
     * a@7                          Began, Put a            none: versions of initial events are in no order
     * (cut)                                                none
     * c@5, which cannot be read    Began, Present c        none
     * a@7                          Put a                   none
     * end of initial events @9     Ended (b is gone)       9
     * a@12                         Put a                   12
     * bookmark @20                                         20
     * (cut)                                                20: the next request asks for what came since
     * </pre>
     */
    static final class Delivery {
        private final String kind;
        private final Consumer<? super SchedulerEvent> sink;
        private final WatchGauge gauge;
        private final WatchLog log;
        private Optional<String> version = Optional.empty();
        private boolean hasBroughtAny;

        Delivery(String kind, Consumer<? super SchedulerEvent> sink, WatchGauge gauge, WatchLog log) {
            this.kind = kind;
            this.sink = sink;
            this.gauge = gauge;
            this.log = log;
        }

        /** Up to where all changes have been handed over; empty while everything is to be read. */
        Optional<String> version() {
            return version;
        }

        /** Whether what comes is part of everything, not a change. */
        boolean isRelisting() {
            return version.isEmpty();
        }

        /** Gives up the version: what the server had at it, it can no longer compare with. */
        void forget() {
            version = Optional.empty();
        }

        void began() {
            if (gauge.isAbsent()) {
                gauge.relist();
                gauge.absent(false);
            }
            sink.accept(new Relist.Began(kind));
        }

        void ended(String newVersion) {
            version = Optional.of(newVersion);
            sink.accept(new Relist.Ended(kind, newVersion));
            gauge.synced();
        }

        boolean hasBroughtAny() {
            return hasBroughtAny;
        }

        /** The server has no such resource: there are none, and no version from which some could come. */
        void absent(String why) {
            if (!gauge.isAbsent()) {
                log.absent(why);
                sink.accept(new Relist.Began(kind));
                sink.accept(new Relist.Ended(kind));
                gauge.absent(true);
                gauge.synced();
            }
        }

        /** As all that takes an event, answers whether it moved the version on. */
        boolean put(WatchEvent.Put put) {
            hasBroughtAny = true;
            sink.accept(new ClusterEvent.Put(put.object()));
            return reached(put.object().meta().resourceVersion());
        }

        boolean removed(WatchEvent.Removed removed) {
            sink.accept(new ClusterEvent.Removed(removed.object()));
            return reached(removed.object().meta().resourceVersion());
        }

        /** An object that is there, though not to be read: skipped, but a relist must not take it for gone. */
        boolean illegible(WatchEvent.Illegible object) {
            skipped(object.reason());
            if (isRelisting()) {
                sink.accept(new Relist.Present(kind, object.identity()));
            }
            object.pod().ifPresent(pod -> sink.accept(new SchedulerEvent.UnreadablePod(pod, object.reason())));
            return object.identity().isPresent()
                    && reached(object.identity().get().resourceVersion());
        }

        /** An unreadable event that does not even show what it is about. */
        boolean unreadable(WatchEvent.Unreadable event) {
            skipped(event.reason());
            return false;
        }

        /** Initial events come in no order of versions; from their end on, each version is newer than the one before. */
        boolean reached(String newVersion) {
            if (isRelisting() || newVersion.isEmpty()) {
                return false;
            }
            version = Optional.of(newVersion);
            return true;
        }

        private void skipped(String reason) {
            log.unreadable(reason, gauge.unreadable());
        }
    }

    /**
     * The log lines of a watch. A state is told when it changes and not again at every try; an unreadable object is told once for
     * each reason.
     */
    static final class WatchLog {
        private static final Logger LOG = LoggerFactory.getLogger(WatchLog.class);
        /** By a name of its own, for commands that tell it once for all kinds. */
        static final Logger CONNECTION = LoggerFactory.getLogger(WatchLog.class.getName() + ".connection");

        private static final int MOST_REASONS = 100;

        private final String kind;
        private final String apiVersion;
        private final Set<String> reasons = new HashSet<>();
        private String state = "";
        private String older = "";

        WatchLog(Kind<?> kind) {
            this.kind = kind.name();
            this.apiVersion = kind.apiVersion();
        }

        /** A single cut is everyday life and not worth a warning; the same again is. */
        void cut(String problem, boolean again) {
            if (again) {
                trouble(problem);
            } else {
                line(CONNECTION.atDebug(), "Watch connection cut, resuming")
                        .addKeyValue("why", problem)
                        .log();
            }
        }

        void trouble(String problem) {
            if (state.equals(problem)) {
                line(CONNECTION.atDebug(), "Watch still failing, retrying")
                        .addKeyValue("why", problem)
                        .log();
            } else {
                line(CONNECTION.atWarn(), "Watch failed, retrying")
                        .addKeyValue("why", problem)
                        .log();
                state = problem;
            }
        }

        void absent(String why) {
            line(LOG.atInfo(), "Kind is absent at the server, looking for it now and then")
                    .addKeyValue("apiVersion", apiVersion)
                    .addKeyValue("why", why)
                    .log();
            state = why;
        }

        void older(String version) {
            if (!older.equals(version)) {
                line(LOG.atInfo(), "Kind is read in an older version")
                        .addKeyValue("apiVersion", version)
                        .log();
                older = version;
            }
        }

        void works() {
            if (!state.isEmpty()) {
                line(CONNECTION.atInfo(), "Watch recovered").log();
                state = "";
            }
        }

        void relist(String why) {
            line(LOG.atInfo(), "Relisting all objects").addKeyValue("why", why).log();
        }

        void unreadable(String reason, long count) {
            // The name of the object comes first in a reason and would make each of them another.
            int colon = reason.indexOf(": ");
            String cause = colon < 0 ? reason : reason.substring(colon);
            if (reasons.size() < MOST_REASONS && reasons.add(cause)) {
                line(LOG.atWarn(), "Skipping unreadable object")
                        .addKeyValue("skippedSoFar", count)
                        .addKeyValue("why", reason)
                        .log();
            }
        }

        void bug(Throwable failure) {
            line(LOG.atError(), "Watch failed unexpectedly, relisting all objects")
                    .setCause(failure)
                    .log();
        }

        private LoggingEventBuilder line(LoggingEventBuilder level, String message) {
            return level.setMessage(message).addKeyValue("kind", kind);
        }
    }
}
