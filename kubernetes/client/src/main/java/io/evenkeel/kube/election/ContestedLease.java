package io.evenkeel.kube.election;

import com.google.gson.JsonObject;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.NoAnswer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Lease that several replicas are after: what one of them knows of it, and its bids. Another replica's has run out when
 * it has not changed for its duration by this replica's own monotonic clock, whatever times stand in it.
 */
final class ContestedLease {
    private static final Logger log = LoggerFactory.getLogger(ContestedLease.class);
    private static final long NANOS_BELOW_A_SECOND = 999_999_999;

    private record Observed(Lease lease, long since) {}

    private final LeaseClient client;
    private final String identity;
    private final int seconds;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private volatile Optional<Observed> observed = Optional.empty();

    ContestedLease(LeaseClient client, String identity, Duration duration, LongSupplier nanos, InstantSource clock) {
        this.client = client;
        this.identity = identity;
        this.nanos = nanos;
        this.clock = clock;
        // Rounded up: a replica that reads a shorter duration than is meant would lead too early.
        seconds = Math.toIntExact(duration.plusNanos(NANOS_BELOW_A_SECOND).toSeconds());
    }

    Optional<Lease> latest() {
        return observed.map(Observed::lease);
    }

    /** The holder's identity as last read; empty if there is none. */
    String holder() {
        return latest().map(Lease::holder).orElse("");
    }

    boolean isMine() {
        return holder().equals(identity);
    }

    boolean isSomebodyElses() {
        return !holder().isEmpty() && !isMine();
    }

    /** Takes it if it is free or already this replica's; then, when the request was sent that did so. */
    OptionalLong take() throws IOException {
        Optional<Lease> found = client.get();
        found.ifPresent(this::observe);
        if (found.isPresent() && !isFree(found.get())) {
            return OptionalLong.empty();
        }
        return found.isPresent() ? update(found.get()) : create();
    }

    /**
     * Renews it in one call, as its holder knows what it looks like; when that was sent. Empty where it did not come to
     * pass, for what reason may be found out by {@link #take}.
     */
    OptionalLong renew() {
        try {
            return update(observed.orElseThrow().lease());
        } catch (IOException failed) {
            log.atDebug()
                    .setMessage("Lease not renewed at the first attempt, retrying")
                    .addKeyValue("why", NoAnswer.why(failed))
                    .log();
            return OptionalLong.empty();
        }
    }

    /** Lets another replica take it at once. Of no avail if one has: the version is another one then. */
    void release() throws IOException {
        Lease mine = observed.orElseThrow().lease();
        client.update(mine, new LeaseClaim("", 1, now(), now(), mine.transitions()));
    }

    private OptionalLong update(Lease last) throws IOException {
        long sentAt = nanos.getAsLong();
        remember(client.update(last, claim(last)));
        return OptionalLong.of(sentAt);
    }

    private OptionalLong create() throws IOException {
        long sentAt = nanos.getAsLong();
        remember(client.create(new LeaseClaim(identity, seconds, now(), now(), 0)));
        return OptionalLong.of(sentAt);
    }

    private LeaseClaim claim(Lease last) {
        boolean mine = last.holder().equals(identity);
        return new LeaseClaim(
                identity,
                seconds,
                mine ? last.acquireTime() : now(),
                now(),
                mine ? last.transitions() : last.transitions() + 1);
    }

    private boolean isFree(Lease lease) {
        if (lease.holder().isEmpty() || lease.holder().equals(identity)) {
            return true;
        }
        long unchanged = nanos.getAsLong() - observed.orElseThrow().since();
        return unchanged >= Duration.ofSeconds(lease.durationSeconds()).toNanos();
    }

    private void observe(Lease lease) {
        if (observed.isEmpty() || !observed.get().lease().isSameAs(lease)) {
            remember(lease);
        }
    }

    private void remember(Lease lease) {
        observed = Optional.of(new Observed(lease, nanos.getAsLong()));
    }

    private String now() {
        return ApiTime.micros(clock.instant());
    }

    /**
     * A replica's claim as it stands in the Lease; an empty holder gives it up.
     *
     * @param acquireTime as the API writes it
     */
    record LeaseClaim(String holder, int durationSeconds, String acquireTime, String renewTime, int transitions) {

        JsonObject json() {
            JsonObject spec = new JsonObject();
            spec.addProperty("holderIdentity", holder);
            spec.addProperty("leaseDurationSeconds", durationSeconds);
            spec.addProperty("acquireTime", acquireTime);
            spec.addProperty("renewTime", renewTime);
            spec.addProperty("leaseTransitions", transitions);
            return spec;
        }
    }
}
