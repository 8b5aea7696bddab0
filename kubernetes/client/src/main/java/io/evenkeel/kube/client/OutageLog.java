package io.evenkeel.kube.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that the API server does not answer, and once that it answers again: each watch, the lease and the writes would
 * tell it otherwise. A line a minute at most, however often the server comes and goes. Passes all on to the next observer.
 */
public final class OutageLog implements ApiObserver {
    private static final Logger log = LoggerFactory.getLogger(OutageLog.class);
    private static final long BETWEEN_LINES = TimeUnit.MINUTES.toNanos(1);

    private final ApiObserver next;
    private final LongSupplier nanos;
    private volatile boolean away;
    private long nextLine = Long.MIN_VALUE;

    public OutageLog(ApiObserver next) {
        this(next, System::nanoTime);
    }

    OutageLog(ApiObserver next, LongSupplier nanos) {
        this.next = next;
        this.nanos = nanos;
    }

    @Override
    public void unreached(String host, String why) {
        if (isNews()) {
            log.atWarn()
                    .setMessage("The API server does not answer")
                    .addKeyValue("server", host)
                    .addKeyValue("why", why)
                    .log();
        }
        next.unreached(host, why);
    }

    private synchronized boolean isNews() {
        long now = nanos.getAsLong();
        boolean news = !away && (nextLine == Long.MIN_VALUE || now - nextLine >= 0);
        if (news) {
            away = true;
            nextLine = now + BETWEEN_LINES;
        }
        return news;
    }

    @Override
    public void requested(String method, String host, String result, long took) {
        if (away && !result.equals(NO_ANSWER) && isBack()) {
            log.atInfo()
                    .setMessage("The API server answers again")
                    .addKeyValue("server", host)
                    .log();
        }
        next.requested(method, host, result, took);
    }

    private synchronized boolean isBack() {
        boolean news = away;
        away = false;
        return news;
    }

    @Override
    public void sent(String method, String host, long bytes) {
        next.sent(method, host, bytes);
    }

    @Override
    public void received(String method, String host, long bytes) {
        next.received(method, host, bytes);
    }

    @Override
    public void heldBack(String method, String host, long heldNanos) {
        next.heldBack(method, host, heldNanos);
    }
}
