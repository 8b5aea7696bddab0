package io.evenkeel.cel;

/** A mistake in an expression, or a failure of its evaluation, in the reference's words. */
public final class CelProblem extends RuntimeException {
    private final boolean cancelled;

    private CelProblem(String message, boolean cancelled) {
        super(message, null, false, false);
        this.cancelled = cancelled;
    }

    CelProblem(String message) {
        this(message, false);
    }

    static CelProblem tooMuchWork() {
        return new CelProblem("operation cancelled: actual cost limit exceeded", true);
    }

    static CelProblem noSuchOverload() {
        return new CelProblem("no such overload");
    }

    static CelProblem noSuchKey(Object key) {
        return new CelProblem("no such key: " + Values.text(key));
    }

    /** Whether the evaluation was ended; no operator of the expression may take the place of this problem. */
    boolean cancelled() {
        return cancelled;
    }
}
