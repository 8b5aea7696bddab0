package io.evenkeel.model.decode.cursor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.Quantity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/**
 * Walks over one object's JSON. It always stands on a value; a JSON null counts as absent and is stepped over.
 *
 * <p>An object is read as {@code enterObject(); while (nextField()) switch (field()) …}, a list as {@code enterList();
 * while (nextElement()) …}. Each value must be consumed, {@link #skip} included, before the next step. What has the
 * wrong type is a {@link FieldProblem} with the path from the object's root.
 */
public final class JsonCursor {
    /**
     * Makes parsers of objects that others write. They keep no names of fields for the next one: a table of names is bounded
     * by their number, and a name may be as long as an object.
     */
    public static final JsonFactory PARSERS = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

    /** The parser quotes 256 characters of a word that it does not know. */
    private static final int LONGEST_COMPLAINT = 200;

    private final JsonParser parser;
    private final SharedValues shared;
    private final JsonStreamContext root;

    /** The parser stands on the object's opening brace. */
    public JsonCursor(JsonParser parser, SharedValues shared) {
        this.parser = parser;
        this.shared = shared;
        this.root = parser.getParsingContext();
    }

    /** A cursor for an object that this one stands on and that counts as a root of its own. */
    public JsonCursor nested() {
        expect(JsonToken.START_OBJECT, "an object");
        return new JsonCursor(parser, shared);
    }

    public void enterObject() {
        expect(JsonToken.START_OBJECT, "an object");
    }

    public void enterList() {
        expect(JsonToken.START_ARRAY, "a list");
    }

    /** Steps to the next field's value; false at the object's end. */
    public boolean nextField() {
        do {
            if (advance() == JsonToken.END_OBJECT) {
                return false;
            }
        } while (advance() == JsonToken.VALUE_NULL);
        return true;
    }

    /** Steps to the next element; false at the list's end. */
    public boolean nextElement() {
        JsonToken token;
        do {
            token = advance();
        } while (token == JsonToken.VALUE_NULL);
        return token != JsonToken.END_ARRAY;
    }

    public String field() {
        return from(JsonParser::currentName);
    }

    /** The name of the field, shared as a string of a kind that repeats: for names that are values. */
    public String sharedField() {
        return shared.share(field());
    }

    public SharedValues shared() {
        return shared;
    }

    public boolean isEmptyString() {
        return parser.currentToken() == JsonToken.VALUE_STRING && from(JsonParser::getTextLength) == 0;
    }

    public boolean isList() {
        return parser.currentToken() == JsonToken.START_ARRAY;
    }

    public void skip() {
        from(JsonParser::skipChildren);
    }

    public void copyTo(TokenCopy copy) {
        String field = field();
        from(source -> copy.add(field, source));
    }

    public String string() {
        expect(JsonToken.VALUE_STRING, "a string");
        return from(JsonParser::getText);
    }

    /** A string of a kind that repeats: labels, names of resources, topology keys. */
    public String sharedString() {
        expect(JsonToken.VALUE_STRING, "a string");
        return from(json -> shared.share(json.getTextCharacters(), json.getTextOffset(), json.getTextLength()));
    }

