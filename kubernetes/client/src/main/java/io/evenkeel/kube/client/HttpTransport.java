package io.evenkeel.kube.client;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.ApiTransport.RateLimitDelay;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import io.evenkeel.kube.client.http2.MultiplexedCalls;
import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd.Reply;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request.Header;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.Call;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.AsyncTimeout;
import okio.BufferedSink;

/**
 * The way to a real API server. Credentials are renewed when they expire, and once more where the server refuses them
 * with 401.
 */
public final class HttpTransport implements ApiTransport, AutoCloseable {
    private static final int UNAUTHORIZED = 401;
    private static final Set<Integer> REDIRECTS = Set.of(300, 301, 302, 303, 307, 308);

    private final ServerAccess access;
    private final HttpUrl server;
    private final String host;
    private final ConnectionLimits limits;
    private final OkHttpRequests single;
    private final MultiplexedRequests multiplexed;
    private volatile ApiObserver observer;
    private volatile HttpClients clients;

    private HttpTransport(
            ServerAccess access, ConnectionLimits limits, String version, ApiObserver observer, HttpClients clients) {
        this.access = access;
        this.server = address(access.server());
        this.host = server.host() + ":" + server.port();
        this.limits = limits;
        String userAgent = "evenkeel/" + version;
        this.single = new OkHttpRequests(server, access.impersonation(), userAgent);
        this.multiplexed = new MultiplexedRequests(server, access.impersonation(), userAgent);
        this.observer = observer;
        this.clients = clients;
    }

    /**
     * Finds out how to reach the server, without reaching for it.
     *
     * @param version Evenkeel's, for the User-Agent
     * @throws ClientConfigurationException if there is no way
     */
    public static HttpTransport open(ConnectionOptions options, String version, ApiObserver observer) {
        ServerAccess access = ServerAccess.find(options, InstantSource.system());
        try {
            HttpClients clients =
                    HttpClients.of(access, access.credentials().current().certificate(), options.limits());
            return new HttpTransport(access, options.limits(), version, observer, clients);
        } catch (IOException noCredential) {
            throw new ClientConfigurationException(ClientConfigurationException.reason(noCredential), noCredential);
        }
    }

    /**
     * Connects for streams, on a thread of its own: to agree on keys is much of a start, and calls have a connection of their own
     * to agree on meanwhile. Whether it succeeds the first stream will tell.
     */
    public void connectAhead() {
        Thread.ofVirtual().name("connect-ahead").start(() -> {
            try {
                stream(ApiCall.get("/version")).close();
            } catch (IOException untold) {
                // the first watch says why
            }
        });
    }

    /** From now on this one is told: what it counts may depend on what the server has answered. */
    public void observe(ApiObserver other) {
        observer = other;
    }

    private static HttpUrl address(String text) {
        HttpUrl url = HttpUrl.parse(text);
        if (url == null) {
            throw new ClientConfigurationException(
                    "\"" + text + "\" is not the address of a server: expected something like https://10.0.0.1:6443");
        }
        return url;
    }

    @Override
    public ApiAnswer call(ApiCall call) throws IOException {
        return ask(call, false);
    }

    @Override
    public boolean begin(ApiCall call, ResponseHandler taker) {
        long start = System.nanoTime();
        try {
            Optional<Credential> atHand = access.credentials().atHand();
            if (atHand.isEmpty()) {
                return false;
            }
            Credential credential = atHand.get();
            Optional<MultiplexedCalls> calls = showing(credential).multiplexed();
            if (calls.isEmpty()) {
                return false;
            }
            Request request = multiplexed.of(call, credential);
            boolean begun = calls.get().begin(request, end -> ended(call, start, end, taker));
            if (begun) {
                sent(call, request.body().length);
                RateLimitDelay.nanos().ifPresent(nanos -> observer.heldBack(call.method(), host, nanos));
            }
            return begun;
        } catch (RuntimeException broken) {
            return false; // the thread that makes the call will say what it is
        }
    }

    @Override
    public Optional<ApiAnswer> callAtHand(ApiCall call, long nanos) throws IOException {
        long start = System.nanoTime();
        try {
            Optional<Credential> credential = access.credentials().atHand();
            if (credential.isEmpty()) {
                return Optional.empty();
            }
            Optional<ApiAnswer> answer = together(showing(credential.get()), call, credential.get(), nanos);
            answer.ifPresent(whole -> answered(call, whole, start));
            return answer.filter(whole -> whole.code() != UNAUTHORIZED);
        } catch (RuntimeException broken) {
            return Optional.empty(); // the call that takes its time will say what it is
        } catch (IOException noAnswer) {
            throw unanswered(call, start, noAnswer);
        }
    }

