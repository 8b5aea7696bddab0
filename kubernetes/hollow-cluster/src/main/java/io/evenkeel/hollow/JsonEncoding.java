package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.Encoding.ListMeta;
import io.evenkeel.schema.TypeMeta;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** JSON, which every client reads. Watch events are lines. */
final class JsonEncoding implements Encoding {

    @Override
    public String mediaType() {
        return "application/json";
    }

    @Override
    public String watchContentType() {
        return "application/json";
    }

    @Override
    public boolean supports(TypeMeta type) {
        return true;
    }

    @Override
    public byte[] body(TypeMeta type, JsonObject tree) {
        return tree.toString().getBytes(UTF_8);
    }

    @Override
    public byte[] object(TypeMeta type, byte[] body) {
        byte[] head = head(type);
        ByteArrayOutputStream out = new ByteArrayOutputStream(head.length + body.length + 1);
        out.writeBytes(head);
        if (body.length > 2) {
            out.write(',');
        }
        out.write(body, 1, body.length - 1);
        return out.toByteArray();
    }

    @Override
    public void list(OutputStream out, TypeMeta listType, ListMeta meta, List<byte[]> bodies) throws IOException {
        out.write(head(listType));
        out.write((",\"metadata\":" + meta.json() + ",\"items\":[").getBytes(UTF_8));
        endList(out, bodies);
    }

    /** Writes the items of a list that is begun, and its end. */
    static void endList(OutputStream out, List<byte[]> bodies) throws IOException {
        boolean first = true;
        for (byte[] body : bodies) {
            if (!first) {
                out.write(',');
            }
            out.write(body);
            first = false;
        }
        out.write("]}\n".getBytes(UTF_8));
    }

    @Override
    public byte[] event(String eventType, byte[] object) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(object.length + 40);
        out.writeBytes(("{\"type\":\"" + eventType + "\",\"object\":").getBytes(UTF_8));
        out.writeBytes(object);
        out.writeBytes("}\n".getBytes(UTF_8));
        return out.toByteArray();
    }

    private static byte[] head(TypeMeta type) {
        return ("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\"").getBytes(UTF_8);
    }
}
