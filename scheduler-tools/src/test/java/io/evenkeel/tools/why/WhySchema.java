package io.evenkeel.tools.why;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The schema of answers that docs has, and here a stricter one: what it does not know of is a problem as well. */
public final class WhySchema {
    private static final JsonSchema STRICT = strict();

    private WhySchema() {}

    /** What of an answer is not as the schema says. */
    public static List<String> problems(String answer) {
        return STRICT.validate(answer, InputFormat.JSON).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    private static JsonSchema strict() {
        try {
            JsonNode schema = new ObjectMapper().readTree(Files.readString(Path.of("..", "docs", "why.schema.json")));
            refuseUnknown(schema);
            return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Of all objects; what {@code oneOf} and {@code anyOf} add is known to the object that they are of. */
    private static void refuseUnknown(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.path("type").asText().equals("object")
                && !object.has("additionalProperties")) {
            object.put("unevaluatedProperties", false);
        }
        schema.forEach(WhySchema::refuseUnknown);
    }
}
