package io.evenkeel.config;

import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.problem.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The plugins that run at each extension point, in order. First come the MultiPoint plugins that the point
 * itself enables again, in the point's order and with its weights; then the other MultiPoint plugins that implement the
 * point; then what only the point enables. {@code disabled} keeps MultiPoint plugins out, never enabled ones.
 */
public final class PluginExpansion {
    private final Plugins plugins;
    private final Map<String, Set<ExtensionPoint>> implemented;
    private final List<String> errors = new ArrayList<>();

    private PluginExpansion(Plugins plugins, Map<String, Set<ExtensionPoint>> implemented) {
        this.plugins = plugins;
        this.implemented = implemented;
    }

    /**
     * The plugins of every point but MULTI_POINT, in order; at the scoring points every weight is filled in.
     *
     * @param user of a profile, completed with the default plugins or not
     * @param implemented the points of every plugin that exists
     * @throws ConfigurationException with all that is wrong, as a plugin that does not exist
     */
    public static Map<ExtensionPoint, List<EnabledPlugin>> expand(
            Plugins user, Map<String, Set<ExtensionPoint>> implemented) {
        return new PluginExpansion(DefaultPlugins.completed(user), implemented).expand();
    }

    private Map<ExtensionPoint, List<EnabledPlugin>> expand() {
        plugins.sets().forEach(this::checkEnabled);
        Map<ExtensionPoint, List<EnabledPlugin>> expanded = new EnumMap<>(ExtensionPoint.class);
        for (ExtensionPoint point : ExtensionPoint.specific()) {
            expanded.put(point, List.copyOf(at(point)));
        }
        int sorters =
                expanded.getOrDefault(ExtensionPoint.QUEUE_SORT, List.of()).size();
        if (sorters != 1) {
            errors.add("plugins.queueSort: exactly one plugin must sort the queue, got " + sorters);
        }
        if (expanded.getOrDefault(ExtensionPoint.BIND, List.of()).isEmpty()) {
            errors.add("plugins.bind: at least one plugin must bind pods, got none");
        }
        errors.addAll(WeightCheck.errors(plugins, ExtensionPoint.SCORE, implemented));
        errors.addAll(WeightCheck.errors(plugins, ExtensionPoint.PLACEMENT_SCORE, implemented));
        if (!errors.isEmpty()) {
            throw new ConfigurationException(errors);
        }
        return Collections.unmodifiableMap(expanded);
    }

    private List<EnabledPlugin> at(ExtensionPoint point) {
        PluginSet set = plugins.at(point);
        Map<String, EnabledPlugin> specific = byName(set);
        List<EnabledPlugin> multiPoint = new ArrayList<>(set.disablesAll() ? List.of() : multiPointAt(point));
        multiPoint.removeIf(plugin -> set.disables(plugin.name()));

        Map<String, EnabledPlugin> ordered = new LinkedHashMap<>();
        specific.forEach((name, plugin) -> {
            if (multiPoint.stream().anyMatch(other -> other.name().equals(name))) {
                ordered.put(name, plugin);
            }
        });
        multiPoint.forEach(plugin -> ordered.putIfAbsent(plugin.name(), plugin));
        specific.forEach(ordered::putIfAbsent);
        return ordered.values().stream().map(plugin -> weighted(plugin, point)).toList();
    }

    private List<EnabledPlugin> multiPointAt(ExtensionPoint point) {
        return plugins.at(ExtensionPoint.MULTI_POINT).enabled().stream()
                .filter(plugin ->
                        implemented.getOrDefault(plugin.name(), Set.of()).contains(point))
                .toList();
    }

    /** A scoring plugin that its point enables without a weight counts 1, whatever MultiPoint says. */
    private static EnabledPlugin weighted(EnabledPlugin plugin, ExtensionPoint point) {
        boolean scores = point == ExtensionPoint.SCORE || point == ExtensionPoint.PLACEMENT_SCORE;
        return scores ? plugin.orWeighing(1) : plugin;
    }

