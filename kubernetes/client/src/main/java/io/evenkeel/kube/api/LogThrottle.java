package io.evenkeel.kube.api;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Counts what happens so often at times that a line of the log for each would be a flood: the first is to be told at once, and
 * the next ones once a period, by their number. Used by several threads.
 */
public final class LogThrottle {
    private final long period;
    private final LongSupplier nanos;
    private long untold;
    private long nextLine = Long.MIN_VALUE;

    public LogThrottle(Duration period, LongSupplier nanos) {
        this.period = period.toNanos();
        this.nanos = nanos;
    }

    /**
     * Counts one more.
     *
     * @param line tells so many, if it is time to
     */
    public void count(LongConsumer line) {
        tell(1, line);
    }

    /** Tells the occurrences that have not been told yet, if there are any and it is time. To be asked now and then. */
    public void tell(LongConsumer line) {
        tell(0, line);
    }

    private void tell(int more, LongConsumer line) {
        long due = due(more);
        if (due > 0) {
            line.accept(due);
        }
    }

    private synchronized long due(int more) {
        untold += more;
        long now = nanos.getAsLong();
        if (untold == 0 || (nextLine != Long.MIN_VALUE && now - nextLine < 0)) {
            return 0;
        }
        long told = untold;
        untold = 0;
        nextLine = now + period;
        return told;
    }
}
