package io.evenkeel.kube.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Whole objects from the server, for extenders: they read annotations and more that scheduling does not keep.
 *
 * <p>Pods are read for each question: the one that it is about, and those that may go for it. Nodes are kept in JSON as they were
 * read, about ten kilobytes each, and read again when the scheduler knows another version of them: one by one where they are few,
 * and all in pages where they are many, as at first. Used by any thread, by one at a time.
 */
final class WholeObjects {
    private static final int FEW = 32;
    private static final int PAGE = 500;

    /** A node as it was read when the scheduler knew it in this version. */
    private record KnownNode(String version, WholeObject node) {}

    private final ApiTransport transport;
    private final Map<String, KnownNode> nodes = new HashMap<>();

    WholeObjects(ApiTransport transport) {
        this.transport = transport;
    }

    /**
     * The pod, in JSON.
     *
     * @throws ExtenderException if it cannot be read, or is there no more
     */
    String pod(Pod pod) throws ExtenderException {
        List<WholeObject> found = new ArrayList<>(1);
        read(Kinds.POD.path(pod.meta()), "pod " + pod.key(), in -> found.add(WholeObject.read(in)));
        WholeObject read = found.getFirst();
        String uid = pod.meta().uid();
        if (!uid.isEmpty() && !uid.equals(read.uid())) {
            throw new PodGoneException("cannot read pod " + pod.key() + " for the extenders: another has its name now");
        }
        return read.json();
    }

    /**
     * Returns the nodes that the server still has, in JSON.
     *
     * @throws ExtenderException if they cannot be read
     */
    synchronized List<String> nodes(List<Node> wanted) throws ExtenderException {
        List<Node> unread = wanted.stream()
                .filter(node -> {
                    KnownNode known = nodes.get(node.name());
                    return known == null || !known.version().equals(node.meta().resourceVersion());
                })
                .toList();
        if (unread.size() > FEW) {
            readAll(wanted);
        } else {
            for (Node node : unread) {
                readOne(node);
            }
        }
        return wanted.stream()
                .flatMap(node -> Optional.ofNullable(nodes.get(node.name())).stream())
                .map(known -> known.node().json())
                .toList();
    }

    /** By a list, which takes no other right than the one to watch them. */
    private void readOne(Node node) throws ExtenderException {
        nodes.remove(node.name());
        String selector = URLEncoder.encode("metadata.name=" + node.name(), StandardCharsets.UTF_8);
        var _ = readList(
                "/api/v1/nodes?fieldSelector=" + selector,
                found -> nodes.put(found.name(), new KnownNode(node.meta().resourceVersion(), found)));
    }

    private void readAll(List<Node> wanted) throws ExtenderException {
        Map<String, String> versions = new HashMap<>();
        wanted.forEach(node -> versions.put(node.name(), node.meta().resourceVersion()));
        nodes.clear();
        String next = "";
        do {
            String from = next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
            next = readList(
                    "/api/v1/nodes?limit=" + PAGE + from,
                    found -> nodes.put(found.name(), new KnownNode(versions.getOrDefault(found.name(), ""), found)));
        } while (!next.isEmpty());
    }

    /** Answers the token of the next page; empty where there is none. */
    private String readList(String path, Consumer<WholeObject> items) throws ExtenderException {
        String[] token = {""};
        read(path, "nodes", in -> {
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String field = in.currentName();
                JsonToken value = in.nextToken();
                if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                    token[0] = continueToken(in);
                } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
                    while (in.nextToken() == JsonToken.START_OBJECT) {
                        items.accept(WholeObject.read(in));
                    }
                } else {
                    in.skipChildren();
                }
            }
        });
        return token[0];
    }

    private static String continueToken(JsonParser in) throws IOException {
        String token = "";
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = in.currentName().equals("continue");
            if (in.nextToken() == JsonToken.VALUE_STRING && found) {
                token = in.getText();
            }
            in.skipChildren();
        }
        return token;
    }

    /** Reads an answer; the parser stands on its first token. */
    @FunctionalInterface
    private interface Reader {
        void read(JsonParser in) throws IOException;
    }

    private void read(String path, String what, Reader reader) throws ExtenderException {
        try (ApiAnswer answer = transport.call(ApiCall.get(path))) {
            if (answer.code() != 200) {
                String why = "cannot read " + what + " for the extenders: "
                        + ApiStatus.of(answer).explanation();
                throw answer.code() == 404 ? new PodGoneException(why) : new ExtenderException(why);
            }
            try (JsonParser in = JsonCursor.PARSERS.createParser(answer.body())) {
                in.nextToken();
                reader.read(in);
            }
        } catch (ExtenderException said) {
            throw said;
        } catch (IOException noAnswer) {
            throw new ExtenderException(
                    "cannot read " + what + " for the extenders: " + NoAnswer.why(noAnswer), noAnswer);
        }
    }

    /**
     * An object as the server has it, in JSON, but for its kind and who manages which of its fields, which kube-scheduler does
     * not send to extenders either.
     */
    private record WholeObject(String name, String uid, String json) {
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

        private static void copyMetadata(JsonParser in, JsonGenerator out, String[] name, String[] uid)
                throws IOException {
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

    /** A pod is there no more that an extender was to read. */
    static final class PodGoneException extends ExtenderException {
        private static final long serialVersionUID = 1L;

        PodGoneException(String message) {
            super(message);
        }
    }
}
