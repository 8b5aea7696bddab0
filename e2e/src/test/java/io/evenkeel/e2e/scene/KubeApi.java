package io.evenkeel.e2e.scene;

import com.google.gson.JsonObject;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads and writes a cluster's objects through its API server. Texts are YAML or JSON. */
public final class KubeApi {
    private static final String JSON = "application/json";
    private static final String AT_ONCE = "{\"gracePeriodSeconds\":0}";

    private final ApiTransport transport;

    public KubeApi(ApiTransport transport) {
        this.transport = transport;
    }

    /** Creates an object, in the namespace that it names. */
    public JsonObject create(String text) {
        return create(Yaml.parse(text));
    }

    public JsonObject create(JsonObject tree) {
        Resource resource = new Resource(Trees.text(tree, "apiVersion"), Trees.text(tree, "kind"));
        return post(resource.path(Trees.text(tree, "metadata", "namespace")), tree.toString());
    }

    public JsonObject post(String path, String json) {
        return done(ApiCall.send("POST", path, JSON, json));
    }

    public JsonObject get(String path) {
        return done(ApiCall.get(path));
    }

    public Optional<JsonObject> find(String path) {
        return Optional.of(ask(ApiCall.get(path)))
                .filter(answer -> answer.code() != 404)
                .map(Answer::tree);
    }

    public List<JsonObject> list(String path) {
        return Trees.objects(get(path), "items");
    }

    /** A JSON merge patch. */
    public JsonObject patch(String path, String text) {
        return done(ApiCall.send(
                "PATCH", path, "application/merge-patch+json", Yaml.parse(text).toString()));
    }

    /** Deletes as a user does, with a period of grace. */
    public void delete(String path) {
        done(ApiCall.send("DELETE", path, JSON, "{}"));
    }

    /** Deletes without grace, which takes no kubelet to complete; what is gone already is fine. */
    public void deleteNow(String path) {
        Answer answer = ask(ApiCall.send("DELETE", path, JSON, AT_ONCE));
        if (answer.code() != 404) {
            answer.done(path);
        }
    }

    private JsonObject done(ApiCall call) {
        return ask(call).done(call.method() + " " + call.path());
    }

    private Answer ask(ApiCall call) {
        try (ApiAnswer answer = transport.call(call)) {
            String body = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(answer.code(), Trees.parse(body));
        } catch (IOException noAnswer) {
            throw new UncheckedIOException(noAnswer);
        }
    }

    private record Answer(int code, JsonObject tree) {
        JsonObject done(String what) {
            if (code >= 300) {
                throw new ApiRefusal(code, what + ": " + Trees.text(tree, "message"));
            }
            return tree;
        }
    }

    /** The server would not. */
    public static final class ApiRefusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int code;

        ApiRefusal(int code, String message) {
            super(code + " " + message);
            this.code = code;
        }

        public int code() {
            return code;
        }
    }
}
