package io.evenkeel.kube.api;

import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The time for which calls were held back by this process' own limits before they were let through: known where they
 * wait, and told with the calls where they are made, by the same thread.
 */
public final class RateLimitDelay {
    private static final ScopedValue<Long> NANOS = ScopedValue.newInstance();

    private RateLimitDelay() {}

    /** Makes calls that were held back for this long. */
    public static <T> T by(long nanos, Supplier<T> calls) {
        return ScopedValue.where(NANOS, nanos).call(calls::get);
    }

    /** Of the calls that this thread makes now; empty where they are under no limit. */
    public static OptionalLong nanos() {
        return NANOS.isBound() ? OptionalLong.of(NANOS.get()) : OptionalLong.empty();
    }
}
