package io.evenkeel.kube.election;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks.ApiTime;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.election.ContestedLease.LeaseClient.OvertakenException;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Lease that several replicas are after: what one of them knows of it, and its bids. Another replica's has run out when
 * it was found to be the same at the beginning and at the end of its duration, by this replica's own monotonic clock, whatever
 * times stand in it: what was not read has not run out. The same goes for a Lease that is not there, as somebody may have deleted
 * it whose holder goes by it still.
 *
 * <pre>
 * second   what happens                                       free
 *    0     the Lease is read, held by another for 15 s        no
 *    9     the server is gone                                 no
 *   20     the Lease is read: it is the same                  yes, as it was not renewed in 20 s
 *          or it is another, as it was renewed meanwhile      no, not before 35
 * </pre>
 */
final class ContestedLease {
    private static final Logger log = LoggerFactory.getLogger(ContestedLease.class);
    private static final long NANOS_BELOW_A_SECOND = 999_999_999;

    /**
     * What the server had.
     *
     * @param lease empty where there was none
     * @param since the first answer that said so
     * @param until the last question came that was answered so
     */
    private record Observed(Optional<Lease> lease, long since, long until) {}

    private final LeaseClient client;
    private final String identity;
    private final int seconds;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private volatile Optional<Observed> observed = Optional.empty();
    private volatile boolean wasThere;

    ContestedLease(LeaseClient client, String identity, Duration duration, LongSupplier nanos, InstantSource clock) {
        this.client = client;
        this.identity = identity;
        this.nanos = nanos;
        this.clock = clock;
        // Rounded up: a replica that reads a shorter duration than is meant would lead too early.
        seconds = Math.toIntExact(duration.plusNanos(NANOS_BELOW_A_SECOND).toSeconds());
    }

    LeaseClient client() {
        return client;
    }

    Optional<Lease> latest() {
        return observed.flatMap(Observed::lease);
    }

    /** Whether it was read once. */
    boolean isKnown() {
        return observed.isPresent();
    }

    /** Whether there was one at some time. */
    boolean wasThere() {
        return wasThere;
    }

