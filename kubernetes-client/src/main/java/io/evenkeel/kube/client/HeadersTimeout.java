package io.evenkeel.kube.client;

import io.evenkeel.kube.api.ApiCall;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Response;
import okio.AsyncTimeout;

/**
 * The limit of how long an answer's headers are waited for. OkHttp has one limit for these and for what is between two bytes
 * of a body; a watch that is well says nothing for minutes, but begins at once.
 */
final class HeadersTimeout {
    private final Duration limit;

    private HeadersTimeout(Duration limit) {
        this.limit = limit;
    }

    static HeadersTimeout of(ApiCall call) {
        return new HeadersTimeout(call.limits().map(ApiCall.Limits::first).orElse(Duration.ZERO));
    }

    Response execute(Call request) throws IOException {
        AsyncTimeout timeout = new AsyncTimeout() {
            @Override
            protected void timedOut() {
                request.cancel();
            }
        };
        timeout.timeout(limit.toNanos(), TimeUnit.NANOSECONDS);
        timeout.enter();
        Response response;
        try {
            response = request.execute();
        } catch (IOException noAnswer) {
            throw timeout.exit() ? late(noAnswer) : noAnswer;
        }
        if (timeout.exit()) {
            response.close();
            throw late(new IOException("canceled when the headers were there"));
        }
        return response;
    }

    private IOException late(IOException cause) {
        IOException late = new SocketTimeoutException("no answer within " + limit.toSeconds() + " s");
        late.initCause(cause);
        return late;
    }
}
