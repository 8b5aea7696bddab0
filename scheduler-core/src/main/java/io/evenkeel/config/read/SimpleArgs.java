package io.evenkeel.config.read;

import io.evenkeel.config.args.DefaultPreemptionArgs;
import io.evenkeel.config.args.DynamicResourcesArgs;
import io.evenkeel.config.args.InterPodAffinityArgs;
import io.evenkeel.config.args.VolumeBindingArgs;
import io.evenkeel.config.yaml.GoDuration;
import io.evenkeel.config.yaml.MappingFields;
import io.evenkeel.config.yaml.Range;
import java.time.Duration;
import java.util.Optional;

/** The kinds of arguments that are a few numbers. */
final class SimpleArgs {
    private static final Duration SHORTEST_BINDING = Duration.ofSeconds(1);

    private SimpleArgs() {}

    static DefaultPreemptionArgs preemption(MappingFields fields) {
        DefaultPreemptionArgs defaults = DefaultPreemptionArgs.defaults();
        DefaultPreemptionArgs args = new DefaultPreemptionArgs(
                fields.int32("minCandidateNodesPercentage", defaults.minCandidateNodesPercentage(), Range.PERCENT),
                fields.int32("minCandidateNodesAbsolute", defaults.minCandidateNodesAbsolute(), Range.int32From(0)));
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
                        "bindTimeoutSeconds", VolumeBindingArgs.defaults().bindTimeoutSeconds(), Range.int64From(0)),
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
            fields.error(name, "must be at least " + GoDuration.format(least) + ", got " + GoDuration.format(duration));
        }
    }
}
