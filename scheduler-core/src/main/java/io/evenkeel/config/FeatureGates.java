package io.evenkeel.config;

import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate.Effect;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate.Stage;
import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.problem.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What decisions depend on besides the configuration file: the level, and the gates that are on, which are its defaults and the
 * settings of the user. A look-up is one array access.
 */
public final class FeatureGates {
    public static final FeatureGates DEFAULTS = new FeatureGates(CompatibilityLevel.FIRST, Map.of());

    private final CompatibilityLevel level;
    private final KnownGates known;
    private final SortedMap<String, Boolean> set;
    private final Set<Feature> on = EnumSet.noneOf(Feature.class);

    private FeatureGates(CompatibilityLevel level, Map<String, Boolean> set) {
        this.level = level;
        this.set = new TreeMap<>(set);
        known = KnownGates.of(level);
        for (Feature feature : Feature.values()) {
            if (isOn(feature.apiName())) {
                on.add(feature);
            }
        }
    }

    /**
     * The defaults of the first level with these settings over them.
     *
     * @throws ConfigurationException if some are unknown, or can or may not be set so
     */
    public static FeatureGates with(Map<String, Boolean> set) {
        return with(CompatibilityLevel.FIRST, set);
    }

    /**
     * The defaults of a level with these settings over them.
     *
     * @throws ConfigurationException if some are unknown there, or can or may not be set so
     */
    public static FeatureGates with(CompatibilityLevel level, Map<String, Boolean> set) {
        FeatureGates gates = new FeatureGates(level, set);
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
        return with(level, all);
    }

    /**
     * These settings over the defaults of another level.
     *
     * @throws ConfigurationException as {@link #with}
     */
    public FeatureGates at(CompatibilityLevel other) {
        return other == level ? this : with(other, set);
    }

    public CompatibilityLevel level() {
        return level;
    }

    /** The gates of the level. */
    public KnownGates known() {
        return known;
    }

    /** Whether the level has what makes this difference to the one before. */
    public boolean has(Difference difference) {
        return level.compareTo(difference.since()) >= 0;
    }

    public boolean isOn(Feature feature) {
        return on.contains(feature);
    }

    /** Whether the level has this gate, and it is on. */
    public boolean isOn(String gate) {
        return known.find(gate).filter(this::isOn).isPresent();
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
        return known.all().stream()
                .filter(gate -> gate.effect() == Effect.NONE)
                .filter(gate -> set.getOrDefault(gate.name(), gate.onByDefault()) != gate.onByDefault())
                .map(FeatureGate::name)
                .filter(name -> !name.equals(KnownGates.ALL_ALPHA) && !name.equals(KnownGates.ALL_BETA))
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeatureGates gates && level == gates.level && set.equals(gates.set);
    }

    @Override
    public int hashCode() {
        return Objects.hash(level, set);
    }

    @Override
    public String toString() {
        return level + " " + set;
    }

    /** Checks settings of gates. An error that kube-scheduler has too has kube-scheduler's text. */
    private static final class FeatureGatesCheck {
        private final FeatureGates gates;
        private final List<String> errors = new ArrayList<>();

        FeatureGatesCheck(FeatureGates gates) {
            this.gates = gates;
        }

        List<String> errors() {
            gates.set().forEach(this::checkSetting);
            if (errors.isEmpty()) {
                gates.known.all().forEach(this::checkRequired);
            }
            if (errors.isEmpty()) {
                checkEffects();
            }
            return List.copyOf(errors);
        }

        private void checkSetting(String name, boolean value) {
            Optional<FeatureGate> gate = gates.known.find(name);
            if (gate.isEmpty()) {
                errors.add("unrecognized feature gate: " + name + NearestName.hint(name, gates.known.names()));
            } else if (gate.get().locked() && gate.get().onByDefault() != value) {
                errors.add("cannot set feature gate " + name + " to " + value + ", feature is locked to " + !value);
            }
        }

        private void checkRequired(FeatureGate gate) {
            List<String> off = gate.requires().stream()
                    .filter(name -> !gates.isOn(name))
                    .sorted()
                    .toList();
            if (gates.isOn(gate) && !off.isEmpty()) {
                errors.add(gate.name() + " is enabled, but depends on features that are disabled: " + off);
            }
        }

        private void checkEffects() {
            List<FeatureGate> unsupported = gates.known.all().stream()
                    .filter(gate -> gate.effect() == Effect.DEFAULT_ONLY && gates.isOn(gate) != gate.onByDefault())
                    .toList();
            for (FeatureGate gate : unsupported) {
                if (gates.set().containsKey(gate.name())) {
                    errors.add(gate.name() + "=" + gates.isOn(gate) + " is not supported: " + gate.why());
                }
            }
            if (errors.isEmpty() && !unsupported.isEmpty()) {
                errors.add(settings(wholeStages()) + " stands for gates that are not supported; add "
                        + settings(withThoseThatRequire(unsupported)));
            }
        }

        private Map<String, Boolean> wholeStages() {
            Map<String, Boolean> stages = new TreeMap<>(gates.set());
            stages.keySet().retainAll(Set.of(KnownGates.ALL_ALPHA, KnownGates.ALL_BETA));
            return stages;
        }

        /** Settings under which all of these have their default and no gate that is on requires one that is off. */
        private Map<String, Boolean> withThoseThatRequire(List<FeatureGate> unsupported) {
            Map<String, Boolean> remedy = new TreeMap<>();
            unsupported.forEach(gate -> remedy.put(gate.name(), gate.onByDefault()));
            boolean grown = true;
            while (grown) {
                grown = false;
                for (FeatureGate gate : gates.known.all()) {
                    boolean misses = gate.requires().stream().anyMatch(name -> !remedy.getOrDefault(name, true));
                    grown |= gates.isOn(gate) && misses && remedy.putIfAbsent(gate.name(), false) == null;
                }
            }
            return remedy;
        }

