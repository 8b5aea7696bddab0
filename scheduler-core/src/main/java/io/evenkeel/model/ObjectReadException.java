package io.evenkeel.model;

/** An object could not be read. The message is one line that names the object and the field. */
public final class ObjectReadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ObjectReadException(String message) {
        super(message);
    }

    ObjectReadException(String message, Throwable cause) {
        super(message, cause);
    }
}
