package io.evenkeel.app.http;

/** Hears what health checks have found whenever somebody asked for all of them; told by several threads at once. */
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
