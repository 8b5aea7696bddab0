package io.evenkeel.model;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Walks over one object's JSON. It always stands on a value; a JSON null counts as absent and is stepped over.
 *
 * <p>An object is read as {@code enterObject(); while (nextField()) switch (field()) …}, a list as {@code enterList();
 * while (nextElement()) …}. Each value must be consumed, {@link #skip} included, before the next step. What has the
 * wrong type is a {@link FieldProblem} with the path from the object's root.
 */
final class JsonCursor {
    private static final int LONGEST_PATH = 100;

    private final JsonParser parser;
    private final SharedValues shared;
    private final JsonStreamContext root;

    /** The parser stands on the object's opening brace. */
    JsonCursor(JsonParser parser, SharedValues shared) {
        this.parser = parser;
        this.shared = shared;
        this.root = parser.getParsingContext();
    }

    /** A cursor for an object that this one stands on and that counts as a root of its own. */
    JsonCursor nested() {
        expect(JsonToken.START_OBJECT, "an object");
        return new JsonCursor(parser, shared);
    }

    void enterObject() {
        expect(JsonToken.START_OBJECT, "an object");
    }

    void enterList() {
        expect(JsonToken.START_ARRAY, "a list");
    }

    /** Steps to the next field's value; false at the object's end. */
    boolean nextField() {
        do {
            if (advance() == JsonToken.END_OBJECT) {
                return false;
            }
        } while (advance() == JsonToken.VALUE_NULL);
        return true;
    }

    /** Steps to the next element; false at the list's end. */
    boolean nextElement() {
        JsonToken token;
        do {
            token = advance();
        } while (token == JsonToken.VALUE_NULL);
        return token != JsonToken.END_ARRAY;
    }

    /** The name of the field whose value this stands on. */
    String field() {
        return from(JsonParser::currentName);
    }

    boolean isList() {
        return parser.currentToken() == JsonToken.START_ARRAY;
    }

    void skip() {
        from(JsonParser::skipChildren);
    }

    /** Consumes the value into a copy. */
    void copyTo(TokenCopy copy) {
        String field = field();
        from(source -> copy.add(field, source));
    }

    String string() {
        expect(JsonToken.VALUE_STRING, "a string");
        return from(JsonParser::getText);
    }

    /** A string of a kind that repeats: labels, names of resources, topology keys. */
    String sharedString() {
        expect(JsonToken.VALUE_STRING, "a string");
        return from(json -> shared.share(json.getTextCharacters(), json.getTextOffset(), json.getTextLength()));
    }

    boolean bool() {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw unexpected("true or false");
        };
    }

    int integer() {
        long value = longInteger();
        if (value != (int) value) {
            throw unexpected("an integer of 32 bits");
        }
        return (int) value;
    }

    long longInteger() {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        if (from(JsonParser::getNumberType) == JsonParser.NumberType.BIG_INTEGER) {
            throw unexpected("an integer of 64 bits");
        }
        return from(JsonParser::getLongValue);
    }

    /** A quantity, as a string or a bare number. */
    Quantity quantity() {
        JsonToken token = parser.currentToken();
        if (!token.isNumeric()) {
            expect(JsonToken.VALUE_STRING, "a quantity");
        }
        String text = from(JsonParser::getText);
        try {
            return shared.quantity(text);
        } catch (IllegalArgumentException notAQuantity) {
            throw problem("\"" + text + "\" is not a quantity");
        }
    }

    /** The constant that the string stands for. */
    <E> E oneOf(Map<String, E> constants) {
        E constant = parser.currentToken() == JsonToken.VALUE_STRING ? constants.get(string()) : null;
        if (constant == null) {
            throw unexpected(constants.keySet().stream()
                    .filter(name -> !name.isEmpty())
                    .sorted()
                    .collect(Collectors.joining(", ", "one of ", "")));
        }
        return constant;
    }

    /** Amounts by resource name. */
    Map<String, Quantity> resources() {
        Map<String, Quantity> amounts = new TreeMap<>();
        enterObject();
        while (nextField()) {
            amounts.put(shared.share(field()), quantity());
        }
        return shared.resources(ResourceList.copyOf(amounts));
    }

    /** Labels, or a plain map that selects by them. */
    Labels labels() {
        Map<String, String> labels = new TreeMap<>();
        enterObject();
        while (nextField()) {
            labels.put(shared.share(field()), sharedString());
        }
        return Labels.of(labels);
    }

    List<String> strings() {
        return list(JsonCursor::sharedString);
    }

    <T> List<T> list(Function<JsonCursor, T> element) {
        List<T> elements = new ArrayList<>();
        enterList();
        while (nextElement()) {
            elements.add(element.apply(this));
        }
        return List.copyOf(elements);
    }

    /** What to throw where a field of the object that was just read to its end is required and absent. */
    FieldProblem missing(String field) {
        String path = path();
        return new FieldProblem(path.isEmpty() ? field : path + "." + field, "missing");
    }

    FieldProblem problem(String problem) {
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

    private String path() {
        String path = FieldPath.between(root, parser.getParsingContext());
        return path.length() <= LONGEST_PATH ? path : path.substring(0, LONGEST_PATH) + "…";
    }

    /** What the parser stands on, for a message. */
    static String describe(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return "nothing";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "\"" + reading(parser, JsonParser::getText) + "\"";
            default -> reading(parser, JsonParser::getText);
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
    static <T> T reading(JsonParser parser, Reading<T> reading) {
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

    /** Without what says something to programmers alone. */
    private static String brief(JsonProcessingException cause) {
        String text = cause.getOriginalMessage().lines().findFirst().orElse("malformed");
        int startMarker = text.indexOf(" (start marker");
        return (startMarker < 0 ? text : text.substring(0, startMarker)).replaceFirst(", from `[^`]*`", "");
    }

    /** Something that is asked of the parser. */
    @FunctionalInterface
    interface Reading<T> {
        T apply(JsonParser parser) throws IOException;
    }
}
