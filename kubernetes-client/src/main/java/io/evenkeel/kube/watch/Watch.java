package io.evenkeel.kube.watch;

import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Relist;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.watch.frame.Decoder;
import io.evenkeel.kube.watch.frame.ListPage;
import io.evenkeel.kube.watch.frame.Refusal;
import io.evenkeel.kube.watch.frame.ServerStatus;
import io.evenkeel.kube.watch.frame.WatchEvent;
import io.evenkeel.kube.watch.frame.WatchFrames;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows all objects of one kind, for ever.
 *
 * <p>It is always in one of two states. Without a version, everything is to be read: Relist.Began, the objects, Relist.
 * Ended; then there is a version. With a version, the changes since are followed, and every event and bookmark moves it
 * on. A stream that ends or breaks is resumed from the version. The version is given up only where the server no longer
 * knows it, or fails at it again and again, so nothing is missed: what a relist finds gone is gone.
 *
 * <p>Everything is read as one stream (sendInitialEvents), or as a paged list where the server does not offer that.
 */
final class Watch {
    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);
    private static final int MOST_STREAMS_IN_VAIN = 3;
    private static final int MOST_FAILED_EVENTS = 3;
    private static final String WHATEVER_IS_CACHED = "0";
    private static final String NEWEST = "";

    private final WatchedKind kind;
    private final ApiTransport transport;
    private final Decoder decoder;
    private final Consumer<? super SchedulerEvent> sink;
    private final Timing timing;
    private final WatchQueries queries;
    private final WatchGauge gauge;
    private final WatchLog log;
    private final Backoff backoff;
    private final Thread thread;

    private volatile boolean stopped;
    private volatile @Nullable ApiAnswer open;

    private Optional<String> version = Optional.empty();
    private String listFrom = WHATEVER_IS_CACHED;
    private boolean listNext;
    private int streamsInVain;
    private int failedEvents;

    Watch(
            WatchedKind kind,
            ApiTransport transport,
            ObjectReader reader,
            Consumer<? super SchedulerEvent> sink,
            Timing timing) {
        this.kind = kind;
        this.transport = transport;
        this.decoder = new Decoder(kind.kind(), reader);
        this.sink = sink;
        this.timing = timing;
        this.queries = new WatchQueries(kind, timing);
        this.gauge = new WatchGauge(kind.name());
        this.log = new WatchLog(kind.name());
        this.backoff = new Backoff(timing);
        this.thread = Thread.ofVirtual().name("watch-" + kind.name()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    WatchStatus status() {
        return gauge.status();
    }

    void stop() {
        stopped = true;
        ApiAnswer answer = open;
        if (answer != null) {
            answer.cutOff();
        }
        thread.interrupt();
    }

    void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException waitOn) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stopped) {
                Duration pause = step();
                if (pause.isPositive() && !stopped) {
                    timing.sleep(pause);
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** One request and all that it brings; answers how long to wait before the next. */
    Duration step() {
        boolean streaming = version.isEmpty() && !listNext;
        try {
            if (version.isPresent()) {
                return follow(version.get());
            }
            gauge.relist();
            if (streaming) {
                streamsInVain++;
                return stream(queries.everything(), true);
            }
            list();
            return Duration.ZERO;
        } catch (Refusal refusal) {
            return stopped ? Duration.ZERO : afterRefusal(refusal, streaming);
        } catch (IOException cut) {
            return stopped ? Duration.ZERO : afterCut(cut);
        } catch (RuntimeException | Error bug) {
            gauge.error(String.valueOf(bug));
            log.bug(bug);
            version = Optional.empty();
            return backoff.next();
        } finally {
            gauge.disconnected();
        }
    }

    private Duration follow(String since) throws IOException {
        long before = gauge.status().events();
        Instant start = timing.now();
        stream(queries.changesSince(since), false);
        boolean inVain = gauge.status().events() == before
                && Duration.between(start, timing.now()).compareTo(SHORT_LIVED) < 0;
        if (inVain) {
            // A server that closes at once must not be asked a thousand times a second.
            log.cut("the stream ends at once", backoff.failures() > 1);
        }
        return inVain ? backoff.next() : Duration.ZERO;
    }

    private Duration stream(ApiCall call, boolean initial) throws IOException {
        try (ApiAnswer answer = answered(call)) {
            if (initial) {
                sink.accept(new Relist.Began(kind.name()));
            }
            WatchFrames frames = decoder.frames(answer);
            Optional<WatchEvent> event = frames.next();
            for (; event.isPresent() && !stopped; event = frames.next()) {
                gauge.event(timing.now());
                handle(event.get());
            }
        } finally {
            open = null;
        }
        if (version.isEmpty() && !stopped) {
            throw new IOException("the stream of all objects ended early");
        }
        return Duration.ZERO;
    }

    private void handle(WatchEvent event) throws IOException {
        switch (event) {
            case WatchEvent.Put put -> {
                sink.accept(new ClusterEvent.Put(put.object()));
                progress(put.object().meta().resourceVersion());
            }
            case WatchEvent.Illegible illegible -> illegible(illegible);
            case WatchEvent.Removed removed -> {
                sink.accept(new ClusterEvent.Removed(removed.object()));
                progress(removed.object().meta().resourceVersion());
            }
            case WatchEvent.Bookmark bookmark -> {
                if (version.isEmpty()) {
                    endOfInitialEvents(bookmark);
                }
                progress(bookmark.resourceVersion());
            }
            case WatchEvent.Failed failed -> {
                failedEvents++;
                throw new Refusal(failed.status());
            }
            case WatchEvent.Unreadable unreadable -> unreadable(unreadable.reason());
        }
    }

    private void endOfInitialEvents(WatchEvent.Bookmark bookmark) throws IOException {
        if (!bookmark.endsInitialEvents()) {
            listNext = true;
            throw new IOException("the server does not stream all objects; listing them instead");
        }
        ended(bookmark.resourceVersion());
    }

    private void ended(String newVersion) {
        version = Optional.of(newVersion);
        listNext = false;
        streamsInVain = 0;
        sink.accept(new Relist.Ended(kind.name()));
        gauge.synced();
        healthy();
    }

    /** What comes before the initial events' end has versions in no order: only then do they mean something. */
    private void progress(String newVersion) {
        if (version.isPresent() && !newVersion.isEmpty()) {
            version = Optional.of(newVersion);
            healthy();
        }
    }

    private void healthy() {
        failedEvents = 0;
        backoff.reset();
        log.works();
    }

    private void list() throws IOException {
        sink.accept(new Relist.Began(kind.name()));
        ListPage page = new ListPage("", "");
        do {
            try (ApiAnswer answer = answered(queries.page(listFrom, page.continueToken()))) {
                page = decoder.page(answer, this::listed);
            } finally {
                open = null;
            }
        } while (!page.continueToken().isEmpty());
        gauge.event(timing.now());
        ended(page.resourceVersion());
    }

    private void listed(WatchEvent item) {
        switch (item) {
            case WatchEvent.Put put -> sink.accept(new ClusterEvent.Put(put.object()));
            case WatchEvent.Illegible illegible -> illegible(illegible);
            default -> throw new IllegalStateException("no item of a list: " + item);
        }
    }

    /** Skipped; but a relist must not take for gone what is there. */
    private void illegible(WatchEvent.Illegible object) {
        unreadable(object.reason());
        if (version.isEmpty()) {
            sink.accept(new Relist.Present(kind.name(), object.identity().map(ObjectMeta::key)));
        }
        object.identity().ifPresent(meta -> progress(meta.resourceVersion()));
    }

    private ApiAnswer answered(ApiCall call) throws IOException {
        ApiAnswer answer = transport.stream(call);
        open = answer;
        if (stopped) {
            answer.close();
            throw new InterruptedIOException("stopped");
        }
        if (answer.code() != 200) {
            try (answer) {
                throw new Refusal(ServerStatus.of(answer));
            }
        }
        gauge.connected();
        return answer;
    }

    private void unreadable(String reason) {
        log.unreadable(reason, gauge.unreadable());
    }

    private Duration afterRefusal(Refusal refusal, boolean streaming) {
        String what = String.valueOf(refusal.getMessage());
        gauge.error(what);
        boolean leadsNowhere = failedEvents >= MOST_FAILED_EVENTS;
        if (refusal.isVersionUnknown() || leadsNowhere) {
            failedEvents = 0;
            log.relist(what);
            if (version.isPresent()) {
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

    private Duration afterCut(IOException cut) {
        String what = NoAnswer.why(cut);
        gauge.error(what);
        log.cut(what, backoff.failures() > 0);
        if (version.isEmpty() && streamsInVain >= MOST_STREAMS_IN_VAIN) {
            listNext = true;
            streamsInVain = 0;
        }
        return backoff.nextUnreached();
    }

    private void startOver(String from) {
        listFrom = from;
        version = Optional.empty();
    }
}
