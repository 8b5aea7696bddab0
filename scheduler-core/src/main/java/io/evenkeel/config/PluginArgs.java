package io.evenkeel.config;

import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.NamedConstant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The arguments of a plugin, completed with its defaults. */
public sealed interface PluginArgs {

    /** The fields that are given and that need a gate, each with the gate's. */
    default Map<String, Feature> gatedFields() {
        return Map.of();
    }

    /** The fields that are given and that change nothing. */
    default List<String> fieldsWithoutEffect() {
        return List.of();
    }

    /**
     * Arguments of an out-of-tree plugin, as they were written: an immutable tree of Map, List, String, Boolean, Long,
     * BigInteger and Double. Fields that are null are left out.
     */
    record OpaqueArgs(Map<String, Object> fields) implements PluginArgs {
        public OpaqueArgs {
            fields = frozenMap(fields);
        }

        private static Map<String, Object> frozenMap(Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put((String) key, frozen(value)));
            return Collections.unmodifiableMap(copy);
        }

        private static Object frozen(Object value) {
            return switch (value) {
                case Map<?, ?> map -> frozenMap(map);
                case List<?> list -> list.stream().map(OpaqueArgs::frozen).toList();
                default -> value;
            };
        }
    }

    /**
     * Arguments of Coscheduling, as the out-of-tree plugin of this name takes them. None has an effect: no pod waits on a node for
     * others of its group, and groups have the backoff of their pods.
     */
    record CoschedulingArgs(
            OptionalLong permitWaitingTimeSeconds,
            OptionalLong podGroupBackoffSeconds,
            OptionalInt podGroupRejectPercentage)
            implements PluginArgs {

        public static CoschedulingArgs defaults() {
            return new CoschedulingArgs(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());
        }

        @Override
        public List<String> fieldsWithoutEffect() {
            List<String> given = new ArrayList<>();
            permitWaitingTimeSeconds.ifPresent(_ -> given.add("permitWaitingTimeSeconds"));
            podGroupBackoffSeconds.ifPresent(_ -> given.add("podGroupBackoffSeconds"));
            podGroupRejectPercentage.ifPresent(_ -> given.add("podGroupRejectPercentage"));
            return given;
        }
    }

    /**
     * How many candidates extenders are asked about, where there are as many: the greater of the two numbers. All nodes are looked
     * at in any case, of which the reference looks for so many candidates.
     */
    record DefaultPreemptionArgs(int minCandidateNodesPercentage, int minCandidateNodesAbsolute) implements PluginArgs {

        public static DefaultPreemptionArgs defaults() {
            return new DefaultPreemptionArgs(10, 100);
        }
    }

    /**
     * Arguments of DynamicResources.
     *
     * @param filterTimeout for the search for devices on one node; here a search ends after so many steps, as no clock is read
     * @param bindingTimeout for devices to become ready
     */
    record DynamicResourcesArgs(Duration filterTimeout, Duration bindingTimeout) implements PluginArgs {
        public static DynamicResourcesArgs defaults() {
            return new DynamicResourcesArgs(Duration.ofSeconds(10), Duration.ofSeconds(600));
        }

        @Override
        public List<String> fieldsWithoutEffect() {
            return filterTimeout.equals(defaults().filterTimeout()) ? List.of() : List.of("filterTimeout");
        }
    }

    /**
     * Arguments of GroupPlacement, a plugin that kube-scheduler does not have.
     *
     * @param labelKey with the scope LABEL: pods of one namespace with the same value of it are a group; else empty
     * @param maxSteps how many placements may be tried for a group; empty for as many as its size and the cluster's suggest
     */
    record GroupPlacementArgs(Scope scope, String labelKey, OptionalLong maxSteps) implements PluginArgs {

        /** The property that makes pods a group. */
        public enum Scope implements NamedConstant {
            /** One controller, such as a ReplicaSet. */
            OWNER,
            /** One value of a label. */
            LABEL
        }

        public static GroupPlacementArgs defaults() {
            return new GroupPlacementArgs(Scope.OWNER, "", OptionalLong.empty());
        }
    }

    /**
     * Arguments of InterPodAffinity.
     *
     * @param hardPodAffinityWeight score of an existing pod's required affinity to the incoming pod
     * @param ignorePreferredTermsOfExistingPods unless the incoming pod has affinity of its own
     * @param exactNamespaceSelectors a namespaceSelector of the incoming pod's terms selects the namespaces whose labels match,
     *     instead of all namespaces where no labels at all would match; kube-scheduler has no such field
     */
    record InterPodAffinityArgs(
            int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods, boolean exactNamespaceSelectors)
            implements PluginArgs {

        public static InterPodAffinityArgs defaults() {
            return new InterPodAffinityArgs(1, false, false);
        }
    }

    /**
     * Arguments of NodeAffinity.
     *
     * @param addedAffinity holds for all pods of the profile, besides their own
     */
    record NodeAffinityArgs(Optional<NodeAffinity> addedAffinity) implements PluginArgs {
        public static NodeAffinityArgs defaults() {
            return new NodeAffinityArgs(Optional.empty());
        }
    }

    /** The resources to be used in balance; every weight is 1. */
    record NodeResourcesBalancedAllocationArgs(List<ResourceWeight> resources) implements PluginArgs {
        public NodeResourcesBalancedAllocationArgs {
            resources = List.copyOf(resources);
        }

        public static NodeResourcesBalancedAllocationArgs defaults() {
            return new NodeResourcesBalancedAllocationArgs(ResourceWeight.CPU_AND_MEMORY);
        }
    }

    /**
     * Arguments of NodeResourcesFit.
     *
     * @param ignoredResources extended resources that filtering passes over
     * @param ignoredResourceGroups the same for all resources with this prefix before the slash
     */
    record NodeResourcesFitArgs(
            List<String> ignoredResources, List<String> ignoredResourceGroups, ScoringStrategy scoringStrategy)
            implements PluginArgs {

        public NodeResourcesFitArgs {
            ignoredResources = List.copyOf(ignoredResources);
            ignoredResourceGroups = List.copyOf(ignoredResourceGroups);
        }

        public static NodeResourcesFitArgs defaults() {
            return new NodeResourcesFitArgs(List.of(), List.of(), ScoringStrategy.defaults());
        }
    }

    /**
     * The constraints of pods that have none of their own.
     *
     * @param defaultConstraints used with LIST; their selectors are deduced pod by pod and are NOTHING here
     */
    record PodTopologySpreadArgs(DefaultingType defaultingType, List<TopologySpreadConstraint> defaultConstraints)
            implements PluginArgs {

        /** The source of default constraints: built into kube-scheduler, or the list. */
        public enum DefaultingType implements NamedConstant {
            SYSTEM,
            LIST
        }

        public PodTopologySpreadArgs {
            defaultConstraints = List.copyOf(defaultConstraints);
        }

        public static PodTopologySpreadArgs defaults() {
            return new PodTopologySpreadArgs(DefaultingType.SYSTEM, List.of());
        }
    }

    /**
     * The time limit for binding a pod's volumes, and how nodes are scored by the room that there is for them.
     *
     * @param shape what is given; none stands for {@link #EMPTIEST_FIRST} too
     */
    record VolumeBindingArgs(long bindTimeoutSeconds, Optional<List<ShapePoint>> shape) implements PluginArgs {
        /** The less of the room is taken the better. */
        public static final List<ShapePoint> EMPTIEST_FIRST = List.of(new ShapePoint(0, 10), new ShapePoint(100, 0));

        public VolumeBindingArgs {
            shape = shape.map(List::copyOf);
        }

        public static VolumeBindingArgs defaults() {
            return new VolumeBindingArgs(600, Optional.empty());
        }

        /** The function that nodes are scored by. */
        public UtilizationShape scores() {
            return UtilizationShape.of(shape.filter(points -> !points.isEmpty()).orElse(EMPTIEST_FIRST));
        }

        @Override
        public Map<String, Feature> gatedFields() {
            return shape.isPresent() ? Map.of("shape", Feature.STORAGE_CAPACITY_SCORING) : Map.of();
        }
    }

    /**
     * The formula from a node's resources to a score.
     *
     * @param shape for REQUESTED_TO_CAPACITY_RATIO, else empty
     */
    record ScoringStrategy(Type type, List<ResourceWeight> resources, List<ShapePoint> shape) {

        /** The nodes that are preferred. */
        public enum Type implements NamedConstant {
            LEAST_ALLOCATED,
            MOST_ALLOCATED,
            REQUESTED_TO_CAPACITY_RATIO
        }

        public ScoringStrategy {
            resources = List.copyOf(resources);
            shape = List.copyOf(shape);
        }

        public static ScoringStrategy defaults() {
            return new ScoringStrategy(Type.LEAST_ALLOCATED, ResourceWeight.CPU_AND_MEMORY, List.of());
        }
    }

    /** The weight of a resource in a score. */
    record ResourceWeight(String name, int weight) {
        static final List<ResourceWeight> CPU_AND_MEMORY =
                List.of(new ResourceWeight("cpu", 1), new ResourceWeight("memory", 1));
    }

    /** A built-in kind of plugin arguments: the plugin that takes them, and its defaults. */
    enum ArgsKind {
        COSCHEDULING("Coscheduling", CoschedulingArgs.defaults()),
        DEFAULT_PREEMPTION("DefaultPreemption", DefaultPreemptionArgs.defaults()),
        DYNAMIC_RESOURCES("DynamicResources", DynamicResourcesArgs.defaults()),
        GROUP_PLACEMENT("GroupPlacement", GroupPlacementArgs.defaults()),
        INTER_POD_AFFINITY("InterPodAffinity", InterPodAffinityArgs.defaults()),
        NODE_AFFINITY("NodeAffinity", NodeAffinityArgs.defaults()),
        NODE_RESOURCES_BALANCED_ALLOCATION(
                "NodeResourcesBalancedAllocation", NodeResourcesBalancedAllocationArgs.defaults()),
        NODE_RESOURCES_FIT("NodeResourcesFit", NodeResourcesFitArgs.defaults()),
        POD_TOPOLOGY_SPREAD("PodTopologySpread", PodTopologySpreadArgs.defaults()),
        VOLUME_BINDING("VolumeBinding", VolumeBindingArgs.defaults());

        private final String pluginName;

        @SuppressWarnings("ImmutableEnumChecker") // a record of values
        private final PluginArgs defaults;

        ArgsKind(String pluginName, PluginArgs defaults) {
            this.pluginName = pluginName;
            this.defaults = defaults;
        }

        public static Optional<ArgsKind> ofPlugin(String pluginName) {
            return Arrays.stream(values())
                    .filter(kind -> kind.pluginName.equals(pluginName))
                    .findFirst();
        }

        /** The kind that {@code args.kind} names in a configuration. */
        public static Optional<ArgsKind> ofName(Object kindName) {
            return Arrays.stream(values())
                    .filter(kind -> kind.kindName().equals(kindName))
                    .findFirst();
        }

        public String pluginName() {
            return pluginName;
        }

        public String kindName() {
            return pluginName + "Args";
        }

        public PluginArgs defaults() {
            return defaults;
        }
    }

    /**
     * A piecewise linear function from a utilization of 0 to 100 per cent to a score of 0 to 100: straight from one point
     * to the next, quotients truncated towards zero, level before the first point and after the last. Since utilization is a
     * whole number, it is kept as a table.
     */
    final class UtilizationShape {
        public static final int FULL = 100;

        /** Points are configured with scores up to 10. */
        private static final int SCALE = 10;

        private final int[] scores = new int[FULL + 1];

        private UtilizationShape(List<ShapePoint> points) {
            for (int utilization = 0; utilization <= FULL; utilization++) {
                scores[utilization] = interpolate(points, utilization);
            }
        }

        /** The shape through at least one point; points rise in utilization. */
        public static UtilizationShape of(List<ShapePoint> points) {
            return new UtilizationShape(points);
        }

        public int scoreAt(long utilization) {
            return scores[Math.clamp(utilization, 0, FULL)];
        }

        private static int interpolate(List<ShapePoint> points, int utilization) {
            ShapePoint before = points.getFirst();
            if (utilization <= before.utilization()) {
                return SCALE * before.score();
            }
            for (ShapePoint after : points) {
                if (utilization <= after.utilization()) {
                    int rise = SCALE * (after.score() - before.score());
                    return SCALE * before.score()
                            + rise
                                    * (utilization - before.utilization())
                                    / (after.utilization() - before.utilization());
                }
                before = after;
            }
            return SCALE * before.score();
        }

        /** A corner of a piecewise linear function from utilization in per cent to a score between 0 and 10. */
        public record ShapePoint(int utilization, int score) {}
    }
}
