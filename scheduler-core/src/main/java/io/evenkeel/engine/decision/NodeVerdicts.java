package io.evenkeel.engine.decision;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.DefaultPlugins;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.run.FilterRunner;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The verdicts of a profile's filters on a pod as the cluster is at the moment, asked again and again while a group is tried
 * out on it: on which nodes it fits, and on which it may fit once more pods are in place.
 *
 * <p>More pods take room and keep others away; of the plugins that are in the tree just two turn a node away for what more
 * pods can mend: PodTopologySpread, where a domain is too far ahead of the emptiest, and InterPodAffinity, where a
 * companion is missing. All else lasts as long as pods only come. Of any other plugin nothing is known but what its {@link
 * FilterDryRun} tells of a pod: that it never objects, or says the same of all that look like the pod.
 */
public final class NodeVerdicts {
    public static final String SPREAD = "PodTopologySpread";
    public static final String AFFINITY = "InterPodAffinity";
    public static final String RESOURCES = "NodeResourcesFit";
    public static final String PORTS = "NodePorts";

    private static final Set<String> UNDERSTOOD =
            DefaultPlugins.MULTI_POINT.stream().map(EnabledPlugin::name).collect(Collectors.toUnmodifiableSet());

    /** How plugins that are not {@link #UNDERSTOOD} treat a pod. */
    private enum Strangers {
        NEVER_OBJECT,
        JUDGE_THE_LIKE_ALIKE,
        MAY_DO_ANYTHING
    }

    private final ClusterView cluster;
    private final SchedulingProfile profile;
    private final NodeChoice choice = new FirstByName();
    private final FilterRunner filters;
    private final Nominations nominations;
    private final Set<String> plugins;
    private final List<Plugin> strangers;
    private final IdentityHashMap<PodInfo, Strangers> known = new IdentityHashMap<>();
    private final Predicate<String> ignored;
    private final boolean byDefault;
    private final NodeSet fitting = new NodeSet();
    private final NodeSet mayFit = new NodeSet();
    private NodeSetView asked = NodeSetView.NONE;
    private boolean isStrange;

    NodeVerdicts(ClusterView cluster, SchedulingProfile profile, Nominations nominations) {
        this.cluster = cluster;
        this.profile = profile;
        // of a node that it turns away no other plugin does, so that more pods may really mend it
        this.filters =
                profile.filtersBy(Comparator.comparing(filter -> filter.name().equals(SPREAD)));
        this.nominations = nominations;
        this.plugins = profile.at(ExtensionPoint.FILTER, FilterPlugin.class).stream()
                .map(FilterPlugin::name)
                .collect(Collectors.toUnmodifiableSet());
        this.ignored = profile.argsOf(RESOURCES)
                .filter(NodeResourcesFitArgs.class::isInstance)
                .map(args -> ignored((NodeResourcesFitArgs) args))
                .orElse(_ -> false);
        this.byDefault = profile.argsOf(SPREAD)
                .filter(PodTopologySpreadArgs.class::isInstance)
                .map(args -> ((PodTopologySpreadArgs) args).defaultConstraints().stream())
                .filter(constraints -> constraints.anyMatch(TopologySpreadConstraint::isHard))
                .isPresent();
        this.strangers = Stream.concat(
                        profile.at(ExtensionPoint.PRE_FILTER, Plugin.class).stream(),
                        profile.at(ExtensionPoint.FILTER, Plugin.class).stream())
                .filter(plugin -> !UNDERSTOOD.contains(plugin.name()))
                .distinct()
                .toList();
    }

    /** Whether all plugins that may object to the pod are understood, so that what they turn away for good is known. */
    public boolean areUnderstood(PodInfo pod) {
        return strangersTo(pod) == Strangers.NEVER_OBJECT;
    }

    /** Whether pods of this {@link Likeness} can take each other's places, and only who is where decides. */
    public boolean judgeTheLikeAlike(PodInfo pod) {
        return strangersTo(pod) != Strangers.MAY_DO_ANYTHING;
    }

    private Strangers strangersTo(PodInfo pod) {
        return strangers.isEmpty() ? Strangers.NEVER_OBJECT : known.computeIfAbsent(pod, this::askStrangers);
    }

    private Strangers askStrangers(PodInfo pod) {
        Strangers all = Strangers.NEVER_OBJECT;
        for (Plugin plugin : strangers) {
            Optional<FilterDryRun> run = filters.dryRun(plugin, pod);
            if (run.isEmpty() || !run.get().isAlike()) {
                return Strangers.MAY_DO_ANYTHING;
            }
            if (!run.get().equals(FilterDryRun.PASSES)) {
                all = Strangers.JUDGE_THE_LIKE_ALIKE;
            }
        }
        return all;
    }

    private boolean isStrange(String plugin) {
        return strangers.stream().anyMatch(stranger -> stranger.name().equals(plugin));
    }

