package io.evenkeel.hollow.rest;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Times;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.time.Instant;
import java.util.UUID;

/** Gives out tokens of service accounts: good for their time, and while the account is there. */
public final class TokenRequests {
    static final TypeMeta TYPE = new TypeMeta("authentication.k8s.io/v1", "TokenRequest");

    private static final long USUAL_SECONDS = 3600;
    private static final long FEWEST_SECONDS = 600;
    private static final String AUDIENCE = "https://kubernetes.default.svc";

    private final Registry registry;
    private final Tokens tokens;

    public TokenRequests(Registry registry, Tokens tokens) {
        this.registry = registry;
        this.tokens = tokens;
    }

    /** The request with its token. */
    JsonObject issue(String namespace, String name, JsonObject request) {
        StoredObject account = registry.get(ResourceTable.SERVICE_ACCOUNTS, namespace, name);
        JsonObject spec = Trees.ensureObject(request, "spec");
        Trees.fill(spec, "expirationSeconds", USUAL_SECONDS);
        long seconds = Trees.number(spec, "expirationSeconds").orElse(USUAL_SECONDS);
        checkSeconds(seconds);
        if (Trees.texts(spec, "audiences").isEmpty()) {
            Trees.ensureArray(spec, "audiences").add(AUDIENCE);
        }
        Instant end = registry.times().instant().plusSeconds(seconds);
        String token = UUID.randomUUID().toString();
        tokens.add(
                token,
                User.serviceAccount(namespace, name),
                () -> registry.times().instant().isBefore(end) && isThere(account));
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        metadata.addProperty("namespace", namespace);
        metadata.addProperty("creationTimestamp", registry.times().now());
        JsonObject status = new JsonObject();
        status.addProperty("token", token);
        status.addProperty("expirationTimestamp", Times.format(end));
        JsonObject answer = new JsonObject();
        answer.add("metadata", metadata);
        answer.add("spec", spec);
        answer.add("status", status);
        return answer;
    }

    private static void checkSeconds(long seconds) {
        if (seconds < FEWEST_SECONDS) {
            FieldErrors errors = new FieldErrors();
            errors.invalidLiteral(
                    "spec.expirationSeconds",
                    Long.toString(seconds),
                    "may not specify a duration less than 10 minutes");
            errors.refuse("authentication.k8s.io", TYPE.kind(), "");
        }
    }

    private boolean isThere(StoredObject account) {
        String uid = Trees.text(account.tree(), "metadata", "uid");
        return registry.store()
                .get(account.key())
                .filter(now -> Trees.text(now.tree(), "metadata", "uid").equals(uid))
                .isPresent();
    }
}
