package io.evenkeel.tools.why;

/** The engine has ended or is busy beyond all patience; an answer needs its state. That is no fault of the question. */
public final class EngineUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EngineUnavailableException(Throwable cause) {
        super("the engine does not answer", cause);
    }

    public EngineUnavailableException(String message) {
        super(message);
    }
}
