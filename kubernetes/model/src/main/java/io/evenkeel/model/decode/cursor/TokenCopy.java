package io.evenkeel.model.decode.cursor;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Fields that came before their object's kind did, copied so that they can be read when it is known. The API server and
 * kubectl write the kind first, so this is for JSON from elsewhere, and may be slow.
 */
public final class TokenCopy {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final JsonGenerator fields;

    public TokenCopy() {
        try {
            fields = JsonCursor.PARSERS.createGenerator(bytes);
            fields.writeStartObject();
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
    }

    /** Copies the value that the parser stands on and leaves the parser on the value's last token. */
    TokenCopy add(String field, JsonParser parser) throws IOException {
        fields.writeFieldName(field);
        fields.copyCurrentStructureExact(parser);
        return this;
    }

    /** Ends the copying; the cursor stands on the copy as on an object that has nothing but these fields. */
    public JsonCursor replay(SharedValues shared) {
        try {
            fields.close();
            JsonParser parser = JsonCursor.PARSERS.createParser(bytes.toByteArray());
            parser.nextToken();
            return new JsonCursor(parser, shared);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
    }
}
