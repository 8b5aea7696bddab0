package io.evenkeel.app.kube.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectReadException;
import io.evenkeel.model.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/**
 * One page of a list.
 *
 * @param resourceVersion of the whole list
 * @param continueToken asks for the next page; empty on the last
 */
record ListPage(String resourceVersion, String continueToken) {

    /**
     * Hands out a page's objects one by one, without ever holding two.
     *
     * @throws IOException if the page breaks off
     */
    static ListPage read(
            InputStream body,
            String kind,
            ObjectReader reader,
            Consumer<KubernetesObject> objects,
            Consumer<String> unreadable)
            throws IOException {
        String version = "";
        String token = "";
        try (JsonParser parser = new JsonFactory().createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("expected a list, got no object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                    while (parser.nextToken() == JsonToken.FIELD_NAME) {
                        String name = parser.currentName();
                        parser.nextToken();
                        switch (name) {
                            case "resourceVersion" -> version = parser.getText();
                            case "continue" -> token = parser.getText();
                            default -> parser.skipChildren();
                        }
                    }
                } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
                    readItems(parser, kind, reader, objects, unreadable);
                } else {
                    parser.skipChildren();
                }
            }
            if (parser.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("the list broke off");
            }
        }
        if (version.isEmpty()) {
            throw new IOException("a list without a resourceVersion");
        }
        return new ListPage(version, token);
    }

    private static void readItems(
            JsonParser parser,
            String kind,
            ObjectReader reader,
            Consumer<KubernetesObject> objects,
            Consumer<String> unreadable)
            throws IOException {
        JsonStreamContext list = parser.getParsingContext();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == null) {
                throw new IOException("the list broke off");
            }
            KubernetesObject object;
            try {
                object = reader.read(parser, kind);
            } catch (ObjectReadException problem) {
                unreadable.accept(String.valueOf(problem.getMessage()));
                finishItem(parser, list);
                continue;
            }
            objects.accept(object);
        }
    }

    /** Goes on to the end of the item that was left half read. */
    @SuppressWarnings("ReferenceEquality") // a context is a place, not a value
    private static void finishItem(JsonParser parser, JsonStreamContext list) throws IOException {
        while (parser.getParsingContext() != list) {
            if (parser.nextToken() == null) {
                throw new IOException("the list broke off");
            }
        }
    }
}
