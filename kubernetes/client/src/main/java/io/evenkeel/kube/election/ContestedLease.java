package io.evenkeel.kube.election;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks.ApiTime;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

        /** Whether it changes the time of the renewal and nothing else. */
        boolean isRenewalOf(Lease lease) {
            return holder.equals(lease.holder())
                    && durationSeconds == lease.durationSeconds()
                    && acquireTime.equals(lease.acquireTime())
                    && transitions == lease.transitions();
        }

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

    /**
     * Reads and writes one Lease.
     *
     * @param patience nanoseconds that the next call may take
     */
    record LeaseClient(ApiTransport transport, TimeLimit limit, LongSupplier patience, String namespace, String name) {
        private static final String JSON = "application/json";
        private static final int CONFLICT = 409;

        private String path() {
            return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        }

        /** Empty where there is no such Lease. */
        Optional<Lease> get() throws IOException {
            Answered answer = call(ApiCall.get(path() + "/" + name));
            return answer.code() == 404 && answer.status().kind().equals("leases")
                    ? Optional.empty()
                    : Optional.of(read("get", answer));
        }

        /** Fails with an OvertakenException if there is one by now. */
        Lease create(LeaseClaim claim) throws IOException {
            return read("create", call(ApiCall.send("POST", path(), JSON, created(claim))));
        }

        /** Fails with an OvertakenException if it is another version by now. */
        Lease update(Lease lease, LeaseClaim claim) throws IOException {
            Optional<String> renewed = renewed(lease, claim);
            Answered answer = call(
                    ApiCall.send("PUT", path() + "/" + name, JSON, renewed.orElseGet(() -> changed(lease, claim))));
            if (renewed.isPresent() && answer.isSuccess()) {
                String text = new String(answer.body(), StandardCharsets.UTF_8);
                if (text.contains(members(claim.json()))) {
                    return lease.renewed(claim.renewTime(), text);
                }
            }
            return read("update", answer);
        }

        /**
         * The Lease as it was spelt, but for the time: a renewal comes every two seconds for as long as a replica leads, and the JSON of
         * most is not worth reading. Empty where more is to be changed.
         */
        private static Optional<String> renewed(Lease before, LeaseClaim claim) {
            String text = before.json();
            String time = time(before.renewTime());
            int at = text.indexOf(time);
            return claim.isRenewalOf(before) && at >= 0 && at == text.lastIndexOf(time)
                    ? Optional.of(text.substring(0, at) + time(claim.renewTime()) + text.substring(at + time.length()))
                    : Optional.empty();
        }

        private static String time(String renewTime) {
            return "\"renewTime\":\"" + renewTime + "\"";
        }

        /** As an API server spells them, too. */
        private static String members(JsonObject object) {
            String text = object.toString();
            return text.substring(1, text.length() - 1);
        }

        private Answered call(ApiCall call) throws IOException {
            long nanos = patience.getAsLong();
            if (nanos <= 0) {
                throw new IOException("no time is left to ask for the Lease " + namespace + "/" + name);
            }
            return limit.within(nanos, () -> Answered.whole(transport, call));
        }

        private Lease read(String verb, Answered answer) throws IOException {
            if (!answer.isSuccess()) {
                String why = "cannot " + verb + " the Lease " + namespace + "/" + name + ": "
                        + answer.status().explanation();
                throw answer.code() == CONFLICT ? new OvertakenException(why) : new IOException(why);
            }
            return read(answer.body());
        }

        private String created(LeaseClaim claim) {
            JsonObject metadata = new JsonObject();
            metadata.addProperty("name", name);
            metadata.addProperty("namespace", namespace);
            JsonObject lease = new JsonObject();
            lease.addProperty("apiVersion", "coordination.k8s.io/v1");
            lease.addProperty("kind", "Lease");
            lease.add("metadata", metadata);
            lease.add("spec", claim.json());
            return lease.toString();
        }

        /** The Lease with the claim in place of what it claimed before, and everything else, its version too, as it was. */
        private static String changed(Lease before, LeaseClaim claim) {
            JsonObject lease = JsonParser.parseString(before.json()).getAsJsonObject();
            JsonObject spec = claim.json();
            object(lease, "spec").asMap().forEach(spec.asMap()::putIfAbsent);
            lease.add("spec", spec);
            return lease.toString();
        }

        /** Reads a Lease from JSON. Fields that are not known are kept only in {@link Lease#json}. */
        static Lease read(byte[] body) throws IOException {
            String text = new String(body, StandardCharsets.UTF_8);
            try {
                if (!(Trees.strict(text) instanceof JsonObject lease)) {
                    throw new IOException("expected a Lease, got no object");
                }
                JsonObject meta = object(lease, "metadata");
                JsonObject spec = object(lease, "spec");
                return new Lease(
                        text(spec, "holderIdentity", ""),
                        number(spec, "leaseDurationSeconds"),
                        text(spec, "acquireTime", ""),
                        text(spec, "renewTime", ""),
                        number(spec, "leaseTransitions"),
                        text(meta, "uid", ""),
                        text(meta, "resourceVersion", ""),
                        text);
            } catch (JsonParseException malformed) {
                throw new IOException("the Lease cannot be read: " + malformed.getMessage(), malformed);
            }
        }

        private static JsonObject object(JsonObject from, String field) {
            return from.get(field) instanceof JsonObject object ? object : new JsonObject();
        }

        private static String text(JsonObject from, String field, String otherwise) {
            return from.get(field) instanceof JsonPrimitive value ? value.getAsString() : otherwise;
        }

        private static int number(JsonObject spec, String field) throws IOException {
            String value = text(spec, field, "0");
            try {
                return Integer.parseInt(value);
            } catch (NumberFormatException wrong) {
                throw new IOException(field + " of the Lease is no number: " + value, wrong);
            }
        }

        /** Another replica has written the Lease meanwhile: everyday life where replicas start together. */
        static final class OvertakenException extends IOException {
            private static final long serialVersionUID = 1L;

            OvertakenException(String message) {
                super(message);
            }
        }
    }

    /**
     * A Lease as the server has it.
     *
     * @param holder empty where no replica holds it
     * @param durationSeconds how long it holds without being renewed
     * @param acquireTime when its holder took it, as the API writes it
     * @param json all of it, with what is not known here
     */
    record Lease(
            String holder,
            int durationSeconds,
            String acquireTime,
            String renewTime,
            int transitions,
            String uid,
            String resourceVersion,
            String json) {

        /** The same, renewed then; the version is that of when it was read as a whole. */
        Lease renewed(String then, String text) {
            return new Lease(holder, durationSeconds, acquireTime, then, transitions, uid, resourceVersion, text);
        }

        /** Whether the other is the same version of it. */
        boolean isSameAs(Lease other) {
            return uid.equals(other.uid)
                    && holder.equals(other.holder)
                    && renewTime.equals(other.renewTime)
                    && acquireTime.equals(other.acquireTime)
                    && transitions == other.transitions
                    && durationSeconds == other.durationSeconds;
        }
    }
}