    public boolean bool() {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw unexpected("true or false");
        };
    }

    public int integer() {
        long value = longInteger();
        if (value != (int) value) {
            throw unexpected("an integer of 32 bits");
        }
        return (int) value;
    }

    public long longInteger() {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        if (from(JsonParser::getNumberType) == JsonParser.NumberType.BIG_INTEGER) {
            throw unexpected("an integer of 64 bits");
        }
        return from(JsonParser::getLongValue);
    }

    /** A quantity, as a string or a bare number. */
    public Quantity quantity() {
        JsonToken token = parser.currentToken();
        if (!token.isNumeric()) {
            expect(JsonToken.VALUE_STRING, "a quantity");
        }
        String text = from(JsonParser::getText);
        try {
            return shared.quantity(text);
        } catch (IllegalArgumentException notAQuantity) {
            throw problem(Excerpt.quoted(text) + " is not a quantity");
        }
    }

    /** A number, or a share as {@code 25%}. */
    public IntOrPercent intOrPercent() {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return IntOrPercent.of(integer());
        }
        expect(JsonToken.VALUE_STRING, "a number or a percentage");
        String text = from(JsonParser::getText);
        try {
            return IntOrPercent.parse(text);
        } catch (IllegalArgumentException neither) {
            throw problem(Excerpt.quoted(text) + " is not a percentage such as 25%");
        }
    }

    /** The value as the text of its JSON, without blanks. */
    public String json() {
        return from(source -> {
            StringWriter text = new StringWriter();
            try (JsonGenerator copy = PARSERS.createGenerator(text)) {
                copy.copyCurrentStructureExact(source);
            }
            return text.toString();
        });
    }

    public <E> E oneOf(Map<String, E> constants) {
        E constant = parser.currentToken() == JsonToken.VALUE_STRING ? constants.get(string()) : null;
        if (constant == null) {
            throw problem(FieldProblem.expectedOneOf(constants.keySet()) + ", got " + describe(parser));
        }
        return constant;
    }

    public FieldProblem problem(String problem) {
        return new FieldProblem(path(), problem);
    }

    private FieldProblem unexpected(String expected) {
        return problem("expected " + expected + ", got " + describe(parser));
    }

    private void expect(JsonToken token, String expected) {
        if (parser.currentToken() != token) {
            throw unexpected(expected);
        }
    }

    /** The place where the parser stands, in the notation of Kubernetes' own messages: {@code spec.containers[0].image}. */
    public String path() {
        StringBuilder path = new StringBuilder();
        append(path, root, parser.getParsingContext());
        return path.toString();
    }

    /** Names the token that the parser stands on, for a message. */
    public static String describe(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return "nothing";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> Excerpt.quoted(reading(parser, JsonParser::getText));
            default -> Excerpt.of(reading(parser, JsonParser::getText));
        };
    }

    private JsonToken advance() {
        JsonToken token = from(JsonParser::nextToken);
        if (token == null) {
            throw problem("the JSON ends within the object");
        }
        return token;
    }

    private <T> T from(Reading<T> reading) {
        try {
            return reading(parser, reading);
        } catch (ObjectReadException malformed) {
            // more than the parser takes is the field's fault, and the JSON is right
            throw malformed.getCause() instanceof StreamConstraintsException beyondMeasure
                    ? problem(brief(beyondMeasure))
                    : malformed;
        }
    }

    /** Turns the parser's checked exceptions into one line with the place. */
    public static <T> T reading(JsonParser parser, Reading<T> reading) {
        try {
            return reading.apply(parser);
        } catch (JsonProcessingException malformed) {
            throw malformed(parser, malformed);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static ObjectReadException malformed(JsonParser parser, JsonProcessingException cause) {
        // what is nested too deep or a number too long has no place of its own
        JsonLocation place = Objects.requireNonNullElseGet(cause.getLocation(), parser::currentLocation);
        return new ObjectReadException(
                "JSON, line " + place.getLineNr() + ", column " + place.getColumnNr() + ": " + brief(cause), cause);
    }

    /** The parser's complaint in a line, without the source and the limits, which say something to programmers alone. */
    public static String brief(JsonProcessingException cause) {
        String text = cause.getOriginalMessage().lines().findFirst().orElse("malformed");
        int startMarker = text.indexOf(" (start marker");
        String complaint = startMarker < 0 ? text : text.substring(0, startMarker);
        return Excerpt.of(complaint.replaceFirst(", from `[^`]*`", ""), LONGEST_COMPLAINT);
    }

    @FunctionalInterface
    public interface Reading<T> {
        T apply(JsonParser parser) throws IOException;
    }

    @SuppressWarnings("ReferenceEquality") // a context is a place, not a value
    private static void append(StringBuilder path, JsonStreamContext object, JsonStreamContext place) {
        if (place != object && place.getParent() != null) {
            append(path, object, place.getParent());
        }
        if (place.inArray() && place.hasCurrentIndex()) {
            path.append('[').append(place.getCurrentIndex()).append(']');
        } else if (place.inObject() && place.hasCurrentName()) {
            boolean apart = !path.isEmpty() && !place.getCurrentName().isEmpty();
            path.append(apart ? "." : "").append(place.getCurrentName());
        }
    }

    /**
     * Fields that came before their object's kind did, copied so that they can be read when it is known. The API server and
     * kubectl write the kind first, so this is for JSON from elsewhere, and may be slow.
     */
    public static final class TokenCopy {
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
}
