package io.evenkeel.config.file;

import io.evenkeel.config.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that the text of a configuration enables or gives arguments to. A completed configuration cannot tell them
 * from the default ones.
 *
 * @param profile the scheduler name
 */
public record NamedPlugins(String profile, Set<String> plugins) {

    /** For each profile of a text that has been read as a configuration before. */
    public static List<NamedPlugins> in(String text) {
        return YamlText.parse(text, new ErrorLog(""))
                .flatMap(Cursor::tree)
                .map(root -> mappings(root.get("profiles")).stream()
                        .map(NamedPlugins::of)
                        .toList())
                .orElse(List.of());
    }

    private static NamedPlugins of(Map<?, ?> profile) {
        Set<String> names = new TreeSet<>();
        mapping(profile.get("plugins"))
                .values()
                .forEach(set -> addNames(mapping(set).get("enabled"), names));
        addNames(profile.get("pluginConfig"), names);
        return new NamedPlugins(
                Optional.ofNullable(profile.get("schedulerName"))
                        .map(Object::toString)
                        .orElse(Profile.DEFAULT_SCHEDULER_NAME),
                names);
    }

    private static void addNames(@Nullable Object list, Set<String> names) {
        mappings(list).forEach(entry -> names.add(String.valueOf(entry.get("name"))));
    }

    private static List<? extends Map<?, ?>> mappings(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(NamedPlugins::mapping).toList()
                : List.of();
    }

    private static Map<?, ?> mapping(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}
