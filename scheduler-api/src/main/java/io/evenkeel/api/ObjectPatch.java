package io.evenkeel.api;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A write of one object. A patch is made only if the object is as it was: the server refuses where somebody else has changed it
 * since. Where an earlier write of the same pod's has changed it, it is as that one left it.
 *
 * @param object as it was read; without a resourceVersion, but with a UID, whatever has become of it, unless another has taken
 *     its name
 * @param changes of its fields: strings, numbers, booleans, null for a field that goes, {@link Time}, and maps and lists of such
 * @since 0.1
 */
public record ObjectPatch(Kind<?> kind, ObjectMeta object, Map<String, @Nullable Object> changes, Form form) {

    /** A JSON merge patch. */
    public ObjectPatch(Kind<?> kind, ObjectMeta object, Map<String, @Nullable Object> changes) {
        this(kind, object, changes, Form.MERGE);
    }

    /** How the server is to understand it. */
    public enum Form {
        /** A JSON merge patch: a list takes the place of the one before. */
        MERGE,
        /** A strategic merge patch, for kinds of Kubernetes' own: lists that have a key are merged by it. */
        MERGE_LISTS,
        /** The same, of the status. */
        STATUS,
        /** An object of this name and these fields is made. */
        CREATE,
        /** The object is deleted, and has no changes. */
        DELETE
    }

    /** A value that only its writer knows. */
    public enum Time {
        /** When it is written. */
        NOW
    }
}
