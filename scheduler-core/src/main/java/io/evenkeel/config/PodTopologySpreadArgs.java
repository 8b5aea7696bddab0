package io.evenkeel.config;

import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;

/**
 * The constraints of pods that have none of their own.
 *
 * @param defaultConstraints used with LIST; their selectors are deduced pod by pod and are NOTHING here
 */
public record PodTopologySpreadArgs(DefaultingType defaultingType, List<TopologySpreadConstraint> defaultConstraints)
        implements PluginArgs {

    /** The source of default constraints: built into kube-scheduler, or the list. */
    public enum DefaultingType implements NamedConstant {
        SYSTEM("System"),
        LIST("List");

        private final String apiName;

        DefaultingType(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    public PodTopologySpreadArgs {
        defaultConstraints = List.copyOf(defaultConstraints);
    }

    public static PodTopologySpreadArgs defaults() {
        return new PodTopologySpreadArgs(DefaultingType.SYSTEM, List.of());
    }
}
