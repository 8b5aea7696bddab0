package io.evenkeel.framework.run;

/**
 * A step at which a profile's plugins are measured, by the name that kube-scheduler's metrics have for it. Pre-flights and
 * taking reservations back are steps of their own there, though no configuration enables plugins at them.
 */
public enum MeasuredPoint {
    PRE_ENQUEUE("PreEnqueue"),
    PRE_FILTER("PreFilter"),
    FILTER("Filter"),
    POST_FILTER("PostFilter"),
    PRE_SCORE("PreScore"),
    SCORE("Score"),
    RESERVE("Reserve"),
    UNRESERVE("Unreserve"),
    PERMIT("Permit"),
    PRE_BIND_PRE_FLIGHT("PreBindPreFlight"),
    PRE_BIND("PreBind"),
    BIND("Bind"),
    POST_BIND("PostBind");

    private final String label;

    MeasuredPoint(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
