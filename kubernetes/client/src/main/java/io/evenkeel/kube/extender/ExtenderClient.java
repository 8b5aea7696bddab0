package io.evenkeel.kube.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.evenkeel.config.Extender;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.client.UnrepeatableBody;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.problem.ConfigurationException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** The way to one extender: what it is asked is posted in JSON, to its address and the verb. */
final class ExtenderClient implements AutoCloseable {
    private static final MediaType JSON = MediaType.get("application/json");
    private static final JsonFactory PARSERS = new JsonFactory();

    /** Reads an answer; the parser stands on its first token. */
    @FunctionalInterface
    interface Reader<T> {
        T read(JsonParser in) throws IOException;
    }

    private final String name;
    private final ExtenderObserver observer;
    private final LongSupplier nanos;
    private final String prefix;
    private final Duration timeout;
    private final ExtenderTls tls;

    /**
     * Makes a client, and calls nothing yet.
     *
     * @param interceptors what calls go through
     * @throws ConfigurationException if there is no way to it
     */
    ExtenderClient(Extender extender, ExtenderObserver observer, Clocks clocks, List<Interceptor> interceptors) {
        name = extender.urlPrefix();
        this.observer = observer;
        this.nanos = clocks.nanos();
        prefix = extender.urlPrefix().replaceAll("/+$", "");
        timeout = extender.httpTimeout();
        if (HttpUrl.parse(prefix) == null) {
            throw new ConfigurationException("extender \"" + extender.urlPrefix()
                    + "\": urlPrefix: expected an address such as http://10.0.0.1:8888/scheduler");
        }
        // The one limit is that of the whole call, as the configuration means it.
        OkHttpClient.Builder plain = new OkHttpClient.Builder()
                .connectTimeout(Duration.ZERO)
                .readTimeout(Duration.ZERO)
                .writeTimeout(Duration.ZERO)
                .callTimeout(timeout)
                .addInterceptor(chain -> chain.proceed(chain.request()
                        .newBuilder()
                        .header("User-Agent", "evenkeel")
                        .build()));
        interceptors.forEach(plain::addInterceptor);
        tls = new ExtenderTls(extender, plain.build(), clocks.time());
    }

    /**
     * The extender's answer to a question, which may be sent twice where a connection breaks.
     *
     * @throws ExtenderException if there is none in time, or not the one that was asked for
     */
    <T> T ask(String verb, String question, Reader<T> reader) throws ExtenderException {
        return post(tls.client(), verb, RequestBody.create(question.getBytes(StandardCharsets.UTF_8), JSON), reader);
    }

    /**
     * The extender's answer to what it is to do, which is sent once.
     *
     * @throws ExtenderException as in {@link #ask}; whether it has done it is not known then
     */
    <T> T tell(String verb, String order, Reader<T> reader) throws ExtenderException {
        OkHttpClient client = tls.client()
                .newBuilder()
                .followRedirects(false)
                .retryOnConnectionFailure(false)
                .build();
        return post(client, verb, new UnrepeatableBody(order, JSON), reader);
    }

    private <T> T post(OkHttpClient client, String verb, RequestBody body, Reader<T> reader) throws ExtenderException {
        long began = nanos.getAsLong();
        boolean answered = false;
        try {
            T answer = answer(client, verb, body, reader);
            answered = true;
            return answer;
        } finally {
            observer.called(name, verb, answered, Duration.ofNanos(nanos.getAsLong() - began));
        }
    }

    private <T> T answer(OkHttpClient client, String verb, RequestBody body, Reader<T> reader)
            throws ExtenderException {
        String url = prefix + "/" + verb;
        Request request = new Request.Builder().url(url).post(body).build();
        try (Response response = client.newCall(request).execute()) {
            if (response.code() != 200) {
                throw new ExtenderException(
                        "failed " + verb + " with extender at URL " + url + ", code " + response.code());
            }
            try (JsonParser in = PARSERS.createParser(response.body().byteStream())) {
                in.nextToken();
                return reader.read(in);
            }
        } catch (ExtenderException said) {
            throw said;
        } catch (JsonProcessingException unreadable) {
            throw new ExtenderException(
                    "unreadable answer to " + verb + " from extender at URL " + url + ": "
                            + JsonCursor.brief(unreadable),
                    unreadable);
        } catch (InterruptedIOException late) {
            throw new ExtenderException("Post \"" + url + "\": no answer within " + inSeconds(timeout), late);
        } catch (IOException noAnswer) {
            throw new ExtenderException("Post \"" + url + "\": " + NoAnswer.why(noAnswer), noAnswer);
        }
    }

    private static String inSeconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    @Override
    public void close() {
        OkHttpClient client = tls.client();
        client.dispatcher().cancelAll();
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }
}
