package io.evenkeel.kube.election;

import java.io.IOException;

/** Another replica has written the Lease meanwhile: everyday life where replicas start together. */
final class OvertakenException extends IOException {
    private static final long serialVersionUID = 1L;

    OvertakenException(String message) {
        super(message);
    }
}
