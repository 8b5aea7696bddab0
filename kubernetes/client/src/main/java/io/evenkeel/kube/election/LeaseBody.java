package io.evenkeel.kube.election;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.kube.api.JsonText;
import java.io.IOException;

/** A Lease to be written. */
final class LeaseBody {
    private static final JsonFactory JSON = new JsonFactory();

    private LeaseBody() {}

    static String created(String namespace, String name, LeaseClaim claim) {
        return JsonText.object(json -> {
            json.writeStringField("apiVersion", "coordination.k8s.io/v1");
            json.writeStringField("kind", "Lease");
            json.writeObjectFieldStart("metadata");
            json.writeStringField("name", name);
            json.writeStringField("namespace", namespace);
            json.writeEndObject();
            writeSpec(json, claim);
        });
    }

    /** The Lease with the claim in place of what it claimed before, and everything else, its version too, as it was. */
    static String changed(Lease lease, LeaseClaim claim) {
        return JsonText.object(json -> {
            try (JsonParser in = JSON.createParser(lease.json())) {
                in.nextToken();
                boolean claimed = false;
                while (in.nextToken() == JsonToken.FIELD_NAME) {
                    boolean isSpec = in.currentName().equals("spec");
                    if (isSpec && in.nextToken() == JsonToken.START_OBJECT) {
                        changeSpec(in, json, claim);
                        claimed = true;
                    } else if (!isSpec) {
                        json.copyCurrentStructure(in);
                    }
                }
                if (!claimed) {
                    writeSpec(json, claim);
                }
            }
        });
    }

    private static void changeSpec(JsonParser in, JsonGenerator json, LeaseClaim claim) throws IOException {
        json.writeObjectFieldStart("spec");
        claim.writeFields(json);
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            if (LeaseClaim.writes(in.currentName())) {
                in.nextToken();
                in.skipChildren();
            } else {
                json.copyCurrentStructure(in);
            }
        }
        json.writeEndObject();
    }

    private static void writeSpec(JsonGenerator json, LeaseClaim claim) throws IOException {
        json.writeObjectFieldStart("spec");
        claim.writeFields(json);
        json.writeEndObject();
    }
}
