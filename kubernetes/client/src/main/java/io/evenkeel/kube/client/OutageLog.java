package io.evenkeel.kube.client;

import io.evenkeel.kube.api.TokenBucket;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that the API server does not answer, and once that it answers again: each watch, the lease and the writes would
 * tell it otherwise. An outage is told at once. Of a server that comes and goes without end, it is told once a minute that it
 * answers again, and the last word while it is away is that it is. Passes all on to the next observer.
 */
public final class OutageLog implements ApiObserver {
    private static final Logger log = LoggerFactory.getLogger(OutageLog.class);
    private static final float A_SECOND = 1 / 60f;
    private static final int AT_ONCE = 3;

    private final ApiObserver next;
    private final LongSupplier nanos;
    private final TokenBucket returns;
    private volatile boolean away;
    private long lastLine;

    public OutageLog(ApiObserver next) {
        this(next, System::nanoTime);
    }

    OutageLog(ApiObserver next, LongSupplier nanos) {
        this.next = next;
        this.nanos = nanos;
        lastLine = nanos.getAsLong();
        returns = new TokenBucket(A_SECOND, AT_ONCE, lastLine);
    }

    @Override
    public void unreached(String host, String why, long took) {
        if (!away) {
            goes(host, why, took);
        }
        next.unreached(host, why, took);
    }

    private synchronized void goes(String host, String why, long took) {
        long now = nanos.getAsLong();
        if (!away && isNews(now, took)) {
            away = true;
            lastLine = now;
            log.atWarn()
                    .setMessage("The API server does not answer")
                    .addKeyValue("server", host)
                    .addKeyValue("why", why)
                    .log();
        }
    }

    @Override
    public void requested(String method, String host, String result, long took) {
        if (away && !result.equals(NO_ANSWER)) {
            returns(host, took);
        }
        next.requested(method, host, result, took);
    }

    private synchronized void returns(String host, long took) {
        long now = nanos.getAsLong();
        if (away && isNews(now, took) && returns.nanosUntilToken(now) == 0) {
            returns.take(now);
            away = false;
            lastLine = now;
            log.atInfo()
                    .setMessage("The API server answers again")
                    .addKeyValue("server", host)
                    .log();
        }
    }

    /** What a request that began before the last line has met is older than that. */
    private boolean isNews(long now, long took) {
        return now - took - lastLine >= 0;
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