    private void ended(ApiCall call, long start, CallEnd end, ResponseHandler taker) {
        switch (end) {
            case CallEnd.Answered(Reply reply)
            when reply.code() != UNAUTHORIZED && !REDIRECTS.contains(reply.code()) -> {
                observer.requested(call.method(), host, Integer.toString(reply.code()), System.nanoTime() - start);
                taker.answered(Answered.ofWrite(whole(call, reply)));
            }
            case CallEnd.Failed(IOException why, boolean isUntouched)
            when !isUntouched -> {
                taker.unanswered(unanswered(call, start, why));
            }
            // Nothing was done about it, and what there is to do now may take its time.
            default -> Thread.ofVirtual().name("call-again").start(() -> again(call, taker));
        }
    }

    private void again(ApiCall call, ResponseHandler taker) {
        Answered answer;
        try {
            answer = Answered.write(this, call);
        } catch (IOException noAnswer) {
            taker.unanswered(noAnswer);
            return;
        } catch (Error unexpected) {
            taker.unanswered(new IOException(String.valueOf(unexpected), unexpected));
            return;
        }
        taker.answered(answer);
    }

    @Override
    public ApiAnswer stream(ApiCall call) throws IOException {
        return ask(call, true);
    }

    /** The namespace that is meant where none is named, as kubectl has it. */
    public String namespace() {
        return access.namespace().orElse("default");
    }

    @Override
    public String host() {
        return host;
    }

    /**
     * Failures of credential files and plugins may pass, so they are an {@link IOException}, after which callers try again,
     * and none that would end them.
     */
    private ApiAnswer ask(ApiCall call, boolean stream) throws IOException {
        try {
            return authenticated(call, stream);
        } catch (RuntimeException broken) {
            throw new IOException(ClientConfigurationException.reason(broken), broken);
        }
    }

    private ApiAnswer authenticated(ApiCall call, boolean stream) throws IOException {
        Credential credential = access.credentials().current();
        RateLimitDelay.nanos().ifPresent(nanos -> observer.heldBack(call.method(), host, nanos));
        ApiAnswer answer = send(call, credential, stream);
        if (answer.code() != UNAUTHORIZED || !access.credentials().reject(credential)) {
            return answer;
        }
        answer.close();
        return send(call, access.credentials().current(), stream);
    }

    private ApiAnswer send(ApiCall call, Credential credential, boolean stream) throws IOException {
        HttpClients showing = showing(credential);
        long start = System.nanoTime();
        try {
            Optional<ApiAnswer> together =
                    stream ? Optional.empty() : together(showing, call, credential, Long.MAX_VALUE);
            ApiAnswer answer = together.isPresent() ? together.get() : alone(showing, call, credential, stream);
            answered(call, answer, start);
            return answer;
        } catch (IOException noAnswer) {
            throw unanswered(call, start, noAnswer);
        }
    }

    private void answered(ApiCall call, ApiAnswer answer, long start) {
        observer.requested(call.method(), host, Integer.toString(answer.code()), System.nanoTime() - start);
    }

    private IOException unanswered(ApiCall call, long start, IOException why) {
        long took = System.nanoTime() - start;
        observer.requested(call.method(), host, ApiObserver.NO_ANSWER, took);
        IOException plain = inPlainWords(why);
        NoAnswer.unreached(plain).ifPresent(reason -> observer.unreached(host, reason, took));
        return plain;
    }

    /**
     * In one packet with what others ask at the moment; nothing where the server does not allow for that.
     *
     * @param nanos the limit for a call by what is at hand; {@link Long#MAX_VALUE} for one that takes its time
     */
    private Optional<ApiAnswer> together(HttpClients showing, ApiCall call, Credential credential, long nanos)
            throws IOException {
        Optional<MultiplexedCalls> calls = showing.multiplexed();
        if (calls.isEmpty()) {
            return Optional.empty();
        }
        Request request = multiplexed.of(call, credential);
        Optional<Reply> reply;
        try {
            reply = nanos == Long.MAX_VALUE
                    ? calls.get().call(request)
                    : calls.get().callAtHand(request, nanos);
        } catch (IOException noAnswer) {
            sent(call, request.body().length);
            throw noAnswer;
        }
        if (reply.isPresent()) {
            sent(call, request.body().length);
        }
        if (reply.isPresent() && REDIRECTS.contains(reply.get().code())) {
            throw redirected(reply.get().code(), reply.get().header("location"));
        }
        return reply.map(whole -> whole(call, whole));
    }

