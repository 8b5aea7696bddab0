package io.evenkeel.config.file;

import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.ArgsKind;
import io.evenkeel.config.PluginArgs.CoschedulingArgs;
import io.evenkeel.config.PluginArgs.DefaultPreemptionArgs;
import io.evenkeel.config.PluginArgs.DynamicResourcesArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs.Scope;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.OpaqueArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs.DefaultingType;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.config.PluginArgs.VolumeBindingArgs;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ProfilesBinder.PluginsBinder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** The arguments that a profile gives to its plugins. */
final class PluginConfigBinder {
    private static final Duration SHORTEST_BINDING = Duration.ofSeconds(1);
    private static final Map<String, Operator> OPERATORS = NamedConstant.byName(Operator.class);
    private static final Map<String, Operator> FIELD_OPERATORS =
            Map.of(Operator.IN.apiName(), Operator.IN, Operator.NOT_IN.apiName(), Operator.NOT_IN);

    private final Map<String, PluginArgs> args = new LinkedHashMap<>();

    private PluginConfigBinder() {}

    static Map<String, PluginArgs> bind(MappingFields profile) {
        PluginConfigBinder binder = new PluginConfigBinder();
        profile.mappings("pluginConfig", binder::entry);
        return binder.args;
    }

    private String entry(MappingFields fields) {
        String name = fields.required("name");
        PluginsBinder.refuseRemoved(name, fields);
        PluginArgs bound =
                ArgsKind.ofPlugin(name).map(kind -> known(kind, fields)).orElseGet(() -> opaque(name, fields));
        if (args.putIfAbsent(name, bound) != null) {
            fields.error("name", "\"" + name + "\" is configured twice");
        }
        return name;
    }

    private static PluginArgs known(ArgsKind kind, MappingFields fields) {
        return fields.mapping("args", args -> {
                    expect(args, "apiVersion", SchedulerConfiguration.API_VERSION);
                    expect(args, "kind", kind.kindName());
                    return args(kind, args);
                })
                .orElse(kind.defaults());
    }

    /** Arguments may say what they are; then they must be what the plugin takes. */
    private static void expect(MappingFields args, String name, String expected) {
        if (!args.string(name, expected).equals(expected)) {
            args.get(name).ifPresent(value -> value.unexpected(expected));
        }
    }

    private static PluginArgs opaque(String pluginName, MappingFields fields) {
        Optional<Map<String, Object>> tree = fields.get("args").flatMap(Cursor::tree);
        tree.map(args -> args.get("kind"))
                .flatMap(ArgsKind::ofName)
                .ifPresent(kind -> fields.error(
                        "args",
                        "of kind " + kind.kindName() + " are those of " + kind.pluginName() + ", not of "
                                + pluginName));
        return new OpaqueArgs(tree.orElse(Map.of()));
    }

    private static PluginArgs args(ArgsKind kind, MappingFields args) {
        return switch (kind) {
            case COSCHEDULING -> coscheduling(args);
            case DEFAULT_PREEMPTION -> preemption(args);
            case DYNAMIC_RESOURCES -> dynamicResources(args);
            case GROUP_PLACEMENT -> groupPlacement(args);
            case INTER_POD_AFFINITY -> podAffinity(args);
            case NODE_AFFINITY -> nodeAffinity(args);
            case NODE_RESOURCES_BALANCED_ALLOCATION -> balancedAllocation(args);
            case NODE_RESOURCES_FIT -> fit(args);
            case POD_TOPOLOGY_SPREAD -> TopologySpreadBinder.args(args);
            case VOLUME_BINDING -> volumeBinding(args);
        };
    }

    private static CoschedulingArgs coscheduling(MappingFields fields) {
        return new CoschedulingArgs(
                seconds("permitWaitingTimeSeconds", fields),
                seconds("podGroupBackoffSeconds", fields),
                fields.has("podGroupRejectPercentage")
                        ? OptionalInt.of(fields.int32("podGroupRejectPercentage", 0, Range.PERCENT))
                        : OptionalInt.empty());
    }

    private static OptionalLong seconds(String name, MappingFields fields) {
        return fields.has(name) ? OptionalLong.of(fields.int64(name, 0, Range.int64From(0))) : OptionalLong.empty();
    }

