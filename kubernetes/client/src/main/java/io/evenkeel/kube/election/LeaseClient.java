package io.evenkeel.kube.election;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.election.ContestedLease.LeaseClaim;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
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
        return read("create", call(ApiCall.send("POST", path, JSON, LeaseBody.created(namespace, name, claim))));
    }

    /** Fails with an OvertakenException if it is another version by now. */
    Lease update(Lease lease, LeaseClaim claim) throws IOException {
        return read("update", call(ApiCall.send("PUT", path + "/" + name, JSON, LeaseBody.changed(lease, claim))));
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
        return LeaseReader.read(answer.body());
    }

    private static final class LeaseBody {
        private static final JsonFactory JSON = new JsonFactory();

        private LeaseBody() {}

        static String created(String namespace, String name, LeaseClaim claim) {
            return JsonText.object(json -> {
                json.writeStringField("apiVersion", "coordination.k8s.io/v1");
                json.writeStringField("kind", "Lease");
                json.writeObjectFieldStart("metadata");
                json.writeStringField("name", name);
                json.writeStringField("namespace", namespace);
                json.writeEndObject();
                writeSpec(json, claim);
            });
        }

        /** The Lease with the claim in place of what it claimed before, and everything else, its version too, as it was. */
        static String changed(Lease lease, LeaseClaim claim) {
            return JsonText.object(json -> {
                try (JsonParser in = JSON.createParser(lease.json())) {
                    in.nextToken();
                    boolean claimed = false;
                    while (in.nextToken() == JsonToken.FIELD_NAME) {
                        boolean isSpec = in.currentName().equals("spec");
                        if (isSpec && in.nextToken() == JsonToken.START_OBJECT) {
                            changeSpec(in, json, claim);
                            claimed = true;
                        } else if (!isSpec) {
                            json.copyCurrentStructure(in);
                        }
                    }
                    if (!claimed) {
                        writeSpec(json, claim);
                    }
                }
            });
        }

        private static void changeSpec(JsonParser in, JsonGenerator json, LeaseClaim claim) throws IOException {
            json.writeObjectFieldStart("spec");
            claim.writeFields(json);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                if (LeaseClaim.writes(in.currentName())) {
                    in.nextToken();
                    in.skipChildren();
                } else {
                    json.copyCurrentStructure(in);
                }
            }
            json.writeEndObject();
        }

        private static void writeSpec(JsonGenerator json, LeaseClaim claim) throws IOException {
            json.writeObjectFieldStart("spec");
            claim.writeFields(json);
            json.writeEndObject();
        }
    }

    /** Reads a Lease from JSON. Fields that are not known are kept only in {@link Lease#json}. */
    static final class LeaseReader {
        private static final JsonFactory JSON = new JsonFactory();

        private LeaseReader() {}

        static Lease read(byte[] body) throws IOException {
            Map<String, String> meta = Map.of();
            Map<String, String> spec = Map.of();
            try (JsonParser in = JSON.createParser(body)) {
                if (in.nextToken() != JsonToken.START_OBJECT) {
                    throw new IOException("expected a Lease, got " + in.currentToken());
                }
                while (in.nextToken() == JsonToken.FIELD_NAME) {
                    String field = in.currentName();
                    boolean isObject = in.nextToken() == JsonToken.START_OBJECT;
                    if (isObject && field.equals("metadata")) {
                        meta = scalars(in);
                    } else if (isObject && field.equals("spec")) {
                        spec = scalars(in);
                    } else {
                        in.skipChildren();
                    }
                }
            }
            return new Lease(
                    spec.getOrDefault("holderIdentity", ""),
                    number(spec, "leaseDurationSeconds"),
                    spec.getOrDefault("acquireTime", ""),
                    spec.getOrDefault("renewTime", ""),
                    number(spec, "leaseTransitions"),
                    meta.getOrDefault("uid", ""),
                    meta.getOrDefault("resourceVersion", ""),
                    new String(body, StandardCharsets.UTF_8));
        }

        private static Map<String, String> scalars(JsonParser in) throws IOException {
            Map<String, String> scalars = new HashMap<>();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String field = in.currentName();
                JsonToken value = in.nextToken();
                if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
                    scalars.put(field, in.getText());
                } else {
                    in.skipChildren();
                }
            }
            return scalars;
        }

        private static int number(Map<String, String> spec, String field) throws IOException {
            try {
                return Integer.parseInt(spec.getOrDefault(field, "0"));
            } catch (NumberFormatException wrong) {
                throw new IOException(field + " of the Lease is no number: " + spec.get(field), wrong);
            }
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
