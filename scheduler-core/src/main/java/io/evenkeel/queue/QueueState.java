package io.evenkeel.queue;

/** The state of a pod in the queue. */
public enum QueueState {
    /** Next in turn. */
    ACTIVE("active"),
    /** Was turned away, may fit now, and is tried again when its backoff ends. */
    BACKOFF("backoff"),
    /** Ran into an error, and is tried again when its backoff ends, never earlier. */
    ERROR_BACKOFF("backoff"),
    /** Was turned away, and nothing has changed for it since. */
    UNSCHEDULABLE("unschedulable"),
    /** A plugin does not let it into the queue. */
    GATED("gated"),
    /** Being placed or bound. */
    IN_FLIGHT("");

    private final String metricName;

    QueueState(String metricName) {
        this.metricName = metricName;
    }

    /** The value of metrics' label {@code queue}; empty for pods in flight, which are in none. */
    public String metricName() {
        return metricName;
    }
}