    private void sent(ApiCall call, long bytes) {
        observer.sent(call.method(), host, bytes);
    }

    private ApiAnswer whole(ApiCall call, Reply reply) {
        observer.received(call.method(), host, reply.body().length);
        return new WholeAnswer(reply);
    }

    private ApiAnswer alone(HttpClients showing, ApiCall call, Credential credential, boolean stream)
            throws IOException {
        OkHttpClient client = stream ? patient(showing.streams(), call) : showing.calls();
        Call request = client.newCall(single.of(call, credential));
        RequestBody body = request.request().body();
        sent(call, body == null ? 0 : body.contentLength());
        Response response = HeadersTimeout.of(call).execute(request);
        if (REDIRECTS.contains(response.code())) {
            response.close();
            throw redirected(response.code(), Optional.ofNullable(response.header("Location")));
        }
        if (!stream && response.body().contentLength() >= 0) { // a zipped one has not said how long it is
            observer.received(call.method(), host, response.body().contentLength());
        }
        return new HttpAnswer(request, response, stream, showing::released);
    }

    /** The header Retry-After; API servers send it in seconds only. */
    private static Optional<Duration> retryAfter(String value) {
        String text = value.strip();
        return text.matches("[0-9]{1,6}") ? Optional.of(Duration.ofSeconds(Long.parseLong(text))) : Optional.empty();
    }

    /** Refuses a redirect: an API server sends none, and the token must not follow one anywhere. */
    private IOException redirected(int code, Optional<String> location) {
        String where = location.map(server::resolve)
                .map(url -> "to " + url.host() + ":" + url.port())
                .orElse("elsewhere");
        return new IOException(
                "the server redirects " + where + " (" + code + "), which is not followed: is it an API server?");
    }

    private IOException inPlainWords(IOException noAnswer) {
        return switch (noAnswer) {
            case SSLException trouble -> {
                // The server may have a certificate of a new authority. The next try is to know it at once.
                access.authority().ifPresent(CredentialFiles::readAgain);
                yield TlsErrors.inPlainWords(trouble, access);
            }
            // Its message may be the name and nothing else.
            case UnknownHostException unknown ->
                new IOException("the address of a host cannot be looked up: " + unknown.getMessage(), unknown);
            default -> noAnswer;
        };
    }

    /** It has the connections of the other, so it costs next to nothing. */
    private static OkHttpClient patient(OkHttpClient streams, ApiCall call) {
        return call.limits()
                .map(limits -> streams.newBuilder()
                        .readTimeout(limits.silence())
                        .callTimeout(limits.whole())
                        .build())
                .orElse(streams);
    }

    /** TLS shows certificates and checks them when it connects: new ones need new connections. */
    private HttpClients showing(Credential credential) {
        HttpClients current = clients;
        return areFor(credential, current) ? current : replaced(credential);
    }

    private synchronized HttpClients replaced(Credential credential) {
        HttpClients current = clients;
        if (areFor(credential, current)) {
            return current;
        }
        HttpClients renewed = HttpClients.of(access, credential.certificate(), limits);
        clients = renewed;
        current.retire();
        return renewed;
    }

    private boolean areFor(Credential credential, HttpClients current) {
        return current.areFor(credential.certificate(), access.authority().map(CredentialFiles::current));
    }

    HttpClients clients() {
        return clients;
    }

    @Override
    public void close() {
        clients.close();
    }

    /**
     * The limit of how long an answer's headers are waited for. OkHttp has one limit for these and for what is between two bytes
     * of a body; a watch that is well says nothing for minutes, but begins at once.
     */
    private record HeadersTimeout(Duration limit) {
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

    /** Calls as they are sent over one connection with others. */
    private static final class MultiplexedRequests {
        private final String prefix;
        private final List<Header> always = new ArrayList<>();

        MultiplexedRequests(HttpUrl server, Impersonation impersonation, String userAgent) {
            prefix = OkHttpRequests.prefix(server);
            always.add(new Header("user-agent", userAgent));
            Headers others = impersonation.headers();
            for (int i = 0; i < others.size(); i++) {
                always.add(header(others.name(i), others.value(i)));
            }
        }

