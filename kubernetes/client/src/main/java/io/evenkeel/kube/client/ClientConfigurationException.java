package io.evenkeel.kube.client;

import io.evenkeel.problem.UserProblem;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** There is no way to the API server as things are configured. The message is one line, and says what to do. */
final class ClientConfigurationException extends UserProblem {
    private static final long serialVersionUID = 1L;

    ClientConfigurationException(String message) {
        this(message, null);
    }

    ClientConfigurationException(String message, @Nullable Throwable cause) {
        super(message.lines().findFirst().orElse(message), cause);
    }

    /** What cannot be, and the reason beneath. */
    static ClientConfigurationException because(String what, Throwable cause) {
        return new ClientConfigurationException(what + ": " + reason(cause), cause);
    }

    /** The reason beneath, in a few words. */
    static String reason(Throwable cause) {
        return switch (cause) {
            case NoSuchFileException _ -> "it does not exist";
            case AccessDeniedException _ -> "it may not be read";
            case CharacterCodingException _ -> "it is not UTF-8";
            default -> cause.getMessage() == null ? "for no reason that is known" : cause.getMessage();
        };
    }
}
