package io.evenkeel.app.http;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.problem.NearestName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The parameters that a path takes. Another one is a slip of the pen that would have no effect, unless it is among those that
 * Kubernetes clients send with every request.
 *
 * @param values the values that each can have, by its name; none where others look at them
 * @param several those that may be given several times
 */
public record Parameters(Map<String, List<String>> values, Set<String> several) {
    private static final Set<String> OF_CLIENTS =
            Set.of("timeout", "pretty", "fieldManager", "fieldValidation", "dryRun", "resourceVersion");

    /** Takes parameters of these names, with any value, once each. */
    public static Parameters named(Set<String> names) {
        return new Parameters(anyOf(names), Set.of());
    }

    /** One that is given once, as one of these. */
    public static Parameters oneOf(String name, String... values) {
        return new Parameters(Map.of(name, List.of(values)), Set.of());
    }

    /** Takes these too, with any values, several times each. */
    public Parameters andSeveral(Set<String> names) {
        Map<String, List<String>> all = anyOf(names);
        all.putAll(values);
        return new Parameters(all, names);
    }

    private static Map<String, List<String>> anyOf(Set<String> names) {
        Map<String, List<String>> values = new TreeMap<>();
        names.forEach(name -> values.put(name, List.of()));
        return values;
    }

    /** Tells the client what is wrong with a request's parameters. */
    public Optional<String> problem(Request request) {
        return request.query().keySet().stream()
                .flatMap(name -> problem(name, request.values(name)).stream())
                .findFirst();
    }

    private Optional<String> problem(String name, List<String> given) {
        if (!values.containsKey(name)) {
            return OF_CLIENTS.contains(name)
                    ? Optional.empty()
                    : Optional.of(
                            Excerpt.of(name) + ": no parameter of this path" + NearestName.hint(name, values.keySet()));
        }
        if (given.size() > 1 && !several.contains(name)) {
            return Optional.of(name + ": given " + given.size() + " times");
        }
        List<String> known = values.get(name);
        return known.isEmpty() || known.contains(given.getFirst())
                ? Optional.empty()
                : Optional.of(name + ": expected " + String.join(" or ", known) + ", got \""
                        + Excerpt.of(given.getFirst()) + '"');
    }
}
