package io.evenkeel.kube.extender;

/** A pod is there no more that an extender was to read. */
final class PodGoneException extends ExtenderException {
    private static final long serialVersionUID = 1L;

    PodGoneException(String message) {
        super(message);
    }
}
