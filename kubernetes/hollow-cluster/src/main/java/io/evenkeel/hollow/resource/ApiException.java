package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;

/** A request is refused with this Status. */
public final class ApiException extends RuntimeException {

    private final transient JsonObject status;

    ApiException(JsonObject status) {
        super(Trees.text(status, "message"), null, false, false);
        this.status = status;
    }

    public int code() {
        return status.get("code").getAsInt();
    }

    public String reason() {
        return Trees.text(status, "reason");
    }

    /** The Status without kind and apiVersion. */
    public JsonObject status() {
        return status;
    }

    /** Seconds for the header Retry-After; 0 for none. */
    public long retryAfterSeconds() {
        return Trees.number(status, "details", "retryAfterSeconds").orElse(0L);
    }
}
