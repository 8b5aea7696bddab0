package io.evenkeel.hollow.rest.object;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.encoding.Encoding;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.EventType;

/** The event of a watch that says up to which version all has been told. */
public final class Bookmark {
    private Bookmark() {}

    /**
     * The bookmark as it is sent.
     *
     * @param endOfInitialEvents whether all that was there has been told by now, and changes follow
     */
    public static byte[] frame(Encoding encoding, ResourceType type, long version, boolean endOfInitialEvents) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", Long.toString(version));
        if (endOfInitialEvents) {
            JsonObject annotations = new JsonObject();
            annotations.addProperty("k8s.io/initial-events-end", "true");
            metadata.add("annotations", annotations);
        }
        JsonObject tree = new JsonObject();
        tree.add("metadata", metadata);
        if (type.equals(ResourceTable.PODS)) {
            // an empty pod as a real server writes it
            JsonObject spec = new JsonObject();
            spec.add("containers", JsonNull.INSTANCE);
            tree.add("spec", spec);
            tree.add("status", new JsonObject());
        }
        byte[] object = encoding.object(type.typeMeta(), encoding.body(type.typeMeta(), tree));
        return encoding.event(EventType.BOOKMARK.name(), object);
    }
}
