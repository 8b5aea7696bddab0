package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.kube.api.ApiTransport;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/** The one answer that a watch reads at a time. Another thread may cut it off; nothing is asked after that. */
final class Connection {
    /** Reads an answer to its end. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ApiAnswer answer) throws IOException;
    }

    private final ApiTransport transport;
    private final WatchGauge gauge;
    private volatile boolean stopped;
    private volatile @Nullable ApiAnswer open;

    Connection(ApiTransport transport, WatchGauge gauge) {
        this.transport = transport;
        this.gauge = gauge;
    }

    /**
     * Asks, and has the answer read.
     *
     * @throws RefusedException if the server answers, but not with what it was asked for
     */
    <T> T ask(ApiCall call, Reader<T> reader) throws IOException {
        try (ApiAnswer answer = transport.stream(call)) {
            open = answer;
            if (stopped) {
                throw new InterruptedIOException("stopped");
            }
            if (answer.code() != 200) {
                throw new RefusedException(ApiStatus.of(answer));
            }
            gauge.connected();
            return reader.read(answer);
        } finally {
            open = null;
        }
    }

    boolean isStopped() {
        return stopped;
    }

    void stop() {
        stopped = true;
        cutOff();
    }

    /** Breaks the answer off that is being read, if one is. */
    void cutOff() {
        ApiAnswer answer = open;
        if (answer != null) {
            answer.cutOff();
        }
    }
}
