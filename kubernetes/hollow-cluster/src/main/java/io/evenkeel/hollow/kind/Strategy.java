package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;

/** The particulars of a kind when its objects are written. The methods here do what most kinds do: nothing. */
public class Strategy {

    static final Strategy PLAIN = new Strategy();

    /** Fills in and takes out what the server decides; the object has its name by now. */
    public void prepareForCreate(JsonObject tree) {}

    /** Carries over what an update of the object, not of its status, cannot change. */
    public void prepareForUpdate(JsonObject updated, JsonObject current) {
        if (hasStatus()) {
            updated.remove("status");
            if (current.has("status")) {
                updated.add("status", current.get("status").deepCopy());
            }
        }
    }

    /** Brings an object, however it was changed, into the form in which it is always shown. */
    public void complete(JsonObject tree) {}

    public void validate(JsonObject tree, FieldErrors errors) {}

    public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {}

    /** Refuses an update that is valid in itself; throws what the client is told. */
    public void admitUpdate(JsonObject updated, JsonObject current) {}

    /** Whether the status is written by itself, and only so. */
    protected boolean hasStatus() {
        return false;
    }

    /** Whether metadata.generation counts the changes of the spec. */
    public boolean tracksGeneration() {
        return false;
    }

    /** Whether a deletion is answered with the object instead of a Status. */
    public boolean returnsDeleted() {
        return false;
    }

    /** Whether an update may leave out the resourceVersion. */
    public boolean allowsUnconditionalUpdate() {
        return true;
    }

    /** Whether a PUT may create. */
    public boolean allowsCreateOnUpdate() {
        return false;
    }
}
