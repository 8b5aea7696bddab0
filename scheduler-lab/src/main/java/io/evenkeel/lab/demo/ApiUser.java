package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.ObjectFiles;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import io.evenkeel.model.json.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A user of kubectl, by the same requests. */
record ApiUser(ApiTransport transport) {
    private static final int REFUSED = 300;
    private static final String PATCH = "application/strategic-merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";

    /** {@code kubectl create -f}. */
    void create(String namespace, String yaml) {
        for (String json : ObjectFiles.parse("manifest", yaml)) {
            JsonObject tree = Trees.parse(json);
            ResourceType type = ResourceTable.ofKind(Trees.text(tree, "apiVersion"), Trees.text(tree, "kind"))
                    .orElseThrow(() -> new IllegalArgumentException("no such kind: " + json));
            ask(ApiCall.send("POST", path(type, namespace), "application/json", json));
        }
    }

    /** {@code kubectl patch}. */
    void patch(ResourceType type, String namespace, String name, String patch) {
        ask(ApiCall.send("PATCH", path(type, namespace) + "/" + name, PATCH, patch));
    }

    /** {@code kubectl patch --type=json}. */
    void patchByOperations(ResourceType type, String namespace, String name, String operations) {
        ask(ApiCall.send("PATCH", path(type, namespace) + "/" + name, JSON_PATCH, operations));
    }

    /** {@code kubectl delete}. */
    void delete(ResourceType type, String namespace, String name) {
        ask(new ApiCall(
                "DELETE", path(type, namespace) + "/" + name, Map.of("Accept", "application/json"), Optional.empty()));
    }

    /** The first event of a namespace that is as wanted, if it comes in time. */
    Optional<JsonObject> awaitEvent(String namespace, Predicate<JsonObject> wanted, Duration patience) {
        String query = "?watch=true&timeoutSeconds=" + Math.max(1, patience.toSeconds());
        ApiCall call = ApiCall.get(path(ResourceTable.EVENTS, namespace) + query);
        try (ApiAnswer answer = transport.stream(call);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<JsonObject> event =
                        Trees.object(Trees.parse(line), "object").filter(wanted);
                if (event.isPresent()) {
                    return event;
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ask(ApiCall call) {
        try (ApiAnswer answer = transport.call(call)) {
            String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
            if (answer.code() >= REFUSED) {
                String reason = Trees.text(Trees.parse(text), "message");
                throw new NotAsToldException(call.method() + " " + call.path() + " was refused: " + reason);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(ResourceType type, String namespace) {
        String root = type.group().isEmpty() ? "/api/v1" : "/apis/" + type.apiVersion();
        return root + (type.namespaced() ? "/namespaces/" + namespace : "") + "/" + type.resource();
    }
}
