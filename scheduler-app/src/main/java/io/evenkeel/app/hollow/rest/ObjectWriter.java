package io.evenkeel.app.hollow.rest;

import com.google.gson.JsonObject;
import io.evenkeel.app.hollow.encoding.Encoding;
import io.evenkeel.app.hollow.encoding.Encodings;
import io.evenkeel.app.hollow.kind.EventConversion;
import io.evenkeel.app.hollow.resource.ResourceType;
import io.evenkeel.app.hollow.resource.TypeMeta;
import io.evenkeel.app.hollow.store.StoredObject;

/** Turns objects into bytes in the encoding a client accepts; a version is encoded once for all who ask. */
record ObjectWriter(Encodings encodings) {

    private record Form(Encoding encoding, ResourceType type) {}

    byte[] body(Encoding encoding, ResourceType type, StoredObject object) {
        return object.encoded(
                new Form(encoding, type),
                () -> encoding.body(type.typeMeta(), EventConversion.toServed(type, object.tree())));
    }

    byte[] whole(Encoding encoding, ResourceType type, StoredObject object) {
        return encoding.object(type.typeMeta(), body(encoding, type, object));
    }

    Reply reply(int code, Request request, ResourceType type, StoredObject object) {
        Encoding encoding = encodings.choose(request.accept(), type.typeMeta());
        return Reply.of(code, encoding.mediaType(), whole(encoding, type, object));
    }

    Reply reply(int code, Request request, TypeMeta type, JsonObject tree) {
        Encoding encoding = encodings.choose(request.accept(), type);
        return Reply.of(code, encoding.mediaType(), encoding.object(type, encoding.body(type, tree)));
    }
}
