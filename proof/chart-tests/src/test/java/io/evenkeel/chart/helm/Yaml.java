package io.evenkeel.chart.helm;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads YAML into trees; a key that is there twice is an error. */
public final class Yaml {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private static final Pattern BETWEEN = Pattern.compile("(?m)^---\n");

    private Yaml() {}

    /** All documents of a text; empty ones are left out. */
    public static List<JsonObject> documents(String text) {
        return StreamSupport.stream(reader().loadAll(text).spliterator(), false)
                .filter(Objects::nonNull)
                .map(tree -> GSON.toJsonTree(tree).getAsJsonObject())
                .toList();
    }

    /** The documents as they are written, with their comments. */
    public static Stream<String> texts(String text) {
        return BETWEEN.splitAsStream(text);
    }

    public static JsonObject document(String text) {
        return documents(text).getFirst();
    }

    private static org.yaml.snakeyaml.Yaml reader() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new org.yaml.snakeyaml.Yaml(new SafeConstructor(options));
    }
}
