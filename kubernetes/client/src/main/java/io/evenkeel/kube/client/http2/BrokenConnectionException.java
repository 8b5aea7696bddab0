package io.evenkeel.kube.client.http2;

import java.io.IOException;
import java.io.Serial;

/** The input breaks the protocol, so that nothing else on this connection can be relied upon. */
final class BrokenConnectionException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    BrokenConnectionException(String message) {
        super(message);
    }
}
