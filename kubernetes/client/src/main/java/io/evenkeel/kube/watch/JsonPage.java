package io.evenkeel.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.evenkeel.kube.watch.Decoder.ListPage;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** One page of a list as JSON: {@code {"metadata":{…},"items":[…]}}. */
final class JsonPage {
    /** To where it is worth finding an item's end: each level takes memory. */
    private static final int DEEPEST = 100_000;

    private final String kind;
    private final ObjectReader reader;
    private final Consumer<WatchEvent> items;
    private String version = "";
    private String token = "";

    JsonPage(String kind, ObjectReader reader, Consumer<WatchEvent> items) {
        this.kind = kind;
        this.reader = reader;
        this.items = items;
    }

    ListPage read(InputStream body) throws IOException {
        try (JsonParser parser = JsonCursor.PARSERS.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("expected a list, got no object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                    readMetadata(parser);
                } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
                    readItems(parser);
                } else {
                    parser.skipChildren();
                }
            }
            if (parser.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("the list broke off");
            }
        }
        return new ListPage(version, token);
    }

    private void readMetadata(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "resourceVersion" -> version = text(parser);
                case "continue" -> token = text(parser);
                default -> parser.skipChildren();
            }
        }
    }

    /** Refuses other than text: it would be read past its end, and the list be taken for one that has no items. */
    private static String text(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NULL -> "";
            case null, default ->
                throw new ObjectReadException(
                        "metadata." + parser.currentName() + ": expected a string, got " + JsonCursor.describe(parser));
        };
    }

    private void readItems(JsonParser parser) throws IOException {
        JsonStreamContext list = parser.getParsingContext();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == null) {
                throw new IOException("the list broke off");
            }
            WatchEvent item = WatchEvent.put(() -> reader.read(parser, kind));
            if (item instanceof WatchEvent.Illegible) {
                finishItem(parser, list);
            }
            items.accept(item);
        }
    }

    /** Goes on to the end of the item that was left half read; one nested too deep leaves its like behind at each step. */
    @SuppressWarnings("ReferenceEquality") // a context is a place, not a value
    private static void finishItem(JsonParser parser, JsonStreamContext list) throws IOException {
        while (parser.getParsingContext() != list) {
            try {
                if (parser.nextToken() == null) {
                    throw new IOException("the list broke off");
                }
            } catch (StreamConstraintsException tooDeep) {
                int depth = parser.getParsingContext().getNestingDepth();
                if (depth <= parser.streamReadConstraints().getMaxNestingDepth() || depth > DEEPEST) {
                    throw tooDeep;
                }
            }
        }
    }
}
