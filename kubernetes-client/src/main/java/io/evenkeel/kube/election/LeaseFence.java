package io.evenkeel.kube.election;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether this replica leads beyond doubt: the lease was renewed by a request that was sent less than the renew deadline
 * ago. Others wait for the whole lease duration from when they saw that renewal, which is later, so at no time may two
 * replicas bind. Read by many threads, written by the elector's.
 */
final class LeaseFence {
    private final LongSupplier nanos;
    private final long renewDeadline;
    private volatile State state = new State(false, 0);

    private record State(boolean leading, long renewed) {}

    LeaseFence(LongSupplier nanos, Duration renewDeadline) {
        this.nanos = nanos;
        this.renewDeadline = renewDeadline.toNanos();
    }

    /** A renewal has succeeded whose request was sent at this time. */
    void renewed(long sentAt) {
        state = new State(true, sentAt);
    }

    void lost() {
        state = new State(false, state.renewed);
    }

    boolean isLeading() {
        return state.leading;
    }

    boolean mayBind() {
        State now = state;
        return now.leading && nanos.getAsLong() - now.renewed < renewDeadline;
    }

    long lastRenewNanos() {
        return state.renewed;
    }

    /** How long ago the lease was renewed. */
    long age() {
        return nanos.getAsLong() - state.renewed;
    }
}
