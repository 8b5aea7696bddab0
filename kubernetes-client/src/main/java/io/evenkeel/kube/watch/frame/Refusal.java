package io.evenkeel.kube.watch.frame;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The server said no, by status code or by an ERROR event in a stream. */
public final class Refusal extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient ServerStatus status;

    public Refusal(ServerStatus status) {
        super(status.code() + " " + status.reason() + ": " + status.message());
        this.status = status;
    }

    int code() {
        return status.code();
    }

    public Optional<Duration> retryAfter() {
        return status.retryAfter();
    }

    /** The version that was asked for is no longer, or not yet, known. Wherever it says so, it means: read all anew. */
    public boolean isVersionUnknown() {
        return status.code() == 410
                || status.reason().equals("Expired")
                || status.reason().equals("Gone")
                || status.message().contains("too old resource version")
                || status.message().contains("Too large resource version");
    }

    /** Whether the request, and not the moment or our rights, is at fault. */
    public boolean isOfTheRequest() {
        return status.code() >= 400 && status.code() < 500 && !isOfRights() && status.code() != 429;
    }

    boolean isOfRights() {
        return status.code() == 401 || status.code() == 403;
    }
}
