package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors.Cause;
import io.evenkeel.model.json.Trees;
import java.util.Collection;
import java.util.List;

/** The refusals of a real server, word by word. */
public final class Refusals {

    private static final String MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try again";

    private static final String NO_SUCH_PATH = "the server could not find the requested resource";

    private Refusals() {}

    public static ApiException notFound(ResourceType type, String name) {
        return refuse(
                404, "NotFound", "%s \"%s\" not found".formatted(type.groupResource(), name), details(type, name));
    }

    public static ApiException noSuchPath() {
        return refuse(404, "NotFound", NO_SUCH_PATH, new JsonObject());
    }

    /** A path that a real server answers to; code and reason are as for any other path that is not there. */
    public static ApiException noSuchPathHere(String what) {
        String message = NO_SUCH_PATH + ": a hollow cluster has no " + what + ", see docs/hollow.md";
        return refuse(404, "NotFound", message, new JsonObject());
    }

    /** Something that objects of this kind can do on a real cluster. */
    public static ApiException absentHere(String what) {
        return refuse(501, "NotImplemented", "a hollow cluster has no " + what);
    }

    public static ApiException alreadyExists(ResourceType type, String name) {
        String message = "%s \"%s\" already exists".formatted(type.groupResource(), name);
        return refuse(409, "AlreadyExists", message, details(type, name));
    }

    public static ApiException modified(ResourceType type, String name) {
        return conflict(type.group(), type.resource(), name, MODIFIED);
    }

    /** A conflict; {@code what} is a resource, a resource with its subresource, or a kind. */
    public static ApiException conflict(String group, String what, String name, String why) {
        String message = "Operation cannot be fulfilled on %s \"%s\": %s"
                .formatted(group.isEmpty() ? what : what + "." + group, name, why);
        return refuse(409, "Conflict", message, details(group, what, name));
    }

    /** The storage's answer when the caller means an object of another UID. */
    public static ApiException otherUid(ResourceType type, String namespace, String name, String asked, String actual) {
        String key = "/registry/" + type.resource() + "/" + (namespace.isEmpty() ? "" : namespace + "/") + name;
        return conflict(
                type.group(),
                type.resource(),
                name,
                ("StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition"
                                + " failed: UID in precondition: %s, UID in object meta: %s")
                        .formatted(key, asked, actual));
    }

    public static ApiException forbidden(ResourceType type, String name, String why) {
        String message = "%s \"%s\" is forbidden: %s".formatted(type.groupResource(), name, why);
        return refuse(403, "Forbidden", message, details(type, name));
    }

    /** The refusal of a user who may not act as another. */
    public static ApiException mayNotImpersonate(String caller, String resource, String name) {
        String why = "User \"%s\" cannot impersonate resource \"%s\" in API group \"\" at the cluster scope"
                .formatted(caller, resource);
        return refuse(
                403,
                "Forbidden",
                "%s \"%s\" is forbidden: %s".formatted(resource, name, why),
                details("", resource, name));
    }

    /** A body that is no object of its type. */
    public static ApiException unreadable(ResourceType type, String why) {
        return badRequest("%s in version \"%s\" cannot be handled as a %s: %s"
                .formatted(type.kind(), type.version(), type.kind(), why));
    }

    public static ApiException badRequest(String message) {
        return refuse(400, "BadRequest", message);
    }

    public static ApiException unauthorized() {
        return refuse(401, "Unauthorized", "Unauthorized");
    }

    public static ApiException methodNotAllowed() {
        return refuse(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                new JsonObject());
    }

    public static ApiException notAcceptable(Collection<String> offered) {
        return refuse(
                406, "NotAcceptable", "only the following media types are accepted: " + String.join(", ", offered));
    }

    public static ApiException unsupportedMediaType(Collection<String> accepted) {
        return refuse(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", accepted));
    }

    public static ApiException noServerSideApply() {
        return refuse(
                415, "UnsupportedMediaType", "a hollow cluster has no server-side apply: apply without --server-side");
    }

    public static ApiException expired(String message) {
        return refuse(410, "Expired", message);
    }

    public static ApiException tooOld(long asked, long oldest) {
        return expired("too old resource version: %d (%d)".formatted(asked, oldest));
    }

    /** A continue token of a version that is gone; {@code token} goes on with what is there now. */
    public static ApiException continueExpired(String token) {
        ApiException expired = expired("The provided continue parameter is too old to display a consistent list result."
                + " You can start a new list without the continue parameter, or use the continue token in this"
                + " response to retrieve the remainder of the results. Continuing with the provided token results"
                + " in an inconsistent list - objects that were created, modified, or deleted between the time the"
                + " first chunk was returned and now may show up in the list.");
        expired.status().getAsJsonObject("metadata").addProperty("continue", token);
        return expired;
    }

    public static ApiException tooLargeVersion(long asked, long current) {
        Cause cause = new Cause("ResourceVersionTooLarge", "Too large resource version", "");
        JsonObject details = Trees.of("causes", List.of(cause.tree()), "retryAfterSeconds", 1);
        String message = "Timeout: Too large resource version: %d, current: %d".formatted(asked, current);
        return refuse(504, "Timeout", message, details);
    }

    /** An eviction that a disruption budget does not allow now. */
    public static ApiException disruptionBudget(String budget, long desired, long healthy) {
        String message = "The disruption budget %s needs %d healthy pods and has %d currently"
                .formatted(budget, desired, healthy);
        JsonObject details = Trees.of("causes", List.of(new Cause("DisruptionBudget", message, "").tree()));
        return refuse(
                429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", details);
    }

    public static ApiException internal(String message) {
        return refuse(500, "InternalError", message);
    }

    static ApiException invalid(String kind, String group, String name, String message, List<Cause> causes) {
        JsonObject details = details(group, kind, name);
        causes.forEach(cause -> Trees.ensureArray(details, "causes").add(cause.tree()));
        return refuse(422, "Invalid", message, details);
    }

    /** Any refusal, for faults. */
    public static ApiException refuse(int code, String reason, String message) {
        return new ApiException(body(code, reason, message));
    }

    public static ApiException refuse(int code, String reason, String message, JsonObject details) {
        JsonObject status = body(code, reason, message);
        status.remove("code");
        status.add("details", details);
        status.addProperty("code", code);
        return new ApiException(status);
    }

    private static JsonObject body(int code, String reason, String message) {
        JsonObject status = Trees.of("metadata", new JsonObject(), "status", "Failure", "message", message);
        if (!reason.isEmpty()) {
            status.addProperty("reason", reason);
        }
        status.addProperty("code", code);
        return status;
    }

    private static JsonObject details(ResourceType type, String name) {
        return details(type.group(), type.resource(), name);
    }

    private static JsonObject details(String group, String kind, String name) {
        JsonObject details = new JsonObject();
        if (!name.isEmpty()) {
            details.addProperty("name", name);
        }
        if (!group.isEmpty()) {
            details.addProperty("group", group);
        }
        details.addProperty("kind", kind);
        return details;
    }

    /** A request is refused with this Status. */
    public static final class ApiException extends RuntimeException {

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
}
