package io.evenkeel.framework.run;

import static io.evenkeel.config.ExtensionPoint.BIND;
import static io.evenkeel.config.ExtensionPoint.FILTER;
import static io.evenkeel.config.ExtensionPoint.POST_FILTER;
import static io.evenkeel.config.ExtensionPoint.PRE_BIND;
import static io.evenkeel.config.ExtensionPoint.PRE_ENQUEUE;
import static io.evenkeel.config.ExtensionPoint.PRE_FILTER;
import static io.evenkeel.config.ExtensionPoint.PRE_SCORE;
import static io.evenkeel.config.ExtensionPoint.RESERVE;
import static io.evenkeel.config.ExtensionPoint.SCORE;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.problem.NearestName;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The plugins there are, by name. */
public final class PluginRegistry {
    private final Map<String, PluginFactory> factories = new LinkedHashMap<>();
    private final Set<String> inEveryProfile = new LinkedHashSet<>();

    public PluginRegistry(Collection<PluginFactory> factories) {
        factories.forEach(this::add);
    }

    /** These plugins and some more. */
    public PluginRegistry with(Collection<PluginFactory> more) {
        PluginRegistry both = new PluginRegistry(factories.values());
        both.inEveryProfile.addAll(inEveryProfile);
        more.forEach(both::add);
        return both;
    }

    /**
     * Adds a plugin that is in every profile, ahead of all others; no configuration enables or disables it. It
     * scores with its default weight, if it does.
     */
    public PluginRegistry withInEveryProfile(PluginFactory factory) {
        PluginRegistry registry = with(List.of(factory));
        registry.inEveryProfile.add(factory.name());
        return registry;
    }

    /** Returns the plugins of every profile at this point, then the ones that a profile enables there. */
    List<EnabledPlugin> with(ExtensionPoint point, List<EnabledPlugin> enabled) {
        Stream<EnabledPlugin> always = inEveryProfile.stream()
                .flatMap(name -> find(name).stream())
                .filter(factory -> extensionPointsOf(factory.type()).contains(point))
                .map(factory -> new EnabledPlugin(factory.name(), factory.defaultWeight()));
        return Stream.concat(always, enabled.stream()).toList();
    }

    /** The plugins of a profile, each with its default weight where none is given. */
    Plugins weighted(Plugins plugins) {
        return plugins.weighted(
                name -> find(name).map(PluginFactory::defaultWeight).orElse(1));
    }

    public Optional<PluginFactory> find(String name) {
        return Optional.ofNullable(factories.get(name));
    }

    /** Returns the plugin where it works at the point; the reference's may work at more. */
    Optional<PluginFactory> findAt(ExtensionPoint point, String name) {
        return find(name).filter(factory -> extensionPointsOf(factory.type()).contains(point));
    }

    /** Whether a plugin has this name, or one that the reference has and this registry may come to have. */
    public boolean isTaken(String name) {
        return factories.containsKey(name) || ReferencePlugins.POINTS.containsKey(name);
    }

    /** At which points a configuration can enable each plugin. */
    public Map<String, Set<ExtensionPoint>> extensionPoints() {
        Map<String, Set<ExtensionPoint>> points = new LinkedHashMap<>();
        factories.forEach((name, factory) -> {
            if (!inEveryProfile.contains(name)) {
                points.put(name, extensionPointsOf(factory.type()));
            }
        });
        return points;
    }

    /** {@code ; did you mean "x"?} for a name that no plugin has; nothing where none is near. */
    public String hintAt(String unknown) {
        return NearestName.hint(
                unknown,
                Stream.concat(ReferencePlugins.POINTS.keySet().stream(), factories.keySet().stream())
                        .toList());
    }

    private void add(PluginFactory factory) {
        PluginFactory other = factories.putIfAbsent(factory.name(), factory);
        if (other != null) {
            throw new IllegalArgumentException("two plugins are named " + factory.name() + ": "
                    + other.type().getName() + " and " + factory.type().getName());
        }
    }

    /** At which points plugins of a class can be enabled; none where it is of no use. */
    public static Set<ExtensionPoint> extensionPointsOf(Class<? extends Plugin> type) {
        Set<ExtensionPoint> points = EnumSet.noneOf(ExtensionPoint.class);
        INTERFACES.forEach((extensionPoint, interfaceType) -> {
            if (interfaceType.isAssignableFrom(type)) {
                points.add(extensionPoint);
            }
        });
        if (BatchScorePlugin.class.isAssignableFrom(type)) {
            points.add(ExtensionPoint.SCORE);
        }
        return points;
    }

    private static final Map<ExtensionPoint, Class<? extends Plugin>> INTERFACES = Map.ofEntries(
            Map.entry(ExtensionPoint.PRE_ENQUEUE, PreEnqueuePlugin.class),
            Map.entry(ExtensionPoint.QUEUE_SORT, QueueSortPlugin.class),
            Map.entry(ExtensionPoint.PRE_FILTER, PreFilterPlugin.class),
            Map.entry(ExtensionPoint.FILTER, FilterPlugin.class),
            Map.entry(ExtensionPoint.POST_FILTER, PostFilterPlugin.class),
            Map.entry(ExtensionPoint.PRE_SCORE, PreScorePlugin.class),
            Map.entry(ExtensionPoint.SCORE, ScorePlugin.class),
            Map.entry(ExtensionPoint.RESERVE, ReservePlugin.class),
            Map.entry(ExtensionPoint.PERMIT, PermitPlugin.class),
            Map.entry(ExtensionPoint.PRE_BIND, PreBindPlugin.class),
            Map.entry(ExtensionPoint.BIND, BindPlugin.class),
            Map.entry(ExtensionPoint.POST_BIND, PostBindPlugin.class));

    /**
     * The extension points of the reference's plugins that the registry may not have. An operator's configuration names
     * them, to disable or to weigh them; it must be read, and where such a plugin is not there it does nothing.
     */
    static final class ReferencePlugins {
        static final Map<String, Set<ExtensionPoint>> POINTS = Map.of(
                "VolumeRestrictions", Set.of(PRE_FILTER, FILTER),
                "NodeVolumeLimits", Set.of(PRE_FILTER, FILTER),
                "VolumeBinding", Set.of(PRE_FILTER, FILTER, PRE_SCORE, SCORE, RESERVE, PRE_BIND),
                "VolumeZone", Set.of(PRE_FILTER, FILTER),
                "DynamicResources",
                        Set.of(PRE_ENQUEUE, PRE_FILTER, FILTER, POST_FILTER, PRE_SCORE, SCORE, RESERVE, PRE_BIND),
                "DefaultPreemption", Set.of(PRE_ENQUEUE, POST_FILTER),
                "DefaultBinder", Set.of(BIND));

        private ReferencePlugins() {}
    }
}
