package io.evenkeel.e2e.scene;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads YAML, and so JSON too, into trees. */
final class Yaml {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private Yaml() {}

    static JsonObject parse(String text) {
        Object tree = new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        return tree == null ? new JsonObject() : GSON.toJsonTree(tree).getAsJsonObject();
    }
}
