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
}
