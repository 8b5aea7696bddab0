package io.evenkeel.kube.api;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** An answer that has been read to its end. */
public final class Answered {
    private static final String PODS = "pods";
    private static final int LONGEST_REFUSAL = 64 * 1024;

    private final int code;
    private final Optional<Duration> retryAfter;
    private final byte[] body;

    private Answered(int code, Optional<Duration> retryAfter, byte[] body) {
        this.code = code;
        this.retryAfter = retryAfter;
        this.body = body;
    }

    /**
     * Makes a write that needs only the code: the body is read where it tells why the server said no. A body that
     * breaks off changes nothing, as the code has said what happened.
     *
     * @throws IOException where no answer came; whether the request was carried out is not known then
     */
    public static Answered write(ApiTransport transport, ApiCall call) throws IOException {
        try (ApiAnswer answer = transport.call(call)) {
            return ofWrite(answer);
        }
    }

    /** The code of the answer to a write, and why the server said no. */
    public static Answered ofWrite(ApiAnswer answer) {
        boolean explained = answer.code() >= 300;
        return new Answered(answer.code(), answer.retryAfter(), explained ? beginning(answer) : new byte[0]);
    }

    /**
     * Makes a read, or a write that needs its result.
     *
     * @throws IOException where no answer came, or not all of it
     */
    public static Answered whole(ApiTransport transport, ApiCall call) throws IOException {
        return whole(transport.call(call));
    }

    /** Reads an answer to its end, and closes it. */
    public static Answered whole(ApiAnswer unread) throws IOException {
        try (ApiAnswer answer = unread) {
            return new Answered(
                    answer.code(), answer.retryAfter(), answer.body().readAllBytes());
        }
    }

    private static byte[] beginning(ApiAnswer answer) {
        try {
            return answer.body().readNBytes(LONGEST_REFUSAL);
        } catch (IOException brokenOff) {
            return new byte[0];
        }
    }

    public int code() {
        return code;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    public byte[] body() {
        return body;
    }

    public boolean isSuccess() {
        return code >= 200 && code < 300;
    }

    /** The server was asked too much and did nothing. */
    public boolean isTooMany() {
        return code == 429;
    }

    /** Whether the server itself failed, so that it may have done something or nothing. */
    public boolean isUnclear() {
        return code >= 500 || code == 408 || (code >= 300 && code < 400);
    }

    /** Whether there is no pod of that name, which is something else than a path that leads nowhere. */
    public boolean isNoSuchPod() {
        return isNoSuch(PODS);
    }

    private boolean isNoSuch(String resource) {
        return code == 404 && status().kind().equals(resource);
    }

    /** Whether the server has no such path: there is no object that it could miss. */
    public boolean leadsNowhere() {
        return isNoSuch("");
    }

    /** Whether the pod that was meant is gone: there is none of that name, or by its UID it is another. */
    public boolean isPodGone() {
        return isGone(PODS);
    }

    public boolean isGone(String resource) {
        String message = status().explanation();
        return isNoSuch(resource) || message.contains("metadata.uid") || message.contains("UID in precondition");
    }

    /** Whether it may be another answer if it is asked again. */
    public boolean mayPass() {
        return isTooMany() || isUnclear();
    }

    /** The Status that the server has answered with, where it refused. */
    public ApiStatus status() {
        return ApiStatus.read(code, retryAfter, body);
    }
}
