package io.evenkeel.app.kube.client;

import org.jspecify.annotations.Nullable;

/** There is no way to the API server as things are configured. The message is one line, and says what to do. */
public final class ClientConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClientConfigurationException(String message) {
        this(message, null);
    }

    ClientConfigurationException(String message, @Nullable Throwable cause) {
        super(message.lines().findFirst().orElse(message), cause);
    }

    /** What went wrong beneath, in a few words. */
    static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
