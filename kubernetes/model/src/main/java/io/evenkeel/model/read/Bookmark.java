package io.evenkeel.model.read;

import io.evenkeel.model.decode.Message;
import java.util.Map;

/** A bookmark of a watch, which looks like an object and is none. */
public record Bookmark(String resourceVersion, Map<String, String> annotations) {
    private static final Message<Bookmark> METADATA = Message.of(fields -> {
        var resourceVersion = fields.uniqueString("resourceVersion", 6);
        var annotations = fields.stringMap("annotations", 12);
        return read -> new Bookmark(read.get(resourceVersion), read.get(annotations));
    });

    static final Message<Bookmark> OBJECT = Message.of(fields -> {
        var metadata = fields.message("metadata", 1, METADATA, new Bookmark("", Map.of()));
        return read -> read.get(metadata);
    });
}