        private static String settings(Map<String, Boolean> settings) {
            return settings.entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue())
                    .collect(Collectors.joining(","));
        }
    }

    public enum Feature implements NamedConstant {
        /** Tolerations may compare a taint's value by the operators Lt and Gt; off, such a toleration matches no taint. */
        TAINT_TOLERATION_COMPARISON_OPERATORS,
        /** Spread constraints count only pods that agree with the newcomer in {@code matchLabelKeys}. */
        MATCH_LABEL_KEYS_IN_POD_TOPOLOGY_SPREAD,
        /** Backoffs end by whole seconds, and where no pod is active the next in backoff is taken early. */
        SCHEDULER_POP_FROM_BACKOFF_Q,
        /** The status of a pod says which node it will be bound to, where its permit or its PreBind takes time. */
        NOMINATED_NODE_NAME_FOR_EXPECTATION,
        /** VolumeBinding scores nodes by the room that there is for a pod's volumes. */
        STORAGE_CAPACITY_SCORING,
        /** A CSIDriver may keep pods off nodes that do not have it. */
        VOLUME_LIMIT_SCALING,
        /** A request for devices may name alternatives. */
        DRA_PRIORITIZED_LIST,
        /** Several claims may share a device, each with some of its capacity. */
        DRA_CONSUMABLE_CAPACITY,
        /** The steps in which a device gives its capacity away may be fractions. */
        DRA_FRACTIONAL_CAPACITY_RANGE,
        /** Devices may share counters, and say one by one on which nodes they can be used. */
        DRA_PARTITIONABLE_DEVICES,
        /** Devices may have taints. */
        DRA_DEVICE_TAINTS,
        /** Administrators may taint devices. */
        DRA_DEVICE_TAINT_RULES,
        /** Devices may name conditions on which pods are bound; only where the next is on, too. */
        DRA_DEVICE_BINDING_CONDITIONS,
        /** Drivers may tell of devices in the status of claims. */
        DRA_RESOURCE_CLAIM_DEVICE_STATUS,
        /** Containers may ask for devices by an extended resource. */
        DRA_EXTENDED_RESOURCE,
        /** {@code /flagz} is served. */
        COMPONENT_FLAGZ,
        /** {@code /statusz} is served. */
        COMPONENT_STATUSZ;

        @Override
        public String apiName() {
            String name = NamedConstant.super.apiName();
            return name.startsWith("Dra") ? "DRA" + name.substring(3) : name;
        }
    }

    /** The gates of a level by name, {@link #ALL_ALPHA} and {@link #ALL_BETA} among them. */
    public static final class KnownGates {
        /** The gate that sets all alpha gates that are not set themselves. */
        public static final String ALL_ALPHA = "AllAlpha";

        /** The gate that sets all beta gates that are not set themselves. */
        public static final String ALL_BETA = "AllBeta";

        private static final String REMOVED = "REMOVED";
        private static final Map<String, Effect> EFFECTS =
                Map.of("both", Effect.HONOURED, "default", Effect.DEFAULT_ONLY, "none", Effect.NONE);
        private static final Pattern SEPARATOR = Pattern.compile(" \\| ");
        private static final Map<CompatibilityLevel, KnownGates> OF_LEVELS = read();

        private final SortedMap<String, FeatureGate> byName;

        private KnownGates(SortedMap<String, FeatureGate> byName) {
            this.byName = Collections.unmodifiableSortedMap(byName);
        }

        public static KnownGates of(CompatibilityLevel level) {
            return Objects.requireNonNull(OF_LEVELS.get(level));
        }

        public Optional<FeatureGate> find(String name) {
            return Optional.ofNullable(byName.get(name));
        }

        Set<String> names() {
            return byName.keySet();
        }

        public Collection<FeatureGate> all() {
            return byName.values();
        }

        /** A level's table has only what differs from the one before. No gate requires one that there is no longer. */
        private static Map<CompatibilityLevel, KnownGates> read() {
            Map<CompatibilityLevel, KnownGates> levels = new EnumMap<>(CompatibilityLevel.class);
            SortedMap<String, FeatureGate> gates = new TreeMap<>();
            for (CompatibilityLevel level : CompatibilityLevel.values()) {
                for (String[] cells : table("feature-gates-" + level + ".txt")) {
                    if (cells[1].equals(REMOVED)) {
                        gates.remove(cells[0]);
                        gates.replaceAll((_, gate) -> gate.withoutNeedOf(cells[0]));
                    } else {
                        gates.put(cells[0], gate(cells));
                    }
                }
                levels.put(level, new KnownGates(new TreeMap<>(gates)));
            }
            return levels;
        }

        private static List<String[]> table(String file) {
            try (InputStream table = Objects.requireNonNull(KnownGates.class.getResourceAsStream(file))) {
                return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(SEPARATOR::split)
                        .toList();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        private static FeatureGate gate(String[] cells) {
            return new FeatureGate(
                    cells[0],
                    Stage.valueOf(cells[1]),
                    cells[2].equals("true"),
                    cells[3].equals("locked"),
                    cells[4].equals("-") ? Set.of() : Set.of(cells[4].split(",", -1)),
                    Objects.requireNonNull(EFFECTS.get(cells[5])),
                    cells.length > 6 ? cells[6] : "");
        }

        /**
         * A gate that kube-scheduler of that level knows.
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

            private FeatureGate withoutNeedOf(String gate) {
                Set<String> others = new HashSet<>(requires);
                return others.remove(gate)
                        ? new FeatureGate(name, stage, onByDefault, locked, others, effect, why)
                        : this;
            }
        }
    }
}
