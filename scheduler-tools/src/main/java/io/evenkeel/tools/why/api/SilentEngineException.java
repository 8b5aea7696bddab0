package io.evenkeel.tools.why.api;

/** The engine has ended or is busy beyond all patience; an answer needs its state. That is no fault of the question. */
public final class SilentEngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SilentEngineException(Throwable cause) {
        super("the engine does not answer", cause);
    }
}
