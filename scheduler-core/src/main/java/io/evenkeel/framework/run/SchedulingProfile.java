package io.evenkeel.framework.run;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.RemarkingPlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WaitingPods;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.Difference;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginExpansion;
import io.evenkeel.config.PluginExpansion.PluginNames;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Profile;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.run.PluginRegistry.ReferencePlugins;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.evenkeel.model.Pod;
import io.evenkeel.problem.ConfigurationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** A profile of the configuration with its plugins made and in order, ready to run. */
public final class SchedulingProfile {
    private final String schedulerName;
    private final Profile profile;
    private final ClusterView cluster;
    private final Map<ExtensionPoint, List<Plugin>> plugins;
    private final FilterRunner filters;
    private final FilterRunner trialFilters;
    private final PostFilterRunner postFilters;
    private final ScoreRunner scores;
    private final BindingRunner binding;
    private final GroupRunner groups;
    private final List<PreEnqueuePlugin> preEnqueues;
    private final PluginCalls calls;
    private final Stopwatch preEnqueueWatch;

    private SchedulingProfile(
            Profile profile,
            ClusterView cluster,
            Map<ExtensionPoint, List<Plugin>> plugins,
            int[] scoreWeights,
            PluginCalls calls,
            ProfileObserver observer) {
        this.schedulerName = profile.schedulerName();
        this.profile = profile;
        this.cluster = cluster;
        this.plugins = plugins;
        this.preEnqueues = at(ExtensionPoint.PRE_ENQUEUE, PreEnqueuePlugin.class);
        List<PreFilterPlugin> preFilters = at(ExtensionPoint.PRE_FILTER, PreFilterPlugin.class);
        List<FilterPlugin> filtering = at(ExtensionPoint.FILTER, FilterPlugin.class);
        this.filters = new FilterRunner(cluster, preFilters, filtering, observer);
        this.trialFilters = new FilterRunner(cluster, preFilters, filtering);
        this.postFilters =
                new PostFilterRunner(at(ExtensionPoint.POST_FILTER, PostFilterPlugin.class), calls, observer);
        this.scores = new ScoreRunner(
                cluster,
                at(ExtensionPoint.PRE_SCORE, PreScorePlugin.class),
                at(ExtensionPoint.SCORE, Plugin.class),
                scoreWeights,
                observer);
        this.binding = new BindingRunner(
                at(ExtensionPoint.RESERVE, ReservePlugin.class),
                at(ExtensionPoint.PERMIT, PermitPlugin.class),
                at(ExtensionPoint.PRE_BIND, PreBindPlugin.class),
                at(ExtensionPoint.BIND, BindPlugin.class),
                at(ExtensionPoint.POST_BIND, PostBindPlugin.class),
                allOf(RemarkingPlugin.class),
                cluster.featureGates().isOn(Feature.NOMINATED_NODE_NAME_FOR_EXPECTATION),
                calls,
                observer);
        this.groups = new GroupRunner(allOf(GroupPlugin.class), calls);
        this.calls = calls;
        this.preEnqueueWatch = observer.at(MeasuredPoint.PRE_ENQUEUE, preEnqueues);
    }

    /**
     * Makes a profile's plugins; each exists once, however many points it is enabled at.
     *
     * @throws ConfigurationException if the profile names plugins or arguments that there are not
     */
    public static SchedulingProfile of(Profile profile, PluginRegistry registry, ClusterView cluster) {
        return of(profile, registry, cluster, WaitingPods.NONE, GroupMembers.NONE, ProfileObserver.NONE, (_, _) -> {});
    }

    /**
     * Makes a profile with pods that wait for permits and members of groups; it tells how the plugins do.
     *
     * @param faults told of what a plugin throws, and at which pod
     */
    public static SchedulingProfile of(
            Profile profile,
            PluginRegistry registry,
            ClusterView cluster,
            WaitingPods waitingPods,
            GroupMembers members,
            ProfileObserver observer,
            BiConsumer<Pod, RuntimeException> faults) {
        Map<ExtensionPoint, List<EnabledPlugin>> enabled = enabled(profile, registry, cluster.featureGates());
        Map<String, Plugin> made = new HashMap<>();
        Map<ExtensionPoint, List<Plugin>> plugins = new LinkedHashMap<>();
        List<Integer> weights = new ArrayList<>();
        enabled.forEach((point, list) -> {
            List<Plugin> atPoint = new ArrayList<>();
            for (EnabledPlugin plugin : registry.with(point, list)) {
                registry.findAt(point, plugin.name()).ifPresent(factory -> {
                    atPoint.add(made.computeIfAbsent(
                            plugin.name(),
                            name -> factory.create(
                                    new TreeContext(cluster, profile.argsOf(name), waitingPods, members))));
                    if (point == ExtensionPoint.SCORE) {
                        weights.add(plugin.weight());
                    }
                });
            }
            plugins.put(point, List.copyOf(atPoint));
        });
        return new SchedulingProfile(
                profile,
                cluster,
                plugins,
                weights.stream().mapToInt(Integer::intValue).toArray(),
                new PluginCalls(faults),
                observer);
    }

    public String schedulerName() {
        return schedulerName;
    }

    /** A plugin's arguments, where the profile gives some. */
    public Optional<PluginArgs> argsOf(String plugin) {
        return profile.argsOf(plugin);
    }

    public FilterRunner filters() {
        return filters;
    }

