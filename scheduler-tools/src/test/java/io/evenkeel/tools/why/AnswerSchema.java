package io.evenkeel.tools.why;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The schemas of answers that docs has, and here stricter ones: what they do not know of is a problem as well. */
public final class AnswerSchema {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String OF_WHY = "why.schema.json";
    private static final String OF_ALL = "openapi.json";
    private static final String PLACE = "https://docs.example/";
    private static final JsonSchemaFactory STRICT = JsonSchemaFactory.getInstance(
            VersionFlag.V202012,
            factory -> factory.schemaLoaders(loaders ->
                    loaders.schemas(Map.of(PLACE + OF_WHY, strict(OF_WHY), PLACE + OF_ALL, strict(OF_ALL)))));

    private AnswerSchema() {}

    /** What of an answer of {@code why} is not as its schema says. */
    public static List<String> problems(String answer) {
        return against(OF_WHY, answer);
    }

    /** What of an answer is not as the schema of that name in {@code openapi.json} says. */
    public static List<String> problems(String schema, String answer) {
        return against(OF_ALL + "#/components/schemas/" + schema, answer);
    }

    private static List<String> against(String schema, String answer) {
        return STRICT.getSchema(SchemaLocation.of(PLACE + schema)).validate(answer, InputFormat.JSON).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    private static String strict(String file) {
        try {
            JsonNode schema = new ObjectMapper().readTree(Files.readString(DOCS.resolve(file)));
            refuseUnknown(schema);
            return schema.toString();
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
        schema.forEach(AnswerSchema::refuseUnknown);
    }
}