        Request of(ApiCall call, Credential credential) {
            List<Header> headers = new ArrayList<>(always);
            call.headers().forEach((name, value) -> headers.add(header(name, value)));
            call.body().ifPresent(body -> headers.add(new Header("content-type", body.contentType())));
            credential.authorization().ifPresent(value -> headers.add(new Header("authorization", value)));
            byte[] body = call.body()
                    .map(sent -> sent.content().getBytes(StandardCharsets.UTF_8))
                    .orElse(new byte[0]);
            return new Request(call.method(), prefix + call.path(), headers, body);
        }

        private static Header header(String name, String value) {
            return new Header(name.toLowerCase(Locale.ROOT), value);
        }
    }

    /** Says in plain words why a server is not trusted, where Java speaks of PKIX paths and lists whole certificates. */
    private static final class TlsErrors {
        private TlsErrors() {}

        static SSLException inPlainWords(SSLException trouble, ServerAccess access) {
            String what = untrusted(trouble, access)
                    .orElseGet(() -> String.valueOf(trouble.getMessage())
                            .lines()
                            .findFirst()
                            .orElse(""));
            return new SSLException(what, trouble);
        }

        private static Optional<String> untrusted(SSLException trouble, ServerAccess access) {
            if (trouble instanceof SSLPeerUnverifiedException) {
                return Optional.of("the server's certificate is not for this name or address");
            }
            if (isCausedBy(trouble, CertificateExpiredException.class)) {
                return Optional.of("the server's certificate has expired");
            }
            if (isCausedBy(trouble, CertificateNotYetValidException.class)) {
                return Optional.of("the server's certificate is not valid yet");
            }
            boolean untrusted = isCausedBy(trouble, CertPathBuilderException.class)
                    || isCausedBy(trouble, CertPathValidatorException.class)
                    || isCausedBy(trouble, CertificateException.class);
            if (!untrusted) {
                return Optional.empty();
            }
            return Optional.of(
                    access.authority().isPresent()
                            ? "the server's certificate is not trusted by the configured certificate authority"
                            : "the server's certificate is not trusted, and no certificate authority is configured");
        }

        private static boolean isCausedBy(Throwable trouble, Class<? extends Throwable> cause) {
            for (Throwable each = trouble; each != null; each = each.getCause()) {
                if (cause.isInstance(each)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** An answer that is there as a whole. */
    private record WholeAnswer(Reply reply) implements ApiAnswer {
        @Override
        public int code() {
            return reply.code();
        }

        @Override
        public String contentType() {
            return reply.header("content-type").orElse("");
        }

        @Override
        public Optional<Duration> retryAfter() {
            return reply.header("retry-after").flatMap(HttpTransport::retryAfter);
        }

        @Override
        public InputStream body() {
            return new ByteArrayInputStream(reply.body());
        }

        @Override
        public void cutOff() {
            // nothing more comes in
        }

        @Override
        public void close() {
            // nothing is held
        }
    }

    /** Calls as OkHttp sends them. */
    record OkHttpRequests(HttpUrl server, Impersonation impersonation, String userAgent) {
        /** The beginning of the paths at a server: the path in its address. */
        static String prefix(HttpUrl server) {
            String path = server.encodedPath();
            return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        }

        okhttp3.Request of(ApiCall call, Credential credential) throws IOException {
            HttpUrl url = server.resolve(prefix(server) + call.path());
            if (url == null) {
                throw new IOException("malformed path " + call.path());
            }
            okhttp3.Request.Builder request = new okhttp3.Request.Builder()
                    .url(url)
                    .headers(impersonation.headers())
                    .header("User-Agent", userAgent)
                    // Answers are large and mostly local: unpacking them costs more than carrying them.
                    .header("Accept-Encoding", "identity")
                    .method(
                            call.method(),
                            call.body()
                                    .map(body ->
                                            new UnrepeatableBody(body.content(), MediaType.get(body.contentType())))
                                    .orElse(null));
            call.headers().forEach(request::header);
            credential.authorization().ifPresent(value -> request.header("Authorization", value));
            return request.build();
        }
    }

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
            return Optional.ofNullable(response.header("Retry-After")).flatMap(HttpTransport::retryAfter);
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
    }

    /** A body that OkHttp must not send twice by itself: it cannot know whether the first time had an effect. */
    public static final class UnrepeatableBody extends RequestBody {
        private final byte[] content;
        private final MediaType type;

        public UnrepeatableBody(String content, MediaType type) {
            this.content = content.getBytes(StandardCharsets.UTF_8);
            this.type = type;
        }

        @Override
        public MediaType contentType() {
            return type;
        }

        @Override
        public long contentLength() {
            return content.length;
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            sink.write(content);
        }
    }
}