    /** Returns the profile's filters apart and unmeasured, for {@link BatchTrial}s. */
    public FilterRunner trialFilters() {
        return trialFilters;
    }

    /** Returns the profile's filters, unmeasured and in another order: the same nodes pass in any. */
    public FilterRunner filtersBy(Comparator<? super FilterPlugin> order) {
        List<FilterPlugin> inOrder = new ArrayList<>(at(ExtensionPoint.FILTER, FilterPlugin.class));
        inOrder.sort(order);
        return new FilterRunner(cluster, at(ExtensionPoint.PRE_FILTER, PreFilterPlugin.class), inOrder);
    }

    public PostFilterRunner postFilters() {
        return postFilters;
    }

    public ScoreRunner scores() {
        return scores;
    }

    public BindingRunner binding() {
        return binding;
    }

    /** Who is placed together with whom. */
    public GroupRunner groups() {
        return groups;
    }

    /** A plugin that keeps a pod out of the queue, and why. */
    public record Gate(String plugin, Status status) {}

    /** Returns the gate that keeps the pod out of the queue, if any. The first plugin that objects or fails decides. */
    public Optional<Gate> preEnqueue(Pod pod) {
        long began = preEnqueueWatch.start();
        Optional<Gate> gate = firstGate(pod);
        preEnqueueWatch.stop(gate.map(closed -> closed.status().code()).orElse(Status.Code.SUCCESS), began);
        return gate;
    }

    private Optional<Gate> firstGate(Pod pod) {
        for (PreEnqueuePlugin plugin : preEnqueues) {
            Status status = calls.ask(pod, () -> plugin.preEnqueue(pod));
            if (!status.isSuccess()) {
                return Optional.of(new Gate(plugin.name(), status));
            }
        }
        return Optional.empty();
    }

    /** The order of the queue. Two pods are equal if the plugin fails to say which is first. */
    public Comparator<QueuedPod> queueOrder() {
        QueueSortPlugin sort =
                at(ExtensionPoint.QUEUE_SORT, QueueSortPlugin.class).getFirst();
        return (left, right) -> {
            try {
                return sort.compare(left, right);
            } catch (Throwable thrown) {
                calls.faulted(left.pod(), PluginFailure.of(sort, "QueueSort", thrown));
                return 0;
            }
        };
    }

    /** All plugins that are enabled somewhere, each once. */
    public Set<Plugin> plugins() {
        Set<Plugin> all = new LinkedHashSet<>();
        plugins.values().forEach(all::addAll);
        return all;
    }

    /** Returns the plugins of a type, wherever they are enabled. */
    private <P> List<P> allOf(Class<P> type) {
        return plugins().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The plugins enabled at a point, in order. */
    public <P extends Plugin> List<P> at(ExtensionPoint point, Class<P> type) {
        return plugins.getOrDefault(point, List.of()).stream().map(type::cast).toList();
    }

    private static Map<ExtensionPoint, List<EnabledPlugin>> enabled(
            Profile profile, PluginRegistry registry, FeatureGates gates) {
        Map<String, Set<ExtensionPoint>> implemented = new LinkedHashMap<>(registry.extensionPoints());
        ReferencePlugins.POINTS.forEach((name, points) -> implemented.merge(name, points, SchedulingProfile::union));
        List<String> errors = argsOfUnknownPlugins(profile, implemented.keySet());
        errors.addAll(fieldsWithoutTheirGate(profile, gates));
        if (!gates.has(Difference.POD_GROUP_POST_FILTER)
                && profile.plugins().sets().containsKey(ExtensionPoint.POD_GROUP_POST_FILTER)) {
            errors.add("plugins." + ExtensionPoint.POD_GROUP_POST_FILTER.fieldName()
                    + ": unknown field; kube-scheduler has it from " + Difference.POD_GROUP_POST_FILTER.since()
                    + " on");
        }
        try {
            Map<ExtensionPoint, List<EnabledPlugin>> enabled =
                    PluginExpansion.expand(registry.weighted(profile.plugins()), implemented);
            if (errors.isEmpty()) {
                return enabled;
            }
        } catch (ConfigurationException wrong) {
            errors.addAll(0, wrong.errors());
        }
        throw new ConfigurationException(errors);
    }

    private static Set<ExtensionPoint> union(Set<ExtensionPoint> some, Set<ExtensionPoint> more) {
        Set<ExtensionPoint> all = EnumSet.copyOf(some);
        all.addAll(more);
        return all;
    }

    private static List<String> argsOfUnknownPlugins(Profile profile, Set<String> known) {
        List<String> errors = new ArrayList<>();
        for (String name : profile.pluginArgs().keySet()) {
            if (!known.contains(name)) {
                errors.add("pluginConfig[" + name + "].name: there is no plugin \"" + name + '"'
                        + PluginNames.hint(name, known));
            }
        }
        return errors;
    }

    private static List<String> fieldsWithoutTheirGate(Profile profile, FeatureGates gates) {
        List<String> errors = new ArrayList<>();
        profile.pluginArgs()
                .forEach((name, args) -> args.gatedFields().forEach((field, feature) -> {
                    if (!gates.isOn(feature)) {
                        errors.add("pluginConfig[" + name + "].args." + field + ": needs the feature gate "
                                + feature.apiName() + ", which is off; remove the field or turn the gate on");
                    }
                }));
        return errors;
    }
}
