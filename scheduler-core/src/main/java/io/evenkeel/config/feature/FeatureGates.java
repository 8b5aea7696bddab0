package io.evenkeel.config.feature;

import io.evenkeel.config.feature.FeatureGate.Effect;
import io.evenkeel.config.feature.FeatureGate.Stage;
import io.evenkeel.problem.ConfigurationException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The gates that are on: kube-scheduler 1.36's defaults and the settings of the user. A look-up is one array access. */
public final class FeatureGates {
    public static final FeatureGates DEFAULTS = new FeatureGates(Map.of());

    private final SortedMap<String, Boolean> set;
    private final Set<Feature> on = EnumSet.noneOf(Feature.class);

    private FeatureGates(Map<String, Boolean> set) {
        this.set = new TreeMap<>(set);
        for (Feature feature : Feature.values()) {
            if (isOn(KnownGates.find(feature.gate()).orElseThrow())) {
                on.add(feature);
            }
        }
    }

    /**
     * The defaults with these settings over them.
     *
     * @throws ConfigurationException if some are unknown, or can or may not be set so
     */
    public static FeatureGates with(Map<String, Boolean> set) {
        FeatureGates gates = new FeatureGates(set);
        List<String> errors = new FeatureGatesCheck(gates).errors();
        if (!errors.isEmpty()) {
            throw new ConfigurationException(errors);
        }
        return gates;
    }

    /**
     * These settings with more of them over them.
     *
     * @throws ConfigurationException as {@link #with}
     */
    public FeatureGates and(Map<String, Boolean> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, Boolean> all = new TreeMap<>(set);
        all.putAll(more);
        return with(all);
    }

    public boolean isOn(Feature feature) {
        return on.contains(feature);
    }

    public boolean isOn(FeatureGate gate) {
        Boolean own = set.get(gate.name());
        if (own != null) {
            return own;
        }
        if (gate.stage() == Stage.ALPHA) {
            return set.getOrDefault(KnownGates.ALL_ALPHA, gate.onByDefault());
        }
        return gate.stage() == Stage.BETA
                ? set.getOrDefault(KnownGates.ALL_BETA, gate.onByDefault())
                : gate.onByDefault();
    }

    /** The user's settings, by name. */
    public SortedMap<String, Boolean> set() {
        return new TreeMap<>(set);
    }

    /** Gates that were set to other than their default and have no effect here. */
    public List<String> withoutEffect() {
        return KnownGates.all().stream()
                .filter(gate -> gate.effect() == Effect.NONE)
                .filter(gate -> set.getOrDefault(gate.name(), gate.onByDefault()) != gate.onByDefault())
                .map(FeatureGate::name)
                .filter(name -> !name.equals(KnownGates.ALL_ALPHA) && !name.equals(KnownGates.ALL_BETA))
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeatureGates gates && set.equals(gates.set);
    }

    @Override
    public int hashCode() {
        return set.hashCode();
    }

    @Override
    public String toString() {
        return set.toString();
    }
}
