package io.evenkeel.kube.election;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.election.ContestedLease.LeaseClaim;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reads and writes one Lease. */
final class LeaseClient {
    private static final String JSON = "application/json";
    private static final int CONFLICT = 409;

    private final ApiTransport transport;
    private final TimeLimit limit;
    private final LongSupplier patience;
    private final String namespace;
    private final String name;
    private final String path;

    /**
     * A client of the Lease of a name.
     *
     * @param patience nanoseconds that the next call may take
     */
    LeaseClient(ApiTransport transport, TimeLimit limit, LongSupplier patience, String namespace, String name) {
        this.transport = transport;
        this.limit = limit;
        this.patience = patience;
        this.namespace = namespace;
        this.name = name;
        path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    /** Empty where there is no such Lease. */
    Optional<Lease> get() throws IOException {
        Answered answer = call(ApiCall.get(path + "/" + name));
        return answer.code() == 404 && answer.status().kind().equals("leases")
                ? Optional.empty()
                : Optional.of(read("get", answer));
    }

    /** Fails with an OvertakenException if there is one by now. */
    Lease create(LeaseClaim claim) throws IOException {
        return read("create", call(ApiCall.send("POST", path, JSON, created(claim))));
    }

    /** Fails with an OvertakenException if it is another version by now. */
    Lease update(Lease lease, LeaseClaim claim) throws IOException {
        return read("update", call(ApiCall.send("PUT", path + "/" + name, JSON, changed(lease, claim))));
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
            if (!(JsonParser.parseString(text) instanceof JsonObject lease)) {
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
            throw new IOException("the Lease is no valid JSON: " + malformed.getMessage(), malformed);
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
