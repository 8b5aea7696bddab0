package io.evenkeel.tools.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonStreamParser;
import io.evenkeel.config.file.Cursor;
import io.evenkeel.config.file.ErrorLog;
import io.evenkeel.config.file.YamlText;
import io.evenkeel.file.Bound;
import io.evenkeel.file.FileContent;
import io.evenkeel.file.FileProblem;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.json.Trees;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads manifests as {@code kubectl apply -f} does: files, or directories of files, in YAML or JSON, several objects a file and lists
 * of objects.
 */
public final class ManifestFiles {
    private static final Path STANDARD_INPUT = Path.of("-");
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    /** A mapping of YAML may begin with a brace too, and is told from an object of JSON by its first key. */
    private static final Pattern JSON = Pattern.compile("\\s*\\{\\s*[\"}]");

    private final String namespace;
    private final Consumer<String> remarks;
    private final List<Manifest> read = new ArrayList<>();

    private ManifestFiles(String namespace, Consumer<String> remarks) {
        this.namespace = namespace;
        this.remarks = remarks;
    }

    /**
     * All of these files and directories, in their order; {@code -} is the standard input.
     *
     * @param namespace of objects that name none
     * @param remarks is told what is passed over, and of manifests of one object which does not count
     * @throws UserProblem if something cannot be read
     */
    public static List<Manifest> read(List<Path> paths, String namespace, Consumer<String> remarks) {
        ManifestFiles files = new ManifestFiles(namespace, remarks);
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                files.readDirectory(path);
            } else {
                files.readNamed(path);
            }
        }
        return last(files.read, remarks);
    }

    private record Identity(String group, String kind, String namespace, String name) {}

    /** Returns of several manifests of one object the last, as it is what the object is once all have been applied. */
    private static List<Manifest> last(List<Manifest> all, Consumer<String> remarks) {
        Map<Object, Manifest> last = new LinkedHashMap<>();
        for (Manifest manifest : all) {
            // a manifest without a name is an object of its own each time
            Object identity = manifest.name().isEmpty() ? new Object() : identity(manifest);
            Manifest before = last.remove(identity);
            last.put(identity, manifest);
            if (before != null) {
                remarks.accept(before.title() + " is given twice, and the one " + where(before, manifest) + " counts");
            }
        }
        return List.copyOf(last.values());
    }

    private static String where(Manifest before, Manifest later) {
        return before.source().equals(later.source()) ? "further down" : "of " + later.source();
    }

    private static Identity identity(Manifest manifest) {
        String version = manifest.apiVersion();
        int slash = version.indexOf('/');
        return new Identity(
                slash < 0 ? "" : version.substring(0, slash),
                manifest.kind(),
                manifest.namespaceNamed(),
                manifest.name());
    }

    private void readDirectory(Path directory) {
        List<Path> inside = inside(directory);
        int before = read.size();
        for (Path path : inside) {
            if (Files.isDirectory(path)) {
                remarks.accept(path + ": a directory in a directory is passed over; name it with -f too");
            } else if (ENDINGS.stream().anyMatch(path.toString().toLowerCase(Locale.ROOT)::endsWith)) {
                readFile(path);
            }
        }
        if (read.size() == before) {
            throw new UserProblem(directory + ": has no object in a file that ends in .yaml, .yml or .json");
        }
    }

    private static List<Path> inside(Path directory) {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.sorted().toList();
        } catch (IOException unreadable) {
            throw new UserProblem(FileProblem.reading(directory, unreadable));
        }
    }

    /** A file that is named must have an object; in a directory one may be empty. */
    private void readNamed(Path path) {
        int before = read.size();
        readFile(path);
        if (read.size() == before) {
            throw new UserProblem(source(path) + ": there is no object in it");
        }
    }

    private static String source(Path path) {
        return path.equals(STANDARD_INPUT) ? "standard input" : path.toString();
    }

    private void readFile(Path path) {
        String source = source(path);
        String text = text(path);
        if (JSON.matcher(text).lookingAt()) {
            readJson(source, text);
        } else {
            readYaml(source, text);
        }
    }

    private static String text(Path path) {
        try {
            return path.equals(STANDARD_INPUT)
                    ? FileContent.text(System.in, Bound.sixtyFourthOfHeap())
                    : FileContent.text(Files.newInputStream(path), Bound.sixtyFourthOfHeap());
        } catch (IOException unreadable) {
            throw new UserProblem(FileProblem.reading(Path.of(source(path)), unreadable));
        }
    }

    /** Reads text that is no JSON as YAML, as JSON is nearly a part of that; else tells what is wrong with the JSON. */
    private void readJson(String source, String text) {
        List<JsonElement> documents = new ArrayList<>();
        try {
            new JsonStreamParser(text).forEachRemaining(documents::add);
            documents.forEach(document -> requireObject(source, document));
        } catch (JsonParseException | UserProblem noJson) {
            ErrorLog errors = new ErrorLog(source);
            List<Map<String, Object>> trees = trees(text, errors);
            if (!errors.isEmpty()) {
                throw noJson instanceof JsonParseException malformed
                        ? new UserProblem(source + ": no valid JSON: " + brief(malformed))
                        : noJson;
            }
            trees.forEach(tree -> add(source, json(tree)));
            return;
        }
        documents.forEach(document -> add(source, document));
    }

    /** Gson's words, without where to read about them. */
    private static String brief(JsonParseException malformed) {
        String message = String.valueOf(malformed.getMessage());
        String said = message.substring(message.lastIndexOf("Exception: ") + 1);
        return Excerpt.of(
                said.replaceFirst("^xception: ", "").lines().findFirst().orElse(said), 200);
    }

    private void readYaml(String source, String text) {
        ErrorLog errors = new ErrorLog(source);
        List<Map<String, Object>> trees = trees(text, errors);
        if (!errors.isEmpty()) {
            throw new UserProblem(String.join("\n", errors.lines()));
        }
        trees.forEach(tree -> add(source, json(tree)));
    }

    private static List<Map<String, Object>> trees(String text, ErrorLog errors) {
        return YamlText.parseAll(text, errors).stream()
                .map(Cursor::tree)
                .flatMap(tree -> tree.stream())
                .toList();
    }

    private static JsonObject requireObject(String source, JsonElement document) {
        if (!(document instanceof JsonObject tree)) {
            throw new UserProblem(source + ": expected an object, got " + Excerpt.of(document.toString()));
        }
        return tree;
    }

    private void add(String source, JsonElement document) {
        JsonObject tree = requireObject(source, document);
        if (tree.get("items") instanceof JsonArray items
                && Trees.text(tree, "kind").endsWith("List")) {
            items.forEach(item -> add(source, item));
            return;
        }
        Manifest manifest = new Manifest(source, namespace, tree);
        if (manifest.kind().isEmpty()) {
            throw new UserProblem(source + ": an object without a kind: " + Excerpt.of(tree.toString()));
        }
        read.add(manifest);
    }

    /** A tree of maps, lists and scalars as one of JSON. */
    private static JsonElement json(Object tree) {
        return switch (tree) {
            case Map<?, ?> map -> {
                JsonObject object = new JsonObject();
                map.forEach((key, value) -> object.add(String.valueOf(key), json(value)));
                yield object;
            }
            case Collection<?> all -> {
                JsonArray array = new JsonArray();
                all.forEach(each -> array.add(json(each)));
                yield array;
            }
            case Boolean truth -> new JsonPrimitive(truth);
            case Double none when !Double.isFinite(none) -> new JsonPrimitive(none.toString()); // which JSON has not
            case Number number -> new JsonPrimitive(number);
            default -> new JsonPrimitive(tree.toString());
        };
    }
}
