package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A format in which objects leave the server.
 *
 * <p>What costs is {@link #body}: it is done once for each version of an object and kept. Everything else wraps bodies.
 */
public interface Encoding {
    static Encoding json() {
        return new JsonEncoding();
    }

    static Encoding protobuf() {
        return new ProtobufEncoding();
    }

    /** The media type by which clients ask for it, such as {@code application/json}. */
    String mediaType();

    String watchContentType();

    /** Whether it can write objects of this type. */
    boolean supports(TypeMeta type);

    /** An object's fields, without its type: what stands as an item in a list. */
    byte[] body(TypeMeta type, JsonObject tree);

    /** A whole object, from its body. */
    byte[] object(TypeMeta type, byte[] body);

    /** A whole list, from the bodies of its items. */
    void list(OutputStream out, TypeMeta listType, ListMeta meta, List<byte[]> bodies) throws IOException;

    /** A watch event in its frame, from a whole object. */
    byte[] event(String eventType, byte[] object);

    /** The other shape it gives answers, as {@code as=} in an Accept header names it; empty for that of the objects. */
    default String view() {
        return "";
    }

    /** Whether a version's body is always the same. */
    default boolean keepsBodies() {
        return true;
    }

    /** The form of this encoding with more or less beside what it shows, by the parameter {@code includeObject}. */
    default Encoding including(String what) {
        return this;
    }

    /**
     * The metadata of a list.
     *
     * @param continueToken empty on the last page
     * @param remaining how many follow; negative where the server does not say
     */
    record ListMeta(String resourceVersion, String continueToken, long remaining) {

        JsonObject json() {
            JsonObject json = Trees.of("resourceVersion", resourceVersion);
            if (!continueToken.isEmpty()) {
                json.addProperty("continue", continueToken);
                if (remaining >= 0) {
                    json.addProperty("remainingItemCount", remaining);
                }
            }
            return json;
        }
    }
}