    /** Whether there is none, as last read. */
    boolean isMissing() {
        return isKnown() && latest().isEmpty();
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

    /** Reads it; empty where there is none. */
    Optional<Lease> read() throws IOException {
        long askedAt = nanos.getAsLong();
        Optional<Lease> found = client.get();
        observe(found, askedAt);
        return found;
    }

    /** When it last changed, as far as is seen here; empty where nobody has read it. */
    OptionalLong changedAt() {
        return observed.stream().mapToLong(Observed::since).findFirst();
    }

    /** When it became free, as last read, or becomes free if it is not renewed; empty where nobody has read it. */
    OptionalLong freeSince() {
        return observed.stream()
                .mapToLong(last -> isGivenUp(last) ? last.since() : last.since() + duration(last))
                .findFirst();
    }

    /** Whether nobody else holds it, as last read. */
    boolean isFree() {
        return observed.filter(last -> isGivenUp(last) || last.until() - last.since() >= duration(last))
                .isPresent();
    }

    private boolean isGivenUp(Observed last) {
        return last.lease().isPresent() && !isSomebodyElses();
    }

    /** Takes it as it was read, whoever holds it; when the request was sent that did so. */
    OptionalLong claim(Optional<Lease> found, Map<String, String> notes) throws IOException {
        long sentAt = nanos.getAsLong();
        remember(
                found.isPresent()
                        ? client.update(found.get(), claim(found.get()), notes)
                        : client.create(new LeaseClaim(identity, seconds, now(), now(), 0), notes));
        return OptionalLong.of(sentAt);
    }

    /**
     * Renews it in one call, as its holder knows what it looks like; when that was sent. Empty where it did not come to
     * pass, for what reason may be found out by {@link #keep}.
     */
    OptionalLong renew(Map<String, String> notes) {
        try {
            return claim(latest(), notes);
        } catch (IOException failed) {
            log.atDebug()
                    .setMessage("Lease not renewed at the first attempt, retrying")
                    .addKeyValue("why", NoAnswer.why(failed))
                    .log();
            return OptionalLong.empty();
        }
    }

    /**
     * Renews what others may have written to; empty where it is this replica's no more: taken by another, even if that one is gone
     * again, or deleted.
     */
    OptionalLong keep(Map<String, String> notes) throws IOException {
        Optional<Lease> before = latest();
        Optional<Lease> found = read();
        boolean isMine = before.isPresent()
                && found.filter(last -> last.holder().equals(identity)
                                && last.uid().equals(before.get().uid())
                                && last.transitions() == before.get().transitions())
                        .isPresent();
        return isMine ? claim(found, notes) : OptionalLong.empty();
    }

    /** Makes one that nobody holds, if there is none. */
    void make() throws IOException {
        try {
            remember(client.create(new LeaseClaim("", 1, now(), now(), 0), Map.of()));
        } catch (OvertakenException another) {
            read();
        }
    }

    /** Notes something on it for its holder, which keeps it as long as before. */
    void note(Lease read, Map<String, String> notes) throws IOException {
        LeaseClaim same = new LeaseClaim(
                read.holder(), read.durationSeconds(), read.acquireTime(), read.renewTime(), read.transitions());
        long askedAt = nanos.getAsLong();
        observe(Optional.of(client.update(read, same, notes)), askedAt);
    }

    /** Lets another replica take it at once. Of no avail if one has: the version is another one then. */
    void release() throws IOException {
        Lease mine = latest().orElseThrow();
        remember(client.update(mine, new LeaseClaim("", 1, now(), now(), mine.transitions()), Map.of()));
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

    private long duration(Observed last) {
        int its = last.lease().map(Lease::durationSeconds).orElse(seconds);
        return Duration.ofSeconds(its).toNanos();
    }

    /** The server has it so; empty where it has none. */
    void observe(Optional<Lease> found, long askedAt) {
        observe(found, askedAt, nanos.getAsLong());
    }

    /**
     * The same, where it is told later.
     *
     * @param seenAt when the answer was there
     */
    void observe(Optional<Lease> found, long askedAt, long seenAt) {
        boolean same = observed.filter(last -> isSame(last.lease(), found)).isPresent();
        long since = same ? observed.orElseThrow().since() : seenAt;
        observed = Optional.of(new Observed(found, since, same ? askedAt : since));
        wasThere |= found.isPresent();
    }

    private static boolean isSame(Optional<Lease> before, Optional<Lease> found) {
        return before.isPresent() ? found.filter(before.get()::isSameAs).isPresent() : found.isEmpty();
    }

    private void remember(Lease lease) {
        long seen = nanos.getAsLong();
        observed = Optional.of(new Observed(Optional.of(lease), seen, seen));
        wasThere = true;
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

        /** As an API server spells them, too. */
        String members() {
            String text = json().toString();
            return text.substring(1, text.length() - 1);
        }
    }

    /**
     * Reads and writes one Lease.
     *
     * @param patience nanoseconds that the next call may take
     * @param shard is written on it as a label, by which all of a namespace are listed; empty for none
     */
    record LeaseClient(
            ApiTransport transport,
            TimeLimit limit,
            LongSupplier patience,
            String namespace,
            String name,
            String shard) {
        static final String SHARD = "evenkeel.io/shard";
        private static final String OF_SHARDS = "?labelSelector=evenkeel.io%2Fshard";
        private static final String JSON = "application/json";
        private static final int FORBIDDEN = 403;
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

        /** All of shards in the namespace, by their names; empty where this user may not list them. */
        Optional<Map<String, Lease>> list() throws IOException {
            Answered answer = call(ApiCall.get(path() + OF_SHARDS));
            if (answer.code() == FORBIDDEN) {
                return Optional.empty();
            }
            if (!answer.isSuccess()) {
                throw new IOException("cannot list the Leases of shards in the namespace " + namespace + ": "
                        + answer.status().explanation());
            }
            try {
                Map<String, Lease> found = new HashMap<>();
                for (JsonElement each : Trees.strict(new String(answer.body(), StandardCharsets.UTF_8))
                        .getAsJsonObject()
                        .getAsJsonArray("items")) {
                    JsonObject item = each.getAsJsonObject();
                    JsonObject whole = skeleton();
                    item.asMap().forEach(whole::add);
                    found.put(text(object(item, "metadata"), "name", ""), read(whole, whole.toString()));
                }
                return Optional.of(found);
            } catch (JsonParseException | IllegalStateException | NullPointerException malformed) {
                throw new IOException("the Leases cannot be read: " + malformed.getMessage(), malformed);
            }
        }

        /** Fails with an OvertakenException if there is one by now. */
        Lease create(LeaseClaim claim, Map<String, String> notes) throws IOException {
            return read("create", call(ApiCall.send("POST", path(), JSON, created(claim, notes))));
        }

        /**
         * Fails with an OvertakenException if it is another version by now.
         *
         * @param notes annotations to be; an empty one is taken away
         */
        Lease update(Lease lease, LeaseClaim claim, Map<String, String> notes) throws IOException {
            boolean noted = notes.entrySet().stream()
                    .allMatch(note -> lease.note(note.getKey()).equals(note.getValue()));
            String before = noted && claim.isRenewalOf(lease) ? lease.spelt() : "";
            String now = before.replace(time(lease.renewTime()), time(claim.renewTime()));
            String body = before.isEmpty()
                    ? changed(lease, claim, notes)
                    : lease.json().replace(before, now);
            Answered answer = call(ApiCall.send("PUT", path() + "/" + name, JSON, body));
            if (!before.isEmpty() && answer.isSuccess()) {
                String text = new String(answer.body(), StandardCharsets.UTF_8);
                if (isOnce(now, text)) {
                    return lease.renewed(claim.renewTime(), text, now);
                }
            }
            return read("update", answer);
        }

        private static String time(String renewTime) {
            return "\"renewTime\":\"" + renewTime + "\"";
        }

        private Answered call(ApiCall call) throws IOException {
            Optional<ApiAnswer> atHand = transport.callAtHand(call, nanosLeft());
            return atHand.isPresent()
                    ? Answered.whole(atHand.get())
                    : limit.within(nanosLeft(), () -> Answered.whole(transport, call));
        }

        private long nanosLeft() throws IOException {
            long nanos = patience.getAsLong();
            if (nanos <= 0) {
                throw new IOException("no time is left to ask for the Lease " + namespace + "/" + name);
            }
            return nanos;
        }

        private Lease read(String verb, Answered answer) throws IOException {
            if (!answer.isSuccess()) {
                String why = "cannot " + verb + " the Lease " + namespace + "/" + name + ": "
                        + answer.status().explanation();
                throw answer.code() == CONFLICT ? new OvertakenException(why) : new IOException(why);
            }
            return read(answer.body());
        }

        private String created(LeaseClaim claim, Map<String, String> notes) {
            JsonObject metadata = new JsonObject();
            label(metadata);
            note(metadata, notes);
            metadata.addProperty("name", name);
            metadata.addProperty("namespace", namespace);
            JsonObject lease = skeleton();
            lease.add("metadata", metadata);
            lease.add("spec", claim.json());
            return lease.toString();
        }

        /** Items of a list need not say what they are. */
        private static JsonObject skeleton() {
            JsonObject lease = new JsonObject();
            lease.addProperty("apiVersion", "coordination.k8s.io/v1");
            lease.addProperty("kind", "Lease");
            return lease;
        }

        private void label(JsonObject metadata) {
            if (!shard.isEmpty()) {
                JsonObject labels = object(metadata, "labels");
                labels.addProperty(SHARD, shard);
                metadata.add("labels", labels);
            }
        }

        /** The Lease with the claim in place of what it claimed before, and everything else, its version too, as it was. */
        private String changed(Lease before, LeaseClaim claim, Map<String, String> notes) {
            JsonObject lease = JsonParser.parseString(before.json()).getAsJsonObject();
            label(object(lease, "metadata"));
            note(object(lease, "metadata"), notes);
            JsonObject spec = claim.json();
            object(lease, "spec").asMap().forEach(spec.asMap()::putIfAbsent);
            lease.add("spec", spec);
            return lease.toString();
        }

        private static void note(JsonObject metadata, Map<String, String> notes) {
            JsonObject annotations = object(metadata, "annotations");
            notes.forEach((key, value) -> {
                annotations.remove(key);
                if (!value.isEmpty()) {
                    annotations.addProperty(key, value);
                }
            });
            if (!annotations.isEmpty() || metadata.has("annotations")) {
                metadata.add("annotations", annotations);
            }
        }

        /** Reads a Lease from JSON. Fields that are not known are kept only in {@link Lease#json}. */
        static Lease read(byte[] body) throws IOException {
            String text = new String(body, StandardCharsets.UTF_8);
            try {
                if (!(Trees.strict(text) instanceof JsonObject lease)) {
                    throw new IOException("expected a Lease, got no object");
                }
                return read(lease, text);
            } catch (JsonParseException malformed) {
                throw new IOException("the Lease cannot be read: " + malformed.getMessage(), malformed);
            }
        }

        private static Lease read(JsonObject lease, String text) throws IOException {
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
                    notes(object(meta, "annotations")),
                    text,
                    "");
        }

        private static boolean isOnce(String part, String text) {
            int at = text.indexOf(part);
            return at >= 0 && at == text.lastIndexOf(part);
        }

        private static JsonObject object(JsonObject from, String field) {
            return from.get(field) instanceof JsonObject object ? object : new JsonObject();
        }

        private static Map<String, String> notes(JsonObject annotations) {
            return annotations.keySet().stream()
                    .collect(Collectors.toUnmodifiableMap(key -> key, key -> text(annotations, key, "")));
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
     * @param annotations that stand on it
     * @param json all of it, with what is not known here
     * @param claimed the part of the JSON that claims it, where that is known; else empty
     */
    record Lease(
            String holder,
            int durationSeconds,
            String acquireTime,
            String renewTime,
            int transitions,
            String uid,
            String resourceVersion,
            Map<String, String> annotations,
            String json,
            String claimed) {

        /** The annotation of that name; empty where there is none. */
        String note(String name) {
            return annotations.getOrDefault(name, "");
        }

        /**
         * The part of the JSON that claims it; empty where it is spelt otherwise. A renewal comes every two seconds for as long as a
         * replica leads, so it changes this part and reads nothing.
         */
        String spelt() {
            if (!claimed.isEmpty()) {
                return claimed;
            }
            String members = new LeaseClaim(holder, durationSeconds, acquireTime, renewTime, transitions).members();
            return LeaseClient.isOnce(members, json) ? members : "";
        }

        /** The same, renewed then; the version is that of when it was read as a whole. */
        Lease renewed(String then, String text, String claim) {
            return new Lease(
                    holder,
                    durationSeconds,
                    acquireTime,
                    then,
                    transitions,
                    uid,
                    resourceVersion,
                    annotations,
                    text,
                    claim);
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
