package io.evenkeel.app.http;

import java.io.IOException;

/** The client has sent no request that can be answered but with this code. */
final class MalformedRequestException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;

    MalformedRequestException(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }
}
