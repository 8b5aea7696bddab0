package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import java.util.Set;
import java.util.function.Consumer;

/** The particulars of a kind when its objects are written. The methods here do what most kinds do: nothing. */
class Strategy {
    static final Consumer<JsonObject> NO_DEFAULTS = _ -> {};

    /** A trait that some kinds have. */
    enum Trait {
        /** The status is written by itself, and only so. */
        STATUS,
        /** The status is a controller's: an object is created without. */
        RECONCILED,
        /** metadata.generation counts the changes of the spec. */
        GENERATION,
        /** A deletion is answered with the object instead of a Status. */
        RETURNED,
        /** An update must say the resourceVersion. */
        VERSIONED,
        /** A PUT may create. */
        CREATED_BY_UPDATE
    }

    private final Consumer<JsonObject> defaults;
    private final Set<Trait> traits;

    Strategy(Trait... traits) {
        this(NO_DEFAULTS, traits);
    }

    Strategy(Consumer<JsonObject> defaults, Trait... traits) {
        this.defaults = defaults;
        this.traits = Set.of(traits);
    }

    /** Fills in and takes out what the server decides; the object has its name by now. */
    void prepareForCreate(JsonObject tree) {
        if (traits.contains(Trait.RECONCILED)) {
            tree.remove("status");
        }
    }

    /** Carries over what an update of the object, not of its status, cannot change. */
    void prepareForUpdate(JsonObject updated, JsonObject current) {
        if (traits.contains(Trait.STATUS)) {
            updated.remove("status");
            if (current.has("status")) {
                updated.add("status", current.get("status").deepCopy());
            }
        }
    }

    /** Carries over what an update of the status cannot change. */
    void prepareForStatusUpdate(JsonObject updated, JsonObject current) {}

    /** Brings an object, however it was changed, into the form in which it is always shown. */
    void complete(JsonObject tree) {
        defaults.accept(tree);
    }

    void validate(JsonObject tree, FieldErrors errors) {}

    void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {}

    void validateStatusUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {}

    /** Refuses an update that is valid in itself; throws what the client is told. */
    void admitUpdate(JsonObject updated, JsonObject current) {}

    final boolean tracksGeneration() {
        return traits.contains(Trait.GENERATION);
    }

    final boolean returnsDeleted() {
        return traits.contains(Trait.RETURNED);
    }

    final boolean allowsUnconditionalUpdate() {
        return !traits.contains(Trait.VERSIONED);
    }

    final boolean allowsCreateOnUpdate() {
        return traits.contains(Trait.CREATED_BY_UPDATE);
    }
}
