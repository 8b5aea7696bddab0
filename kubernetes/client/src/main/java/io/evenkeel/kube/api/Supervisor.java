package io.evenkeel.kube.api;

/** Is told of threads that have ended by what nobody expected, by these threads. */
@FunctionalInterface
public interface Supervisor {
    void died(String thread, Throwable why);

    /** The work, whose end by what nobody expected is told here, and to nobody else. */
    default Runnable watching(String thread, Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable unexpected) {
                died(thread, unexpected);
            }
        };
    }
}
