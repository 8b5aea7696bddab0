package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * What reading an input may cost: so many bytes of memory for each of its own, whatever it says. Memory is counted, as that is
 * the same on each machine; what takes time and none of it, the fuzzer's own limit of time ends.
 */
final class Cost {
    /** Buffers, tables, an engine. */
    private static final long AT_ALL = 32L << 20;

    private static final int TRIES = 3;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Cost() {}

    /** Tries again where it seems to be more: classes are loaded, and instrumented, on the same account. */
    static void isAtMost(long each, int size, ThrowingCallable work) throws Throwable {
        long most = AT_ALL + each * size;
        long cost = of(work);
        for (int tries = 1; cost > most && tries < TRIES; tries++) {
            cost = of(work);
        }
        assertThat(cost).as("bytes of memory for %d bytes of input", size).isLessThanOrEqualTo(most);
    }

    private static long of(ThrowingCallable work) throws Throwable {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.call();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
