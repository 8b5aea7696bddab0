package io.evenkeel.image.run;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An image's tar as an engine has it before a container starts: all layers, one over the other, in one folder.
 *
 * @param root what is the root folder in a container
 */
record UnpackedImage(Path root, List<String> entrypoint, String user, String workingDirectory) {
    static UnpackedImage of(Path tar, Path folder) throws IOException, InterruptedException {
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Path root = Files.createDirectories(folder.resolve("root"));
        Processes.run("tar", "-xf", tar.toString(), "-C", parts.toString());
        JsonObject manifest =
                json(parts.resolve("manifest.json")).getAsJsonArray().get(0).getAsJsonObject();
        for (JsonElement layer : manifest.getAsJsonArray("Layers")) {
            Processes.run("tar", "-xpf", parts.resolve(layer.getAsString()).toString(), "-C", root.toString());
        }
        JsonObject config = json(parts.resolve(manifest.get("Config").getAsString()))
                .getAsJsonObject()
                .getAsJsonObject("config");
        return new UnpackedImage(
                root,
                config.getAsJsonArray("Entrypoint").asList().stream()
                        .map(JsonElement::getAsString)
                        .toList(),
                config.get("User").getAsString(),
                config.get("WorkingDir").getAsString());
    }

    private static JsonElement json(Path file) throws IOException {
        return JsonParser.parseString(Files.readString(file));
    }
}
