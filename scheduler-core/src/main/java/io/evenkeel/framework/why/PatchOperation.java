package io.evenkeel.framework.why;

import java.util.Optional;

/**
 * An operation of a JSON patch (RFC 6902).
 *
 * @param path a JSON pointer, escaped
 * @param value strings, numbers, booleans, and lists and maps of such; none to remove what is there
 */
public record PatchOperation(String operation, String path, Optional<Object> value) {

    /** Adds an element to a list, or sets a member of an object, whether it is there or not. */
    public static PatchOperation add(String path, Object value) {
        return new PatchOperation("add", path, Optional.of(value));
    }

    public static PatchOperation replace(String path, Object value) {
        return new PatchOperation("replace", path, Optional.of(value));
    }

    public static PatchOperation remove(String path) {
        return new PatchOperation("remove", path, Optional.empty());
    }

    /** A name as a part of a path. */
    static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
