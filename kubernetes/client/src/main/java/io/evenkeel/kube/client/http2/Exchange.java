package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd.Reply;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import java.util.Map;
import java.util.function.Consumer;

/** A request, how much of it has been sent, and what has come of the answer. Guarded by its connection's lock. */
final class Exchange {
    private static final int LEAST = 100;
    private static final int FINAL = 200;
    private static final int MOST = 999;

    /** Many times what the largest object may be. */
    static final int LARGEST_BODY = 64 << 20;

    private final Request request;
    private final long start;
    private final long deadline;
    private final Consumer<CallEnd> whenEnded;
    private final GrowingBytes body = new GrowingBytes();
    private Map<String, String> headers = Map.of();
    private int code;
    private int sent;
    private long window;

    /** @param whenEnded is told once what became of it */
    Exchange(Request request, long start, long deadline, Consumer<CallEnd> whenEnded) {
        this.request = request;
        this.start = start;
        this.deadline = deadline;
        this.whenEnded = whenEnded;
    }

    Request request() {
        return request;
    }

    /** When it was asked for, in nanoseconds. */
    long start() {
        return start;
    }

    long deadline() {
        return deadline;
    }

    Consumer<CallEnd> whenEnded() {
        return whenEnded;
    }

    /** It has a stream, on which the server takes so many bytes of the body for now. */
    void begins(int newWindow) {
        window = newWindow;
    }

    void widen(int bytes) {
        window += bytes;
    }

    /** How many bytes of the body can be sent now. */
    int sendable() {
        return (int) Math.min(window, left());
    }

    int left() {
        return request.body().length - sent;
    }

    /** Takes the next bytes of the body as sent; returns where in it they begin. */
    int send(int bytes) {
        int from = sent;
        sent += bytes;
        window -= bytes;
        return from;
    }

    void received(Map<String, String> fields) throws BrokenConnectionException {
        if (code >= FINAL) {
            return; // these fields follow a body
        }
        headers = fields;
        try {
            code = Integer.parseInt(fields.getOrDefault(ResponseHeaders.STATUS, ""));
        } catch (NumberFormatException none) {
            code = 0;
        }
        if (code < LEAST || code > MOST) {
            throw new BrokenConnectionException("an answer without a status");
        }
    }

    void received(Frame data) throws BrokenConnectionException {
        if (code < FINAL || body.size() + data.length() > LARGEST_BODY) {
            throw new BrokenConnectionException(
                    code < FINAL ? "a body before the headers" : "an answer of more than " + LARGEST_BODY + " bytes");
        }
        body.add(data.buffer(), data.from(), data.length());
    }

    boolean isAnswered() {
        return code > 0;
    }

    Reply reply() throws BrokenConnectionException {
        if (code < FINAL) {
            throw new BrokenConnectionException("an answer that ends before it begins");
        }
        return new Reply(code, headers, body.toArray());
    }
}
