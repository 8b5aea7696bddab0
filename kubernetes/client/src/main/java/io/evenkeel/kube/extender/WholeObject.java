package io.evenkeel.kube.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Set;

/**
 * An object as the server has it, in JSON, but for its kind and who manages which of its fields, which kube-scheduler does
 * not send to extenders either.
 */
record WholeObject(String name, String uid, String json) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Set<String> LEFT_OUT = Set.of("kind", "apiVersion");

    /** Reads the object; the parser stands on its opening brace, and then on the closing one. */
    static WholeObject read(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException("expected an object, got " + in.currentToken());
        }
        StringWriter text = new StringWriter();
        String[] name = {""};
        String[] uid = {""};
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String field = in.currentName();
                JsonToken value = in.nextToken();
                if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                    out.writeObjectFieldStart(field);
                    copyMetadata(in, out, name, uid);
                    out.writeEndObject();
                } else if (LEFT_OUT.contains(field)) {
                    in.skipChildren();
                } else {
                    out.writeFieldName(field);
                    out.copyCurrentStructure(in);
                }
            }
            out.writeEndObject();
        }
        return new WholeObject(name[0], uid[0], text.toString());
    }

    private static void copyMetadata(JsonParser in, JsonGenerator out, String[] name, String[] uid) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case "managedFields" -> {
                    in.skipChildren();
                    continue;
                }
                case "name" -> name[0] = in.getText();
                case "uid" -> uid[0] = in.getText();
                default -> {}
            }
            out.writeFieldName(field);
            out.copyCurrentStructure(in);
        }
    }
}
