package io.evenkeel.config;

import java.util.Arrays;
import java.util.Optional;

/** A minor release of Kubernetes whose kube-scheduler's answers are given. How one differs from the one before is a {@link Difference}. */
public enum CompatibilityLevel {
    V1_36,
    V1_37,
    V1_38;

    /** The level of scenarios and records that name none. */
    public static final CompatibilityLevel FIRST = V1_36;

    /** The newest with all that is known of it; where nobody names a level, none that is newer is taken. */
    public static final CompatibilityLevel PROVED = V1_37;

    /** All of them, as a message says what may be given. */
    public static final String CHOICE = "1.36, 1.37 or 1.38";

    /** The level of a minor release such as {@code 1.37}. */
    public static Optional<CompatibilityLevel> of(String minor) {
        return Arrays.stream(values())
                .filter(level -> level.toString().equals(minor))
                .findFirst();
    }

    /** Such as {@code 1} of 1.37. */
    public String major() {
        return name().substring(1, name().indexOf('_'));
    }

    /** Such as {@code 37} of 1.37. */
    public String minor() {
        return name().substring(name().indexOf('_') + 1);
    }

    /** Such as {@code 1.37}. */
    @Override
    public String toString() {
        return major() + "." + minor();
    }
}
