package io.evenkeel.config.file;

import io.evenkeel.config.ArgsKind;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.CoschedulingArgs;
import io.evenkeel.config.PluginArgs.DefaultPreemptionArgs;
import io.evenkeel.config.PluginArgs.DynamicResourcesArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs.Scope;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.config.PluginArgs.OpaqueArgs;
import io.evenkeel.config.PluginArgs.VolumeBindingArgs;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PreferredSchedulingTerm;
import io.evenkeel.model.value.NamedConstant;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The arguments that a profile gives to its plugins. */
final class PluginConfigBinder {
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
                    return ArgsBinder.bind(kind, args);
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

    /** Arguments of the built-in kinds. */
    private static final class ArgsBinder {
        private ArgsBinder() {}

        static PluginArgs bind(ArgsKind kind, MappingFields args) {
            return switch (kind) {
                case COSCHEDULING -> CoschedulingBinder.args(args);
                case DEFAULT_PREEMPTION -> SimpleArgs.preemption(args);
                case DYNAMIC_RESOURCES -> SimpleArgs.dynamicResources(args);
                case GROUP_PLACEMENT -> GroupPlacementBinder.args(args);
                case INTER_POD_AFFINITY -> SimpleArgs.podAffinity(args);
                case NODE_AFFINITY -> NodeAffinityBinder.args(args);
                case NODE_RESOURCES_BALANCED_ALLOCATION -> NodeResourcesBinder.balancedAllocation(args);
                case NODE_RESOURCES_FIT -> NodeResourcesBinder.fit(args);
                case POD_TOPOLOGY_SPREAD -> TopologySpreadBinder.args(args);
                case VOLUME_BINDING -> SimpleArgs.volumeBinding(args);
            };
        }
    }

    /** Arguments of Coscheduling. */
    private static final class CoschedulingBinder {
        private CoschedulingBinder() {}

        static CoschedulingArgs args(MappingFields fields) {
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
    }

    /** Arguments of GroupPlacement. */
    private static final class GroupPlacementBinder {
        private GroupPlacementBinder() {}

        static GroupPlacementArgs args(MappingFields fields) {
            Scope scope =
                    fields.oneOf("scope", NamedConstant.byName(Scope.class)).orElse(Scope.OWNER);
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
    }

    /** Arguments of NodeAffinity. */
    private static final class NodeAffinityBinder {
        private NodeAffinityBinder() {}

        static NodeAffinityArgs args(MappingFields fields) {
            return new NodeAffinityArgs(fields.mapping("addedAffinity", NodeAffinityBinder::affinity));
        }

        private static NodeAffinity affinity(MappingFields fields) {
            Optional<NodeSelector> required =
                    fields.mapping("requiredDuringSchedulingIgnoredDuringExecution", NodeAffinityBinder::selector);
            return new NodeAffinity(
                    required,
                    fields.mappings("preferredDuringSchedulingIgnoredDuringExecution", NodeAffinityBinder::preferred));
        }

        private static NodeSelector selector(MappingFields fields) {
            if (!fields.has("nodeSelectorTerms")) {
                fields.error("nodeSelectorTerms", "is required");
            }
            return new NodeSelector(fields.mappings("nodeSelectorTerms", NodeAffinityBinder::term));
        }

        private static PreferredSchedulingTerm preferred(MappingFields fields) {
            return new PreferredSchedulingTerm(
                    fields.int32("weight", 0, Range.INT32),
                    fields.mapping("preference", NodeAffinityBinder::term)
                            .orElse(new NodeSelectorTerm(List.of(), List.of())));
        }

        private static NodeSelectorTerm term(MappingFields fields) {
            return new NodeSelectorTerm(
                    fields.mappings("matchExpressions", NodeRequirementBinder::onLabels),
                    fields.mappings("matchFields", NodeRequirementBinder::onFields));
        }
    }

    /** The kinds of arguments that are a few numbers. */
    private static final class SimpleArgs {
        private static final Duration SHORTEST_BINDING = Duration.ofSeconds(1);

        private SimpleArgs() {}

        static DefaultPreemptionArgs preemption(MappingFields fields) {
            DefaultPreemptionArgs defaults = DefaultPreemptionArgs.defaults();
            DefaultPreemptionArgs args = new DefaultPreemptionArgs(
                    fields.int32("minCandidateNodesPercentage", defaults.minCandidateNodesPercentage(), Range.PERCENT),
                    fields.int32(
                            "minCandidateNodesAbsolute", defaults.minCandidateNodesAbsolute(), Range.int32From(0)));
            if (args.minCandidateNodesPercentage() == 0 && args.minCandidateNodesAbsolute() == 0) {
                fields.error("minCandidateNodesPercentage", "must not be 0 together with minCandidateNodesAbsolute");
            }
            return args;
        }

        static InterPodAffinityArgs podAffinity(MappingFields fields) {
            InterPodAffinityArgs defaults = InterPodAffinityArgs.defaults();
            return new InterPodAffinityArgs(
                    fields.int32("hardPodAffinityWeight", defaults.hardPodAffinityWeight(), Range.PERCENT),
                    fields.bool("ignorePreferredTermsOfExistingPods", defaults.ignorePreferredTermsOfExistingPods()),
                    fields.bool("exactNamespaceSelectors", defaults.exactNamespaceSelectors()));
        }

        static VolumeBindingArgs volumeBinding(MappingFields fields) {
            return new VolumeBindingArgs(
                    fields.int64(
                            "bindTimeoutSeconds",
                            VolumeBindingArgs.defaults().bindTimeoutSeconds(),
                            Range.int64From(0)),
                    fields.has("shape") ? Optional.of(ShapeBinder.points(fields)) : Optional.empty());
        }

        static DynamicResourcesArgs dynamicResources(MappingFields fields) {
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
                fields.error(
                        name, "must be at least " + GoDuration.format(least) + ", got " + GoDuration.format(duration));
            }
        }
    }
}
