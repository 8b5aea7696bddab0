package io.evenkeel.config.file;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that the text of a configuration disables, which may be none that there are.
 *
 * @param profile the scheduler name
 * @param gangs where it enables Coscheduling at a point at which that has no work here
 */
public record NamedPlugins(String profile, Set<String> disabled, List<String> gangs) {
    static final String COSCHEDULING = "Coscheduling";
    static final String QUEUE_SORT = "PrioritySort";

    /** Points at which the Coscheduling of scheduler-plugins works. */
    static final Set<ExtensionPoint> POINTS_OF_COSCHEDULING = EnumSet.of(
            ExtensionPoint.QUEUE_SORT,
            ExtensionPoint.PRE_FILTER,
            ExtensionPoint.POST_FILTER,
            ExtensionPoint.RESERVE,
            ExtensionPoint.PERMIT,
            ExtensionPoint.POST_BIND);

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
        Map<?, ?> sets = mapping(profile.get("plugins"));
        Set<String> disabled = new TreeSet<>();
        sets.values()
                .forEach(set -> mappings(mapping(set).get("disabled"))
                        .forEach(entry -> disabled.add(String.valueOf(entry.get("name")))));
        disabled.remove(PluginSet.ALL);
        List<String> gangs = POINTS_OF_COSCHEDULING.stream()
                .map(ExtensionPoint::fieldName)
                .filter(point -> mappings(mapping(sets.get(point)).get("enabled")).stream()
                        .anyMatch(plugin -> COSCHEDULING.equals(plugin.get("name"))))
                .toList();
        return new NamedPlugins(
                Optional.ofNullable(profile.get("schedulerName"))
                        .map(Object::toString)
                        .orElse(Profile.DEFAULT_SCHEDULER_NAME),
                disabled,
                gangs);
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
