package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * What a real server said of an object.
 *
 * @param patch of the object, after it was created
 * @param message empty if the server took it
 */
record Recorded(
        String name,
        String path,
        JsonObject object,
        Optional<JsonObject> status,
        Optional<JsonObject> patch,
        int code,
        String message) {

    /** All of a file. */
    static List<Recorded> in(String file) {
        try (InputStream in = Recorded.class.getResourceAsStream("/apiserver/" + file)) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(Recorded::parse)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Recorded parse(String line) {
        JsonObject tree = Trees.parse(line);
        return new Recorded(
                Trees.text(tree, "case"),
                Trees.text(tree, "path"),
                tree.getAsJsonObject("object"),
                Trees.object(tree, "status"),
                Trees.object(tree, "patch"),
                tree.get("code").getAsInt(),
                Trees.text(tree, "message"));
    }

    @Override
    public String toString() {
        return name;
    }
}
