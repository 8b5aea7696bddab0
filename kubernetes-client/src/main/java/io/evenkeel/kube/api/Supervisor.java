package io.evenkeel.kube.api;

/** Is told of threads that have ended by what nobody expected, by these threads. */
@FunctionalInterface
public interface Supervisor {
    void died(String thread, Throwable why);
}