    private void checkEnabled(ExtensionPoint point, PluginSet set) {
        Set<String> seen = new HashSet<>();
        for (EnabledPlugin plugin : set.enabled()) {
            String name = plugin.name();
            Optional<Set<ExtensionPoint>> points = Optional.ofNullable(implemented.get(name));
            if (points.isEmpty()) {
                addError(
                        point, name, "there is no plugin \"" + name + '"' + PluginNames.hint(name, point, implemented));
            } else if (point != ExtensionPoint.MULTI_POINT && !points.get().contains(worksAt(point))) {
                addError(
                        point,
                        name,
                        "the plugin " + name + " does not work at this point, but at " + PluginNames.of(points.get()));
            }
            if (!seen.add(name)) {
                addError(point, name, "the plugin " + name + " is enabled twice");
            }
        }
    }

    /** What frees room for a group is a plugin that does so for a pod. */
    private static ExtensionPoint worksAt(ExtensionPoint point) {
        return point == ExtensionPoint.POD_GROUP_POST_FILTER ? ExtensionPoint.POST_FILTER : point;
    }

    private void addError(ExtensionPoint point, String plugin, String message) {
        errors.add("plugins." + point.fieldName() + ".enabled[" + plugin + "].name: " + message);
    }

    private static Map<String, EnabledPlugin> byName(PluginSet set) {
        Map<String, EnabledPlugin> byName = new LinkedHashMap<>();
        set.enabled().forEach(plugin -> byName.putIfAbsent(plugin.name(), plugin));
        return byName;
    }

    /**
     * The reference's check of the weights of a profile's scoring plugins: scores of 100 are added up in the order written, and
     * before each the sum must be neither negative nor greater than a long holds. A negative weight, which turns a plugin's
     * preference round, passes where the weights before it outweigh it, and at the very end. Weights have 32 bits; positive ones alone cannot add up to too much.
     */
    private static final class WeightCheck {
        private static final long BEST_SCORE = 100;

        private record Entry(ExtensionPoint point, EnabledPlugin plugin) {
            /** Without a weight as with a weight of 1. */
            long bestScore() {
                return BEST_SCORE * (plugin.weight() == 0 ? 1 : plugin.weight());
            }

            String place() {
                return "plugins." + point.fieldName() + ": ";
            }
        }

        private WeightCheck() {}

        /** At one of the points that score: what the point itself enables, then MultiPoint; disabling makes no difference. */
        static List<String> errors(
                Plugins plugins, ExtensionPoint point, Map<String, Set<ExtensionPoint>> implemented) {
            Set<String> seen = new HashSet<>();
            List<Entry> entries = Stream.of(point, ExtensionPoint.MULTI_POINT)
                    .flatMap(at -> plugins.at(at).enabled().stream().map(plugin -> new Entry(at, plugin)))
                    .filter(entry -> implemented
                            .getOrDefault(entry.plugin.name(), Set.of())
                            .contains(point))
                    .filter(entry -> seen.add(entry.plugin.name()))
                    .toList();
            long total = 0;
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = entries.get(i);
                if (total < 0) {
                    EnabledPlugin last = entries.get(i - 1).plugin;
                    return List.of(entries.get(i - 1).place() + "total score of Score plugins could overflow: with "
                            + last.name() + "'s " + last.weight() + " the weights add up to " + total / BEST_SCORE
                            + ", and other plugins follow");
                }
                if (entry.bestScore() > Long.MAX_VALUE - total) {
                    return List.of(entry.place() + "total score of Score plugins could overflow");
                }
                total += entry.bestScore();
            }
            return List.of();
        }
    }

    /** Suggestions where a configuration names an unknown plugin. */
    public static final class PluginNames {
        private PluginNames() {}

        /** {@code ; did you mean "x"?}, or all known names where none is near. */
        public static String hint(String written, Collection<String> known) {
            String nearest = NearestName.hint(written, known);
            return nearest.isEmpty()
                    ? "; there are " + known.stream().sorted().collect(Collectors.joining(", "))
                    : nearest;
        }

        static String hint(String written, ExtensionPoint point, Map<String, Set<ExtensionPoint>> implemented) {
            List<String> working = implemented.keySet().stream()
                    .filter(name -> point == ExtensionPoint.MULTI_POINT
                            || implemented.getOrDefault(name, Set.of()).contains(point))
                    .toList();
            return hint(written, working);
        }

        static String of(Set<ExtensionPoint> points) {
            return points.stream().sorted().map(ExtensionPoint::fieldName).collect(Collectors.joining(", "));
        }
    }
}
