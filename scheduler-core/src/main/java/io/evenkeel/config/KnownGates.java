package io.evenkeel.config;

import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.KnownGates.FeatureGate.Effect;
import io.evenkeel.config.KnownGates.FeatureGate.Stage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The gates of {@code feature-gates.txt} by name, {@link #ALL_ALPHA} and {@link #ALL_BETA} among them. */
public final class KnownGates {
    /** The gate that sets all alpha gates that are not set themselves. */
    public static final String ALL_ALPHA = "AllAlpha";

    /** The gate that sets all beta gates that are not set themselves. */
    public static final String ALL_BETA = "AllBeta";

    private static final Map<String, Effect> EFFECTS =
            Map.of("both", Effect.HONOURED, "default", Effect.DEFAULT_ONLY, "none", Effect.NONE);
    private static final Pattern SEPARATOR = Pattern.compile(" \\| ");
    private static final SortedMap<String, FeatureGate> BY_NAME = Collections.unmodifiableSortedMap(read());

    private KnownGates() {}

    public static Optional<FeatureGate> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    static Set<String> names() {
        return BY_NAME.keySet();
    }

    public static Collection<FeatureGate> all() {
        return BY_NAME.values();
    }

    private static SortedMap<String, FeatureGate> read() {
        try (InputStream table = Objects.requireNonNull(KnownGates.class.getResourceAsStream("feature-gates.txt"))) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(SEPARATOR::split)
                    .map(KnownGates::gate)
                    .collect(Collectors.toMap(FeatureGate::name, gate -> gate, (one, _) -> one, TreeMap::new));
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
}
