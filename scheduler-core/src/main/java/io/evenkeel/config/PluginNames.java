package io.evenkeel.config;

import io.evenkeel.problem.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Suggestions where a configuration names an unknown plugin. */
public final class PluginNames {
    private PluginNames() {}

    /** {@code ; did you mean "x"?}, or all known names where none is near. */
    public static String hint(String written, Collection<String> known) {
        String nearest = NearestName.hint(written, known);
        return nearest.isEmpty() ? "; there are " + known.stream().sorted().collect(Collectors.joining(", ")) : nearest;
    }

    /** A suggestion among the plugins that work at a point. */
    static String hint(String written, ExtensionPoint point, Map<String, Set<ExtensionPoint>> implemented) {
        List<String> working = implemented.keySet().stream()
                .filter(name -> point == ExtensionPoint.MULTI_POINT
                        || implemented.getOrDefault(name, Set.of()).contains(point))
                .toList();
        return hint(written, working);
    }

    static String of(Set<ExtensionPoint> points) {
        return points.stream().sorted().map(ExtensionPoint::configName).collect(Collectors.joining(", "));
    }
}
