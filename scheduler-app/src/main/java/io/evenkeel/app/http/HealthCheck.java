package io.evenkeel.app.http;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One thing that must be in order.
 *
 * @param trouble what is wrong, nothing while all is well; asked by any thread, and must answer at once
 */
public record HealthCheck(String name, Supplier<Optional<String>> trouble) {
    /** Passes whenever the server answers at all. */
    static final HealthCheck PING = new HealthCheck("ping", Optional::empty);

    /** An observer of health checks, told of each one whenever all of a path are run; called by several threads at once. */
    @FunctionalInterface
    public interface HealthObserver {
        HealthObserver NONE = (check, path, healthy) -> {};

        /**
         * A check has passed or failed.
         *
         * @param path which of the checks' paths was asked for, such as {@code /livez}
         */
        void checked(String check, String path, boolean healthy);
    }
}