    private static GroupPlacementArgs groupPlacement(MappingFields fields) {
        Scope scope = fields.oneOf("scope", NamedConstant.byName(Scope.class)).orElse(Scope.OWNER);
        String labelKey = scope == Scope.LABEL ? fields.required("labelKey") : fields.string("labelKey", "");
        if (scope == Scope.OWNER && !labelKey.isEmpty()) {
            fields.error("labelKey", "must be absent: it is for the scope \"Label\" alone");
        } else if (!labelKey.isEmpty()) {
            NameRules.qualifiedNameProblem(labelKey).ifPresent(problem -> fields.error("labelKey", problem));
        }
        OptionalLong maxSteps = fields.has("maxSteps")
                ? OptionalLong.of(fields.int64("maxSteps", 1, Range.int64From(1)))
                : OptionalLong.empty();
        return new GroupPlacementArgs(scope, labelKey, maxSteps);
    }

    private static NodeAffinityArgs nodeAffinity(MappingFields fields) {
        return new NodeAffinityArgs(fields.mapping("addedAffinity", PluginConfigBinder::affinity));
    }

    private static NodeAffinity affinity(MappingFields fields) {
        Optional<NodeSelector> required =
                fields.mapping("requiredDuringSchedulingIgnoredDuringExecution", PluginConfigBinder::selector);
        return new NodeAffinity(
                required,
                fields.mappings("preferredDuringSchedulingIgnoredDuringExecution", PluginConfigBinder::preferred));
    }

    private static NodeSelector selector(MappingFields fields) {
        if (!fields.has("nodeSelectorTerms")) {
            fields.error("nodeSelectorTerms", "is required");
        }
        return new NodeSelector(fields.mappings("nodeSelectorTerms", PluginConfigBinder::term));
    }

    private static PreferredSchedulingTerm preferred(MappingFields fields) {
        return new PreferredSchedulingTerm(
                fields.int32("weight", 0, Range.INT32),
                fields.mapping("preference", PluginConfigBinder::term)
                        .orElse(new NodeSelectorTerm(List.of(), List.of())));
    }

    private static NodeSelectorTerm term(MappingFields fields) {
        return new NodeSelectorTerm(
                fields.mappings("matchExpressions", PluginConfigBinder::onLabels),
                fields.mappings("matchFields", PluginConfigBinder::onFields));
    }

    private static DefaultPreemptionArgs preemption(MappingFields fields) {
        DefaultPreemptionArgs defaults = DefaultPreemptionArgs.defaults();
        DefaultPreemptionArgs args = new DefaultPreemptionArgs(
                fields.int32("minCandidateNodesPercentage", defaults.minCandidateNodesPercentage(), Range.PERCENT),
                fields.int32("minCandidateNodesAbsolute", defaults.minCandidateNodesAbsolute(), Range.int32From(0)));
        if (args.minCandidateNodesPercentage() == 0 && args.minCandidateNodesAbsolute() == 0) {
            fields.error("minCandidateNodesPercentage", "must not be 0 together with minCandidateNodesAbsolute");
        }
        return args;
    }

    private static InterPodAffinityArgs podAffinity(MappingFields fields) {
        InterPodAffinityArgs defaults = InterPodAffinityArgs.defaults();
        return new InterPodAffinityArgs(
                fields.int32("hardPodAffinityWeight", defaults.hardPodAffinityWeight(), Range.PERCENT),
                fields.bool("ignorePreferredTermsOfExistingPods", defaults.ignorePreferredTermsOfExistingPods()),
                fields.bool("exactNamespaceSelectors", defaults.exactNamespaceSelectors()));
    }

    private static VolumeBindingArgs volumeBinding(MappingFields fields) {
        return new VolumeBindingArgs(
                fields.int64(
                        "bindTimeoutSeconds", VolumeBindingArgs.defaults().bindTimeoutSeconds(), Range.int64From(0)),
                fields.has("shape") ? Optional.of(ShapeBinder.points(fields)) : Optional.empty());
    }

    private static DynamicResourcesArgs dynamicResources(MappingFields fields) {
        DynamicResourcesArgs defaults = DynamicResourcesArgs.defaults();
        DynamicResourcesArgs args = new DynamicResourcesArgs(
                fields.duration("filterTimeout", defaults.filterTimeout()),
                fields.duration("bindingTimeout", defaults.bindingTimeout()));
        requireAtLeast(Duration.ZERO, args.filterTimeout(), fields, "filterTimeout");
        requireAtLeast(SHORTEST_BINDING, args.bindingTimeout(), fields, "bindingTimeout");
        return args;
    }

    private static void requireAtLeast(Duration least, Duration duration, MappingFields fields, String name) {
        if (duration.compareTo(least) < 0) {
            fields.error(name, "must be at least " + GoDuration.format(least) + ", got " + GoDuration.format(duration));
        }
    }

    private static NodeResourcesFitArgs fit(MappingFields fields) {
        return new NodeResourcesFitArgs(
                fields.list("ignoredResources", PluginConfigBinder::resourceName),
                fields.list("ignoredResourceGroups", PluginConfigBinder::group),
                fields.mapping("scoringStrategy", PluginConfigBinder::strategy).orElse(ScoringStrategy.defaults()));
    }

