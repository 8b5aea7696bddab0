package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The server said no, by status code or by an ERROR event in a stream. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_TEXT = 300;

    private final transient ApiStatus status;

    public RefusedException(ApiStatus status) {
        super(brief(
                status.reason().isEmpty()
                        ? status.explanation()
                        : status.code() + " " + status.reason() + ": " + status.message()));
        this.status = status;
    }

    private static String brief(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "…";
    }

    int code() {
        return status.code();
    }

    public Optional<Duration> retryAfter() {
        return status.retryAfter();
    }

    /** The version that was asked for is no longer, or not yet, known. In code, reason or message, it means: list again. */
    public boolean isVersionUnknown() {
        return status.code() == 410
                || status.reason().equals("Expired")
                || status.reason().equals("Gone")
                || status.message().contains("too old resource version")
                || status.message().contains("Too large resource version");
    }

    /** Whether what was asked about is not there. */
    public boolean isOfNothing() {
        return status.code() == 404;
    }

    /** Whether the request, and not the moment or our rights, is at fault. */
    public boolean isOfTheRequest() {
        return status.code() >= 400 && status.code() < 500 && !isOfRights() && status.code() != 429;
    }

    boolean isOfRights() {
        return status.code() == 401 || status.code() == 403;
    }
}
