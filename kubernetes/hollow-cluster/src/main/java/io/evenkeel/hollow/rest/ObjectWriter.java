package io.evenkeel.hollow.rest;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.encoding.Encoding;
import io.evenkeel.hollow.encoding.Encodings;
import io.evenkeel.hollow.kind.EventConversion;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.schema.TypeMeta;
import java.util.function.Supplier;

/** Turns objects into bytes in the encoding a client accepts; a version is encoded once for all who ask. */
public record ObjectWriter(Encodings encodings) {

    private record Form(Encoding encoding, ResourceType type) {}

    /** The encoding that a client accepts for a type. */
    public Encoding choose(ApiRequest request, TypeMeta type) {
        return encodings
                .choose(request.accept(), type)
                .including(request.query().text("includeObject"));
    }

    public byte[] body(Encoding encoding, ResourceType type, StoredObject object) {
        Supplier<byte[]> encode = () -> encoding.body(type.typeMeta(), EventConversion.toServed(type, object.tree()));
        return encoding.keepsBodies() ? object.encoded(new Form(encoding, type), encode) : encode.get();
    }

    public byte[] whole(Encoding encoding, ResourceType type, StoredObject object) {
        return encoding.object(type.typeMeta(), body(encoding, type, object));
    }

    public ApiReply reply(int code, ApiRequest request, ResourceType type, StoredObject object) {
        Encoding encoding = choose(request, type.typeMeta());
        return ApiReply.of(code, encoding.mediaType(), whole(encoding, type, object));
    }

    public ApiReply reply(int code, ApiRequest request, TypeMeta type, JsonObject tree) {
        Encoding encoding = choose(request, type);
        return ApiReply.of(code, encoding.mediaType(), encoding.object(type, encoding.body(type, tree)));
    }
}
