package io.evenkeel.kube.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.evenkeel.config.Extender;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.client.ClientTls;
import io.evenkeel.kube.client.HttpTransport.UnrepeatableBody;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.tls.Authorities;
import io.evenkeel.tls.PemIdentity;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManager;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

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

    /**
     * The authorities that an extender's client trusts and the certificate that it shows: from files, which are looked at again
     * every ten seconds at most while the extender is asked, or from the configuration itself, which goes before the files.
     *
     * <p>As in kube-scheduler, an extender with {@code enableHTTPS} and without a certificate authority is not verified.
     */
    static final class ExtenderTls implements ReloadedFiles.Listener<OkHttpClient> {
        private static final Logger log = LoggerFactory.getLogger(ExtenderTls.class);
        private static final Extender.Tls NOTHING = new Extender.Tls(false, "", "", "", "", "", "", "");

        /** Where a part comes from: a file, the configuration, or nowhere. */
        private record Part(Optional<Path> file, Optional<byte[]> data) {
            static Part of(String file, String data) {
                if (!data.isEmpty()) {
                    return new Part(
                            Optional.empty(),
                            Optional.of(Base64.getMimeDecoder().decode(data)));
                }
                return new Part(
                        Optional.of(file).filter(name -> !name.isEmpty()).map(Path::of), Optional.empty());
            }

            boolean isThere() {
                return file.isPresent() || data.isPresent();
            }
        }

        private final Extender extender;
        private final OkHttpClient plain;
        private final Extender.Tls settings;
        private final Part authority;
        private final Part certificate;
        private final Part key;
        private final ReloadedFiles<OkHttpClient> clients;

        /**
         * Reads the files.
         *
         * @param plain has all other settings of the connection
         */
        ExtenderTls(Extender extender, OkHttpClient plain, InstantSource clock) {
            this.extender = extender;
            this.plain = plain;
            settings = extender.tlsConfig().orElse(NOTHING);
            authority = Part.of(settings.caFile(), settings.caData());
            certificate = Part.of(settings.certFile(), settings.certData());
            key = Part.of(settings.keyFile(), settings.keyData());
            require(
                    certificate.isThere() == key.isThere(),
                    "a client certificate needs its key, and a key its certificate");
            require(
                    !settings.insecure() || !authority.isThere(),
                    "insecure and a certificate authority exclude each other");
            try {
                clients = ReloadedFiles.read(
                        List.of(authority, certificate, key).stream()
                                .flatMap(part -> part.file().stream())
                                .toList(),
                        "the TLS files of extender " + extender.urlPrefix(),
                        this::client,
                        clock);
            } catch (IOException unusable) {
                throw problem(String.valueOf(unusable.getMessage()));
            }
        }

        private void require(boolean condition, String otherwise) {
            if (!condition) {
                throw problem(otherwise);
            }
        }

        private ConfigurationException problem(String what) {
            return new ConfigurationException("extender " + extender.urlPrefix() + ": tlsConfig: " + what);
        }

        OkHttpClient client() {
            return clients.look(this);
        }

        private OkHttpClient client(List<byte[]> contents) throws GeneralSecurityException {
            List<byte[]> files = new ArrayList<>(contents);
            Optional<byte[]> trusted = content(authority, files);
            Optional<byte[]> shown = content(certificate, files);
            Optional<byte[]> keyOfShown = content(key, files);
            boolean verified = !settings.insecure() && (trusted.isPresent() || !extender.enableHTTPS());
            List<KeyManager> identity = shown.isPresent() && keyOfShown.isPresent()
                    ? List.of(PemIdentity.parse(shown.get(), keyOfShown.get()).keyManagers())
                    : List.of();
            Optional<Authorities> authorities =
                    trusted.isPresent() ? Optional.of(Authorities.parse(trusted.get())) : Optional.empty();
            Optional<String> name = Optional.of(settings.serverName()).filter(given -> !given.isEmpty());
            return new ClientTls(verified, authorities, name, identity)
                    .on(plain.newBuilder())
                    .build();
        }

        private static Optional<byte[]> content(Part part, List<byte[]> files) {
            return part.file().isPresent() ? Optional.of(files.removeFirst()) : part.data();
        }

        @Override
        public void reloaded(OkHttpClient before, OkHttpClient now) {
            before.connectionPool().evictAll();
            log.atInfo()
                    .setMessage("Extender's TLS files reloaded")
                    .addKeyValue("extender", extender.urlPrefix())
                    .log();
        }

        @Override
        public void notReloaded(Level level, IOException why) {
            log.atLevel(level)
                    .setMessage("Extender's TLS files not reloaded, keeping the last ones")
                    .addKeyValue("extender", extender.urlPrefix())
                    .addKeyValue("why", why.getMessage())
                    .log();
        }
    }
}
