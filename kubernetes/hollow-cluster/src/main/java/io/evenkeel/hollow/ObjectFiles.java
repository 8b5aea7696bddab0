package io.evenkeel.hollow;

import com.google.gson.Gson;
import io.evenkeel.file.FileContent;
import io.evenkeel.file.FileProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Files of objects as kubectl takes them: YAML or JSON, several documents, Lists. */
public final class ObjectFiles {

    private ObjectFiles() {}

    /** The objects of a file, each as JSON; an IllegalArgumentException says in a line what is wrong with it. */
    public static List<String> read(Path file) {
        try {
            return parse(file.toString(), FileContent.text(file));
        } catch (IOException e) {
            throw new IllegalArgumentException(FileProblem.reading(file, e), e);
        }
    }

    /** The objects of a text that came from there. */
    public static List<String> parse(String source, String text) {
        Gson gson = new Gson();
        List<String> objects = new ArrayList<>();
        try {
            for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
                if (document instanceof Map<?, ?> tree && tree.get("items") instanceof List<?> items) {
                    items.forEach(item -> objects.add(gson.toJson(item)));
                } else if (document instanceof Map<?, ?>) {
                    objects.add(gson.toJson(document));
                } else if (document != null) {
                    throw new IllegalArgumentException(source + ": a document is no object");
                }
            }
        } catch (YAMLException e) {
            String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new IllegalArgumentException(source + ": no valid YAML: " + problem, e);
        }
        return objects;
    }
}
