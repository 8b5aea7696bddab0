package io.evenkeel.kube.extender;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private static final String NO_JSON = "it is no valid JSON";
    private static final String NO_OBJECT = "expected an object";

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
        read(
                Kinds.POD.path(pod.meta()),
                "pod " + pod.key(),
                in -> found.add(WholeObject.of(JsonParser.parseReader(in))));
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
        List<String> token = new ArrayList<>();
        read(path, "nodes", in -> {
            if (in.peek() != JsonToken.BEGIN_OBJECT) {
                throw new JsonParseException(NO_OBJECT);
            }
            in.beginObject();
            while (in.hasNext()) {
                String field = in.nextName();
                if (field.equals("items") && in.peek() == JsonToken.BEGIN_ARRAY) {
                    in.beginArray();
                    while (in.hasNext()) {
                        items.accept(WholeObject.of(JsonParser.parseReader(in)));
                    }
                    in.endArray();
                } else if (field.equals("metadata") && JsonParser.parseReader(in) instanceof JsonObject metadata) {
                    token.add(text(metadata, "continue"));
                } else if (!field.equals("metadata")) {
                    in.skipValue();
                }
            }
            in.endObject();
        });
        return token.isEmpty() ? "" : token.getLast();
    }

    private static String text(JsonObject from, String field) {
        return from.get(field) instanceof JsonPrimitive value ? value.getAsString() : "";
    }

    /** Reads an answer. */
    @FunctionalInterface
    private interface Reader {
        void read(JsonReader in) throws IOException;
    }

    private void read(String path, String what, Reader reader) throws ExtenderException {
        String trouble = "cannot read " + what + " for the extenders: ";
        try (ApiAnswer answer = transport.call(ApiCall.get(path))) {
            if (answer.code() != 200) {
                String why = trouble + ApiStatus.of(answer).explanation();
                throw answer.code() == 404 ? new PodGoneException(why) : new ExtenderException(why);
            }
            JsonReader in = new JsonReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
            in.setStrictness(Strictness.STRICT);
            reader.read(in);
        } catch (ExtenderException said) {
            throw said;
        } catch (MalformedJsonException malformed) {
            throw new ExtenderException(trouble + NO_JSON, malformed);
        } catch (IOException noAnswer) {
            throw new ExtenderException(trouble + NoAnswer.why(noAnswer), noAnswer);
        } catch (JsonParseException brokenOff) {
            throw new ExtenderException(
                    trouble
                            + switch (brokenOff.getCause()) {
                                case MalformedJsonException _ -> NO_JSON;
                                case IOException noAnswer -> NoAnswer.why(noAnswer);
                                case null, default -> brokenOff.getMessage();
                            },
                    brokenOff);
        }
    }

    /**
     * An object as the server has it, in JSON, but for its kind and who manages which of its fields, which kube-scheduler does
     * not send to extenders either.
     */
    private record WholeObject(String name, String uid, String json) {
        static WholeObject of(JsonElement read) {
            if (!(read instanceof JsonObject object)) {
                throw new JsonParseException(NO_OBJECT);
            }
            object.remove("kind");
            object.remove("apiVersion");
            JsonObject metadata = object.get("metadata") instanceof JsonObject its ? its : new JsonObject();
            metadata.remove("managedFields");
            return new WholeObject(text(metadata, "name"), text(metadata, "uid"), object.toString());
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
