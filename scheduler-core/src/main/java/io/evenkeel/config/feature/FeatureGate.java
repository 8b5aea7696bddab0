package io.evenkeel.config.feature;

import java.util.Set;

/**
 * A gate that kube-scheduler 1.36 knows.
 *
 * @param locked whether it can only be set to its default
 * @param requires gates without which it must not be on
 * @param why the reason why only the default is taken, where the effect is {@link Effect#DEFAULT_ONLY}
 */
public record FeatureGate(
        String name,
        Stage stage,
        boolean onByDefault,
        boolean locked,
        Set<String> requires,
        Effect effect,
        String why) {

    /** Maturity, as Kubernetes names it. */
    public enum Stage {
        ALPHA,
        BETA,
        GA,
        DEPRECATED
    }

    /** Support for the gate in Evenkeel. */
    public enum Effect {
        /** It is a {@link Feature}. */
        HONOURED,
        /** Scheduling depends on it, and Evenkeel supports only the default. */
        DEFAULT_ONLY,
        /** Nothing that Evenkeel does depends on it; most gates are other components'. */
        NONE
    }

    public FeatureGate {
        requires = Set.copyOf(requires);
    }
}
