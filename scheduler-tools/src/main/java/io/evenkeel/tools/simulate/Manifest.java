package io.evenkeel.tools.simulate;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.problem.UserProblem;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An object as a file has it.
 *
 * @param source the file that it is from
 * @param namespace that it is in where it names none
 */
public record Manifest(String source, String namespace, JsonObject tree) {
    String kind() {
        return Trees.text(tree, "kind");
    }

    String apiVersion() {
        return Trees.text(tree, "apiVersion");
    }

    String name() {
        return Trees.text(metadata(), "name");
    }

    /** As the object names it, else the one that is meant. */
    String namespaceNamed() {
        String named = Trees.text(metadata(), "namespace");
        return named.isEmpty() ? namespace : named;
    }

    JsonObject metadata() {
        return Trees.object(tree, "metadata").orElseGet(JsonObject::new);
    }

    /**
     * The object that it is.
     *
     * @throws UserProblem if it is none of this kind, or cannot be read
     */
    public <T extends KubernetesObject> T as(Kind<T> kind) {
        if (!kind().equals(kind.name())) {
            throw mistake("kind", "expected " + kind.name());
        }
        JsonObject whole = tree.deepCopy();
        if (kind.namespaced() && whole.get("metadata") instanceof JsonObject metadata) {
            metadata.addProperty("namespace", namespaceNamed());
        }
        try {
            return kind.type().cast(new ObjectReader(Kinds.of(List.of(kind))).read(whole.toString()));
        } catch (ObjectReadException unreadable) {
            throw new UserProblem(source + ": " + unreadable.getMessage());
        }
    }

    /** An annotation; empty where there is none. */
    public String annotation(String key) {
        return Trees.object(metadata(), "annotations")
                .map(annotations -> Trees.text(annotations, key))
                .orElse("");
    }

    /** The file, and which of its objects. */
    String title() {
        return source + ": " + kind() + " " + (name().isEmpty() ? "without a name" : whole(name()));
    }

    private String whole(String name) {
        boolean isInNamespace =
                Kinds.IN_TREE.find(kind(), apiVersion()).map(Kind::namespaced).orElse(true);
        return isInNamespace ? namespaceNamed() + "/" + name : name;
    }

    /** A mistake in the manifest, at a field of it. */
    public UserProblem mistake(String field, String why) {
        return new UserProblem(title() + ": " + field + ": " + why);
    }

    /**
     * The object at a path that has to be there.
     *
     * @throws UserProblem if there is none
     */
    JsonObject required(String... path) {
        JsonObject at = tree;
        StringBuilder way = new StringBuilder();
        for (String step : path) {
            way.append(way.isEmpty() ? "" : ".").append(step);
            if (!at.has(step)) {
                throw mistake(way.toString(), "missing");
            }
            if (!(at.get(step) instanceof JsonObject next)) {
                throw mistake(way.toString(), "expected a mapping, got " + described(at.get(step)));
            }
            at = next;
        }
        return at;
    }

    /**
     * A number of pods in the spec, if it is there.
     *
     * @throws UserProblem if it is no such number
     */
    OptionalInt count(String field, int most) {
        Optional<JsonElement> found = Trees.object(tree, "spec").map(spec -> spec.get(field));
        if (found.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int count = found.get().getAsBigDecimal().intValueExact();
            if (count < 0 || count > most) {
                throw mistake("spec." + field, "must be from 0 to " + most + ", got " + count);
            }
            return OptionalInt.of(count);
        } catch (ArithmeticException
                | NumberFormatException
                | IllegalStateException
                | UnsupportedOperationException no) {
            throw mistake("spec." + field, "expected a whole number, got " + described(found.get()));
        }
    }

    private static String described(JsonElement value) {
        return value.isJsonArray() ? "a list" : value.isJsonObject() ? "a mapping" : value.toString();
    }
}
