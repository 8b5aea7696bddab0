package io.evenkeel.kube.client;

import io.evenkeel.kube.api.ApiAnswer;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Response;

/**
 * An answer as OkHttp has it.
 *
 * @param endless whether the rest of the body, where it is not wanted, is to be cut off and not read
 * @param closed is run when the connection is not needed any more
 */
record HttpAnswer(Call call, Response response, boolean endless, Runnable closed) implements ApiAnswer {
    @Override
    public int code() {
        return response.code();
    }

    @Override
    public String contentType() {
        return Optional.ofNullable(response.header("Content-Type")).orElse("");
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(response.header("Retry-After")).flatMap(RetryAfter::parse);
    }

    @Override
    public InputStream body() {
        return response.body().byteStream();
    }

    @Override
    public void expectWithin(Duration silence) {
        response.body().source().timeout().timeout(silence.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void cutOff() {
        call.cancel();
    }

    @Override
    public void close() {
        if (endless) {
            cutOff();
        }
        response.close();
        closed.run();
    }

    /** The header Retry-After; API servers send it in seconds only. */
    static final class RetryAfter {
        private static final int MOST_DIGITS = 6;

        private RetryAfter() {}

        static Optional<Duration> parse(String value) {
            String text = value.strip();
            return text.isEmpty()
                            || text.length() > MOST_DIGITS
                            || !text.chars().allMatch(Character::isDigit)
                    ? Optional.empty()
                    : Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
    }
}
