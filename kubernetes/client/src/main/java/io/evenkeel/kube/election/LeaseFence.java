package io.evenkeel.kube.election;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether this replica leads beyond doubt: the lease was renewed by a request that was sent less than the renew deadline
 * ago. Others wait for the whole lease duration from when they saw that renewal, which is later, so at no time may two
 * replicas bind. Read by many threads, written by the elector's.
 *
 * <p>For example, with a renew deadline of 10 s and a lease of 15 s, by the seconds of a clock that is never set:
 *
 * <pre>
 * second   what happens                                            isLeading   mayBind
 *    0     the elector sends a renewal                             no          no
 *    2     the answer comes: renewed(0)                            yes         yes, until 10
 *    4     the next is sent; its answer comes at 5: renewed(4)     yes         yes, until 14
 *    6     the server is gone; no renewal gets through             yes         yes
 *   14     the elector has not noticed yet                         yes         no
 *   14     the elector gives up: lost()                            no          no
 *   19+    another replica, which saw the renewal at 4 or later, may take the lease and bind
 * </pre>
 *
 * It is counted from 0, not from 2, when the answer came: the server may have written at 0 already, and others wait from
 * then on.
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

    /** Notes that a renewal has succeeded; its request was sent at this time. */
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

    long age() {
        return nanos.getAsLong() - state.renewed;
    }
}
