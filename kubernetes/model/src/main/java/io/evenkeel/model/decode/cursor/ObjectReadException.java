package io.evenkeel.model.decode.cursor;

import io.evenkeel.model.ObjectMeta;
import java.util.Optional;

/** An object could not be read. The message is one line that names the object and the field. */
public final class ObjectReadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Optional<ObjectMeta> identity;

    public ObjectReadException(String message) {
        super(message);
        this.identity = Optional.empty();
    }

    public ObjectReadException(String message, Throwable cause) {
        this(message, Optional.empty(), cause);
    }

    public ObjectReadException(String message, Optional<ObjectMeta> identity, Throwable cause) {
        super(message, cause);
        this.identity = identity;
    }

    /** The metadata of what could not be read, where they had been read before the problem came up. */
    public Optional<ObjectMeta> identity() {
        return identity;
    }
}
