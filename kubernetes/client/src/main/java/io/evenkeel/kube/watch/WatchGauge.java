package io.evenkeel.kube.watch;

import io.evenkeel.kube.watch.Watches.WatchStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The numbers behind a {@link WatchStatus}: written by the watch's thread, read by any. */
final class WatchGauge {
    private final String kind;
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong relists = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong unreadable = new AtomicLong();
    private volatile boolean synced;
    private volatile boolean connected;
    private volatile boolean absent;
    private volatile @Nullable Instant lastEvent;
    private volatile String problem = "";

    WatchGauge(String kind) {
        this.kind = kind;
    }

    void connected() {
        connected = true;
        problem = "";
    }

    void disconnected() {
        connected = false;
    }

    /** Whether an answer has begun and not ended. */
    boolean isConnected() {
        return connected;
    }

    void event(Instant now) {
        events.incrementAndGet();
        lastEvent = now;
    }

    void relist() {
        relists.incrementAndGet();
    }

    void synced() {
        synced = true;
    }

    /** Whether the server has no such resource, as far as is known. */
    void absent(boolean isSo) {
        absent = isSo;
        problem = "";
    }

    boolean isAbsent() {
        return absent;
    }

    void error(String what) {
        errors.incrementAndGet();
        problem = what;
    }

    /** Counts it and tells how many there are now. */
    long unreadable() {
        return unreadable.incrementAndGet();
    }

    WatchStatus status() {
        return new WatchStatus(
                kind,
                synced,
                connected,
                absent,
                Optional.ofNullable(lastEvent),
                events.get(),
                relists.get(),
                errors.get(),
                unreadable.get(),
                problem);
    }
}