    /** Whether the plugin of this name filters. */
    public boolean askPlugin(String name) {
        return plugins.contains(name);
    }

    /** Whether NodeResourcesFit lets pods take no more of a resource than the node offers. */
    public boolean limit(String resource) {
        return plugins.contains(RESOURCES)
                && !ignored.test(resource)
                && cluster.extendedResources().classOf(resource).isEmpty();
    }

    /** Whether pods without constraints of their own may be turned away by the profile's default ones. */
    public boolean spreadByDefault() {
        return byDefault;
    }

    /**
     * Whether all that they say of the pod on a node follows from its shape, that node and the pods there, and more of these
     * never help: so it does not matter to it in which order pods come, nor what goes on elsewhere.
     */
    public boolean lookAtTheNodeAlone(PodInfo pod) {
        return areUnderstood(pod)
                && !leaveRoomBeside(pod)
                && filters.dryRuns(pod)
                        .filter(runs -> runs.runs().stream().allMatch(FilterDryRun::isLocal))
                        .isPresent();
    }

    /** Whether the pod leaves room for others that are nominated to nodes. */
    public boolean leaveRoomBeside(PodInfo pod) {
        return !nominations.awaited(pod).isEmpty();
    }

    private static Predicate<String> ignored(NodeResourcesFitArgs args) {
        return resource -> args.ignoredResources().contains(resource)
                || args.ignoredResourceGroups().stream().anyMatch(group -> resource.startsWith(group + "/"));
    }

    /** Asks about a pod; the answers hold until the next is asked about, or the cluster changes. */
    public void ask(PodInfo pod) {
        askAmong(cluster.nodes().present(), pod);
    }

    /** Asks about some of the nodes: on all others the pod neither fits nor may. */
    public void askAmong(NodeSetView nodes, PodInfo pod) {
        asked = nodes;
        isStrange = !areUnderstood(pod);
        fitting.copyFrom(filters.runAmong(nodes, new CycleState(), pod));
        mayFit.copyFrom(fitting);
        if (filters.isLimitedBy(this::isStrange)) {
            mayFit.copyFrom(nodes);
        } else {
            filters.addTurnedAway(mayFit, (plugin, status) -> switch (plugin) {
                case SPREAD -> status.code() == Code.UNSCHEDULABLE;
                case AFFINITY -> status.code() == Code.UNSCHEDULABLE_AND_UNRESOLVABLE;
                default -> isStrange(plugin);
            });
            mayFit.retainAll(nodes);
        }
        nominations.removeCrowded(fitting, pod);
    }

    /** The node of these that the pod would get by itself, the first by name of several; negative where it fits on none. */
    public int choose(NodeSetView nodes, PodInfo pod) {
        CycleState state = new CycleState();
        NodeSet feasible = filters.runAmong(nodes, state, pod);
        nominations.removeCrowded(feasible, pod);
        if (feasible.isEmpty()) {
            return -1;
        }
        profile.scores().run(state, pod, feasible);
        return choice.choose(profile.scores().best(feasible), cluster.nodes());
    }

    /** Where the pod fits. */
    public NodeSetView fitting() {
        return fitting;
    }

    /** Where it fits, and where it may fit once more pods are in place: nowhere else as long as pods only come. */
    public NodeSetView mayFit() {
        return mayFit;
    }

    /** Where it may fit once others have gone, and more have come: nowhere else, whichever go or come. */
    public NodeSetView mayFitWithoutOthers() {
        if (isStrange || filters.isTurnedAwayAsAWhole()) {
            return asked;
        }
        NodeSet nodes = mayFit.copy();
        filters.addTurnedAway(nodes, (_, status) -> status.code() != Code.UNSCHEDULABLE_AND_UNRESOLVABLE);
        nodes.retainAll(asked);
        return nodes;
    }

    /** Why the pod fits on none of the nodes, as of the last question. */
    public String message() {
        Diagnosis all = filters.diagnosis();
        NodeSet excluded = all.excluded().copy();
        excluded.retainAll(asked);
        return new Diagnosis(
                        asked.size(),
                        all.preFilter(),
                        all.rejections(),
                        all.alsoInTheWay(),
                        excluded,
                        all.narrowedBy(),
                        all.postFilterMessage())
                .message();
    }

    /** The plugins that have something against the pod on this node, each of them asked; the empty name for what PreFilter left out. */
    public List<String> objectors(PodInfo pod, int node) {
        return filters.objections(new CycleState(), pod).apply(node).stream()
                .map(Objection::plugin)
                .toList();
    }

    /** Whether the pod fits on this node; costs no look at others. */
    public boolean fitsOn(PodInfo pod, int node) {
        return filters.objectionOn(node, new CycleState(), pod).isEmpty()
                && nominations.objection(pod, node).isEmpty();
    }
}
