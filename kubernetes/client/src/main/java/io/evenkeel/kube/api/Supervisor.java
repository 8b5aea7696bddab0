package io.evenkeel.kube.api;

/** Is told of threads that have ended by a fault that no code expects, by these threads. */
@FunctionalInterface
public interface Supervisor {
    void died(String thread, Throwable why);

    /** Wraps the work: an end by an unexpected fault is told here only. */
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
