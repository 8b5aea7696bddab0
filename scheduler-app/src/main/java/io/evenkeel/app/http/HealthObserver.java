package io.evenkeel.app.http;

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
