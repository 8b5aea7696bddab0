package io.evenkeel.kube.api;

/**
 * Lets through {@code qps} calls a second on average and {@code burst} at once after a pause, as client-go's flow
 * control does. In any span of t seconds no more than {@code burst + qps · t} calls pass. Not thread-safe.
 *
 * <p>Kept as the time at which the bucket will be full again (the generic cell rate algorithm), so that nothing needs to
 * be topped up.
 */
public final class TokenBucket {
    private static final double NANOS = 1e9;

    /** 36 years: as good as never, and what is reckoned with it fits a long. */
    private static final long FOREVER = Long.MAX_VALUE / 8;

    private final long nanosPerToken;
    private final long slack;
    private long fullAt;

    public TokenBucket(float qps, int burst, long now) {
        boolean limited = qps >= 0;
        // Zero means the default, as everywhere in a client connection.
        float rate = qps == 0 ? 50 : qps;
        nanosPerToken = limited ? Math.clamp(Math.round(NANOS / rate), 1, FOREVER) : 0;
        slack = Math.min(FOREVER, Math.round((double) nanosPerToken * (Math.max(1, burst) - 1)));
        fullAt = now;
    }

    /** Nanoseconds until a token is there; 0 where there is one. */
    public long nanosUntilToken(long now) {
        return nanosPerToken == 0 ? 0 : Math.max(0, fullAt - now - slack);
    }

    public void take(long now) {
        if (nanosUntilToken(now) > 0) {
            throw new IllegalStateException("no token for another " + nanosUntilToken(now) + " ns");
        }
        fullAt = (fullAt - now > 0 ? fullAt : now) + nanosPerToken;
    }
}
