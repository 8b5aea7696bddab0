package io.evenkeel.kube.client;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.HeldBack;
import io.evenkeel.kube.client.access.ConnectionLimits;
import io.evenkeel.kube.client.access.ConnectionOptions;
import io.evenkeel.kube.client.access.ServerAccess;
import io.evenkeel.kube.client.credential.ClientConfigurationException;
import io.evenkeel.kube.client.credential.Credential;
import io.evenkeel.kube.client.credential.CredentialFiles;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * The way to a real API server. Credentials are renewed when they expire, and once more where the server refuses them
 * with 401.
 */
public final class ClientJavaTransport implements ApiTransport, AutoCloseable {
    private final ServerAccess access;
    private final HttpUrl server;
    private final ConnectionLimits limits;
    private final String userAgent;
    private final ApiObserver observer;
    private final ReentrantLock replacing = new ReentrantLock();
    private volatile HttpClients clients;

    private ClientJavaTransport(
            ServerAccess access, ConnectionLimits limits, String version, ApiObserver observer, HttpClients clients) {
        this.access = access;
        this.server = address(access.server());
        this.limits = limits;
        this.userAgent = "evenkeel/" + version;
        this.observer = observer;
        this.clients = clients;
    }

    /**
     * Finds out how to reach the server, without reaching for it.
     *
     * @param version Evenkeel's, for the User-Agent
     * @throws ClientConfigurationException if there is no way
     */
    public static ClientJavaTransport open(ConnectionOptions options, String version, ApiObserver observer) {
        ServerAccess access = ServerAccess.find(options, InstantSource.system());
        try {
            HttpClients clients =
                    HttpClients.of(access, access.credentials().current().certificate(), options.limits());
            return new ClientJavaTransport(access, options.limits(), version, observer, clients);
        } catch (IOException noCredential) {
            throw new ClientConfigurationException(ClientConfigurationException.reason(noCredential), noCredential);
        }
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
    public ApiAnswer stream(ApiCall call) throws IOException {
        return ask(call, true);
    }

    @Override
    public String host() {
        return server.host() + ":" + server.port();
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
        HeldBack.nanos().ifPresent(nanos -> observer.heldBack(call.method(), host(), nanos));
        HttpAnswer answer = send(call, credential, stream);
        if (answer.code() != 401 || !access.credentials().reject(credential)) {
            return answer;
        }
        answer.close();
        return send(call, access.credentials().current(), stream);
    }

    private HttpAnswer send(ApiCall call, Credential credential, boolean stream) throws IOException {
        HttpClients showing = showing(credential);
        OkHttpClient client = stream ? patient(showing.streams(), call) : showing.calls();
        Call request = client.newCall(request(call, credential));
        long start = System.nanoTime();
        try {
            Response response = HeadersTimeout.of(call).execute(request);
            observer.requested(call.method(), host(), Integer.toString(response.code()), System.nanoTime() - start);
            if (response.isRedirect()) {
                throw redirected(response);
            }
            return new HttpAnswer(request, response, stream, showing::released);
        } catch (IOException noAnswer) {
            observer.requested(call.method(), host(), "<error>", System.nanoTime() - start);
            throw inPlainWords(noAnswer);
        }
    }

    /** An API server redirects nobody. Whoever does is not to be followed with a token to where it likes. */
    private static IOException redirected(Response response) {
        try (response) {
            String where = Optional.ofNullable(response.header("Location"))
                    .map(response.request().url()::resolve)
                    .map(url -> "to " + url.host() + ":" + url.port())
                    .orElse("elsewhere");
            return new IOException("the server redirects " + where + " (" + response.code()
                    + "), which is not followed: is it an API server?");
        }
    }

    private IOException inPlainWords(IOException noAnswer) {
        return switch (noAnswer) {
            case SSLException trouble -> {
                // The server may have a certificate of a new authority. The next try is to know it at once.
                access.authority().ifPresent(CredentialFiles::readAgain);
                yield TlsErrors.inPlainWords(trouble, access);
            }
            // Of which the message may be the name and nothing else.
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

    private HttpClients replaced(Credential credential) {
        replacing.lock();
        try {
            HttpClients current = clients;
            if (areFor(credential, current)) {
                return current;
            }
            HttpClients renewed = HttpClients.of(access, credential.certificate(), limits);
            clients = renewed;
            current.retire();
            return renewed;
        } finally {
            replacing.unlock();
        }
    }

    private boolean areFor(Credential credential, HttpClients current) {
        return current.areFor(credential.certificate(), access.authority().map(CredentialFiles::current));
    }

    /** Those that requests are sent with now. */
    HttpClients clients() {
        return clients;
    }

    private Request request(ApiCall call, Credential credential) throws IOException {
        String path = server.encodedPath();
        String prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        HttpUrl url = server.resolve(prefix + call.path());
        if (url == null) {
            throw new IOException("malformed path " + call.path());
        }
        Request.Builder request = new Request.Builder()
                .url(url)
                .headers(access.impersonation().headers())
                .header("User-Agent", userAgent)
                // Answers are large and mostly local: unpacking them costs more than carrying them.
                .header("Accept-Encoding", "identity")
                .method(
                        call.method(),
                        call.body()
                                .map(body -> new OneShotBody(body.content(), MediaType.get(body.contentType())))
                                .orElse(null));
        call.headers().forEach(request::header);
        credential.authorization().ifPresent(value -> request.header("Authorization", value));
        return request.build();
    }

    @Override
    public void close() {
        clients.close();
    }
}
