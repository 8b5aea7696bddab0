package io.evenkeel.hollow.rest.object;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When a watch ends and when it next says how far it is: every so often, and two seconds before it ends, so that the
 * client goes on from a recent version.
 */
final class WatchTimes {

    private static final long BEFORE_END = TimeUnit.SECONDS.toNanos(2);

    private final long end;
    private final long interval;
    private long nextBookmark;
    private boolean lastSent;

    private WatchTimes(long now, long end, long interval) {
        this.end = end;
        this.interval = interval;
        this.lastSent = end - BEFORE_END <= now;
        this.nextBookmark = now + interval;
    }

    /** Starts now; an interval of zero means no bookmarks. */
    static WatchTimes start(long timeoutSeconds, Duration bookmarkInterval) {
        long now = System.nanoTime();
        return new WatchTimes(now, now + TimeUnit.SECONDS.toNanos(timeoutSeconds), bookmarkInterval.toNanos());
    }

    boolean isOver() {
        return System.nanoTime() - end >= 0;
    }

    /** Nanoseconds until something is due. */
    long untilNext() {
        long now = System.nanoTime();
        long left = end - now;
        if (interval > 0) {
            left = Math.min(left, nextBookmark - now);
            if (!lastSent) {
                left = Math.min(left, end - BEFORE_END - now);
            }
        }
        return Math.max(left, 0);
    }

    /** Whether a bookmark is due; if so, it is taken as sent. */
    boolean takeBookmark() {
        long now = System.nanoTime();
        if (interval == 0 || now - end >= 0) {
            return false;
        }
        boolean last = !lastSent && now - (end - BEFORE_END) >= 0;
        if (!last && now - nextBookmark < 0) {
            return false;
        }
        lastSent |= last;
        nextBookmark = now + interval;
        return true;
    }
}
