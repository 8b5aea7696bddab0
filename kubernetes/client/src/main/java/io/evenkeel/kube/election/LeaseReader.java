package io.evenkeel.kube.election;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads a Lease from JSON. Fields that are not known are kept only in {@link Lease#json}. */
final class LeaseReader {
    private static final JsonFactory JSON = new JsonFactory();

    private LeaseReader() {}

    static Lease read(byte[] body) throws IOException {
        Map<String, String> meta = Map.of();
        Map<String, String> spec = Map.of();
        try (JsonParser in = JSON.createParser(body)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("expected a Lease, got " + in.currentToken());
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String field = in.currentName();
                boolean isObject = in.nextToken() == JsonToken.START_OBJECT;
                if (isObject && field.equals("metadata")) {
                    meta = scalars(in);
                } else if (isObject && field.equals("spec")) {
                    spec = scalars(in);
                } else {
                    in.skipChildren();
                }
            }
        }
        return new Lease(
                spec.getOrDefault("holderIdentity", ""),
                number(spec, "leaseDurationSeconds"),
                spec.getOrDefault("acquireTime", ""),
                spec.getOrDefault("renewTime", ""),
                number(spec, "leaseTransitions"),
                meta.getOrDefault("uid", ""),
                meta.getOrDefault("resourceVersion", ""),
                new String(body, StandardCharsets.UTF_8));
    }

    private static Map<String, String> scalars(JsonParser in) throws IOException {
        Map<String, String> scalars = new HashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            JsonToken value = in.nextToken();
            if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
                scalars.put(field, in.getText());
            } else {
                in.skipChildren();
            }
        }
        return scalars;
    }

    private static int number(Map<String, String> spec, String field) throws IOException {
        try {
            return Integer.parseInt(spec.getOrDefault(field, "0"));
        } catch (NumberFormatException wrong) {
            throw new IOException(field + " of the Lease is no number: " + spec.get(field), wrong);
        }
    }
}
