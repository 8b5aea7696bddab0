package io.evenkeel.kube.extender;

import java.io.IOException;

/** An extender did not answer, or not with what it was asked for; the message is for the pod's user. */
public class ExtenderException extends IOException {
    private static final long serialVersionUID = 1L;

    ExtenderException(String message) {
        super(message);
    }

    ExtenderException(String message, Throwable cause) {
        super(message, cause);
    }
}