    private static NodeResourcesBalancedAllocationArgs balancedAllocation(MappingFields fields) {
        Set<String> seen = new HashSet<>();
        List<ResourceWeight> resources = fields.mappings("resources", entry -> {
            ResourceWeight resource = weighted(entry, Range.INT32);
            if (resource.weight() != 1) {
                entry.error("weight", "must be 1, got " + resource.weight());
            }
            if (!seen.add(resource.name())) {
                entry.error("name", "\"" + resource.name() + "\" is listed twice");
            }
            return resource;
        });
        return resources.isEmpty()
                ? NodeResourcesBalancedAllocationArgs.defaults()
                : new NodeResourcesBalancedAllocationArgs(resources);
    }

    private static Optional<String> resourceName(Cursor cursor) {
        Optional<String> name = cursor.string();
        name.flatMap(NameRules::qualifiedNameProblem).ifPresent(cursor::error);
        return name;
    }

    private static Optional<String> group(Cursor cursor) {
        Optional<String> name = cursor.string();
        if (name.isPresent() && name.get().contains("/")) {
            cursor.error("a resource group is what stands before the slash, got \"" + name.get() + '"');
            return name;
        }
        name.flatMap(NameRules::qualifiedNameProblem).ifPresent(cursor::error);
        return name;
    }

    /** A strategy that is given must name its type; resources and their weights have defaults. */
    private static ScoringStrategy strategy(MappingFields fields) {
        if (!fields.has("type")) {
            fields.error("type", "is required: one of LeastAllocated, MostAllocated, RequestedToCapacityRatio");
        }
        Optional<ScoringStrategy.Type> type = fields.oneOf("type", NamedConstant.byName(ScoringStrategy.Type.class));
        List<ResourceWeight> resources = fields.mappings("resources", entry -> weighted(entry, new Range(0, 100)));
        boolean shaped = type.stream().anyMatch(ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO::equals);
        Optional<List<ShapePoint>> shape = fields.mapping("requestedToCapacityRatio", ShapeBinder::bind);
        if (shaped && !fields.has("requestedToCapacityRatio")) {
            fields.error("requestedToCapacityRatio", "is required by the type RequestedToCapacityRatio");
        }
        if (!shaped && type.isPresent() && fields.has("requestedToCapacityRatio")) {
            fields.error("requestedToCapacityRatio", "belongs to the type RequestedToCapacityRatio only");
        }
        return new ScoringStrategy(
                type.orElse(ScoringStrategy.Type.LEAST_ALLOCATED),
                resources.isEmpty() ? ScoringStrategy.defaults().resources() : resources,
                shape.orElse(List.of()));
    }

    /** A weight of 0 counts as absent, which is 1. */
    private static ResourceWeight weighted(MappingFields fields, Range range) {
        int weight = fields.int32("weight", 1, range);
        return new ResourceWeight(fields.required("name"), weight == 0 ? 1 : weight);
    }

    private static NodeSelectorRequirement onLabels(MappingFields fields) {
        String key = fields.required("key");
        if (!key.isEmpty()) {
            NameRules.qualifiedNameProblem(key).ifPresent(problem -> fields.error("key", problem));
        }
        Optional<Operator> operator = operator(fields, OPERATORS);
        List<String> values = values(fields);
        for (String value : values) {
            NameRules.labelValueProblem(value).ifPresent(problem -> fields.error("values", problem));
        }
        if (operator.isPresent() && allRead(values, fields)) {
            checkValues(operator.get(), values, fields);
        }
        return new NodeSelectorRequirement(key, operator.orElse(Operator.IN), values);
    }

    private static NodeSelectorRequirement onFields(MappingFields fields) {
        Optional<Operator> operator = operator(fields, FIELD_OPERATORS);
        List<String> values = values(fields);
        if (operator.isPresent() && allRead(values, fields)) {
            requireOfValues(values.size() == 1, "must have exactly one element in matchFields", fields);
        }
        return new NodeSelectorRequirement(fields.required("key"), operator.orElse(Operator.IN), values);
    }

    private static Optional<Operator> operator(MappingFields fields, Map<String, Operator> operators) {
        if (!fields.has("operator")) {
            fields.error("operator", "is required");
        }
        return fields.oneOf("operator", operators);
    }

    private static List<String> values(MappingFields fields) {
        return fields.list("values", Cursor::string);
    }

    private static boolean allRead(List<String> values, MappingFields fields) {
        return values.size() == fields.size("values");
    }

    private static void checkValues(Operator operator, List<String> values, MappingFields fields) {
        switch (operator) {
            case IN, NOT_IN -> requireOfValues(!values.isEmpty(), "must not be empty with In and NotIn", fields);
            case EXISTS, DOES_NOT_EXIST ->
                requireOfValues(values.isEmpty(), "must be empty with Exists and DoesNotExist", fields);
            case GT, LT ->
                requireOfValues(
                        values.size() == 1 && isInteger(values.getFirst()),
                        "must be one integer with Gt and Lt, in quotes",
                        fields);
        }
    }

    private static void requireOfValues(boolean holds, String message, MappingFields fields) {
        if (!holds) {
            fields.error("values", message);
        }
    }

    private static boolean isInteger(String value) {
        try {
            Long.parseLong(value);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** The corners of a scoring function; utilization must rise from one to the next. */
    static final class ShapeBinder {
        private static final Range SCORES = new Range(0, 10);

        private final List<ShapePoint> before = new ArrayList<>();

        private ShapeBinder() {}

        static List<ShapePoint> bind(MappingFields fields) {
            List<ShapePoint> shape = points(fields);
            if (shape.isEmpty()) {
                fields.error("shape", "must have at least one point");
            }
            return shape;
        }

        /** The same, or none. */
        static List<ShapePoint> points(MappingFields fields) {
            return fields.mappings("shape", new ShapeBinder()::point);
        }

        private ShapePoint point(MappingFields fields) {
            ShapePoint point =
                    new ShapePoint(fields.int32("utilization", 0, Range.PERCENT), fields.int32("score", 0, SCORES));
            if (!before.isEmpty() && before.getLast().utilization() >= point.utilization()) {
                fields.error(
                        "utilization",
                        "must be greater than that of the point before, which is "
                                + before.getLast().utilization() + ", got " + point.utilization());
            }
            before.add(point);
            return point;
        }
    }

    static final class TopologySpreadBinder {
        private record Identity(String topologyKey, WhenUnsatisfiable action) {}

        private final Set<Identity> seen = new HashSet<>();

        private TopologySpreadBinder() {}

        static PodTopologySpreadArgs args(MappingFields fields) {
            DefaultingType type = fields.oneOf("defaultingType", NamedConstant.byName(DefaultingType.class))
                    .orElse(DefaultingType.SYSTEM);
            List<TopologySpreadConstraint> constraints =
                    fields.mappings("defaultConstraints", new TopologySpreadBinder()::constraint);
            if (type == DefaultingType.SYSTEM && !constraints.isEmpty()) {
                fields.error("defaultingType", "must be \"List\" for defaultConstraints to count");
            }
            return new PodTopologySpreadArgs(type, constraints);
        }

        private TopologySpreadConstraint constraint(MappingFields fields) {
            if (!fields.has("maxSkew")) {
                fields.error("maxSkew", "is required and must be at least 1");
            }
            String topologyKey = fields.required("topologyKey");
            if (!topologyKey.isEmpty()) {
                NameRules.qualifiedNameProblem(topologyKey).ifPresent(problem -> fields.error("topologyKey", problem));
            }
            if (fields.has("labelSelector")) {
                fields.error("labelSelector", "must be absent: the selector is deduced for each pod");
            }
            return new TopologySpreadConstraint(
                    fields.int32("maxSkew", 1, Range.int32From(1)),
                    topologyKey,
                    action(fields, topologyKey),
                    LabelSelector.NOTHING,
                    fields.int32("minDomains", 1, Range.int32From(1)),
                    fields.oneOf("nodeAffinityPolicy", NamedConstant.byName(NodeInclusionPolicy.class))
                            .orElse(NodeInclusionPolicy.HONOR),
                    fields.oneOf("nodeTaintsPolicy", NamedConstant.byName(NodeInclusionPolicy.class))
                            .orElse(NodeInclusionPolicy.IGNORE),
                    fields.list("matchLabelKeys", Cursor::string));
        }

        private WhenUnsatisfiable action(MappingFields fields, String topologyKey) {
            if (!fields.has("whenUnsatisfiable")) {
                fields.error("whenUnsatisfiable", "is required: one of DoNotSchedule, ScheduleAnyway");
            }
            Optional<WhenUnsatisfiable> action =
                    fields.oneOf("whenUnsatisfiable", NamedConstant.byName(WhenUnsatisfiable.class));
            if (action.isPresent() && !seen.add(new Identity(topologyKey, action.get()))) {
                fields.error("topologyKey and whenUnsatisfiable are those of an earlier constraint");
            }
            return action.orElse(WhenUnsatisfiable.DO_NOT_SCHEDULE);
        }
    }
}
