package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.FakeApiServer;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy.UserHeaders;
import io.evenkeel.app.http.serve.TlsOptions.ServerTls;
import io.evenkeel.app.http.serve.TlsOptions.TlsVersion;
import io.evenkeel.tls.SelfSignedCertificate;
import io.evenkeel.tls.TestAuthority;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who a client is taken for by the certificate it shows over a real connection. */
class ClientCertificatesTest {
    private static final TestAuthority CLUSTER = TestAuthority.named("kubernetes");
    private static final TestAuthority PROXIES = TestAuthority.named("front-proxy-ca");
    private static final TestAuthority ELSEWHERE = TestAuthority.named("elsewhere");
    private static final TestAuthority JANE = CLUSTER.client("CN=jane,O=dev,O=ops");
    private static final TestAuthority PROXY = PROXIES.client("CN=front-proxy-client");
    private static final TestAuthority STRANGER = ELSEWHERE.client("CN=jane,O=system:masters");
    private static final UserHeaders HEADERS = new UserHeaders(
            List.of("X-Remote-User", "X-Other-User"),
            List.of("X-Remote-Group"),
            List.of("X-Remote-Uid"),
            List.of("X-Remote-Extra-"));
    private static final SelfSignedCertificate OWN =
            SelfSignedCertificate.forHosts(List.of("127.0.0.1"), Duration.ofDays(1));

    private final AtomicReference<Instant> now = new AtomicReference<>(TestAuthority.BEGIN.plusSeconds(60));
    private final AtomicReference<TrustedClients> trust =
            new AtomicReference<>(trusting(CLUSTER, PROXIES, "front-proxy-client"));
    private final FakeApiServer api = new FakeApiServer();
    private EndpointServer server;

    @BeforeEach
    void serve() throws Exception {
        api.accessReview = "{\"status\":{\"allowed\":true}}";
        Identification identification =
                new AuthenticationOptions().identification(trust::get, Optional.of(api), now::get);
        AccessControl access = new AuthorizationOptions().access(identification, Optional.of(api), now::get);
        Routes routes =
                new Routes().add("/metrics", request -> Reply.text(200, "ok")).addHealth("/livez", List.of());
        ServerTls tls = ServerTls.of(OWN.keyManagers(), TlsOptions.from(TlsVersion.TLS_1_2), trust::get);
        server = EndpointServer.secure(Client.freePort(), tls, routes, access, Client.UNHARMED);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aCertificateOfTheClustersAuthorityIsAUser() throws Exception {
        assertThat(get(JANE).statusCode()).isEqualTo(200);

        String digest = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256")
                        .digest(JANE.certificate().getEncoded()));
        assertThat(asked())
                .startsWith("{\"user\":\"jane\",\"groups\":[\"dev\",\"ops\",\"system:authenticated\"],"
                        + "\"extra\":{\"authentication.kubernetes.io/credential-id\":[\"X509SHA256=" + digest + "\"]}");
    }

    @Test
    void anAuthorityBelowItCounts() throws Exception {
        assertThat(get(CLUSTER.below("team").client("CN=jim")).statusCode()).isEqualTo(200);

        assertThat(asked()).startsWith("{\"user\":\"jim\"");
    }

    @Test
    void aCertificateOfSomebodyElseIsUnauthorizedAndNotAnonymous() throws Exception {
        assertThat(get(STRANGER).statusCode()).isEqualTo(401);
        assertThat(api.calls).isEmpty();
    }

    @Test
    void aCertificateWithoutAUsersNameIsUnauthorized() throws Exception {
        assertThat(get(CLUSTER.client("O=system:masters")).statusCode()).isEqualTo(401);
    }

    @Test
    void healthIsForThoseWithACertificateFromElsewhereToo() throws Exception {
        try (Client client = client(STRANGER)) {
            assertThat(client.get("/livez").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoShowsNothingIsAnonymous() throws Exception {
        try (Client client = new Client(server, OWN.sslContext())) {
            assertThat(client.get("/metrics").statusCode()).isEqualTo(200);
        }
        assertThat(asked()).startsWith("{\"user\":\"system:anonymous\",\"groups\":[\"system:unauthenticated\"]");
    }

    @Test
    void aCertificateThatRunsOutIsUnauthorizedEvenOnAnOpenConnection() throws Exception {
        try (Client client = client(JANE)) {
            assertThat(client.get("/metrics").statusCode()).isEqualTo(200);

            now.set(TestAuthority.BEGIN.plus(TestAuthority.LIFETIME).plusSeconds(1));

            assertThat(client.get("/metrics").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aTokenCountsBesideACertificateFromElsewhere() throws Exception {
        api.tokenReview = "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"alice\"}}}";

        assertThat(get(STRANGER, "Authorization", "Bearer good").statusCode()).isEqualTo(200);

        assertThat(asked()).startsWith("{\"user\":\"alice\"");
    }

    @Test
    void aCertificateComesBeforeAToken() throws Exception {
        assertThat(get(JANE, "Authorization", "Bearer any").statusCode()).isEqualTo(200);

        assertThat(api.calls).singleElement().asString().contains("\"user\":\"jane\"");
    }

    @Test
    void whenTheAuthorityIsReplacedSoAreItsUsers() throws Exception {
        TestAuthority next = TestAuthority.named("next");
        try (Client client = client(JANE)) {
            assertThat(client.get("/metrics").statusCode()).isEqualTo(200);

            trust.set(trusting(next, PROXIES));

            assertThat(client.get("/metrics").statusCode()).isEqualTo(401);
        }
        assertThat(get(next.client("CN=jane")).statusCode()).isEqualTo(200);
    }

    @Test
    void theServerNamesWhoseCertificatesItTakes() throws Exception {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            CertificateClient jane = new CertificateClient(JANE);
            try (Client client = new Client(server, jane.tls(OWN.certificate()), version)) {
                client.get("/livez");
            }
            assertThat(jane.timesAsked()).isEqualTo(1);
            assertThat(jane.issuersNamed()).containsExactly("CN=kubernetes", "CN=front-proxy-ca");
        }
    }

    @Test
    void whereNobodysCertificatesAreTakenNoneIsAskedFor() throws Exception {
        trust.set(TrustedClients.NONE);
        CertificateClient stranger = new CertificateClient(STRANGER);
        try (Client client = new Client(server, stranger.tls(OWN.certificate()))) {
            assertThat(client.get("/metrics").statusCode()).isEqualTo(200);
        }
        assertThat(asked()).startsWith("{\"user\":\"system:anonymous\"");
        assertThat(stranger.timesAsked()).isZero();
    }

    @Test
    void aFrontProxyNamesTheUser() throws Exception {
        HttpResponse<String> response = get(
                PROXY,
                "X-Remote-User",
                "jane",
                "X-Remote-Group",
                "dev",
                "X-Remote-Group",
                "ops",
                "X-Remote-Uid",
                "7",
                "X-Remote-Extra-Example.com%2fScopes+",
                "all");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(asked())
                .startsWith("{\"user\":\"jane\",\"uid\":\"7\",\"groups\":[\"dev\",\"ops\",\"system:authenticated\"],"
                        + "\"extra\":{\"example.com/scopes+\":[\"all\"]}");
    }

    @Test
    void aFrontProxysWordComesBeforeItsOwnName() throws Exception {
        trust.set(trusting(PROXIES, PROXIES));

        get(PROXY, "X-Remote-User", "jane");
        assertThat(asked()).startsWith("{\"user\":\"jane\"");

        get(PROXY);
        assertThat(asked()).startsWith("{\"user\":\"front-proxy-client\"");
    }

    @Test
    void theFirstHeaderThatNamesAUserCounts() throws Exception {
        get(PROXY, "X-Other-User", "other");
        assertThat(asked()).startsWith("{\"user\":\"other\"");

        get(PROXY, "X-Other-User", "other", "X-Remote-User", "jane");
        assertThat(asked()).startsWith("{\"user\":\"jane\"");
    }

    @Test
    void aFrontProxyThatNamesNobodyIsNobodyItself() throws Exception {
        assertThat(get(PROXY).statusCode()).isEqualTo(401);
        assertThat(get(PROXY, "X-Remote-User", "").statusCode()).isEqualTo(401);
    }

    @Test
    void anotherClientOfTheProxysAuthorityMayNotNameUsers() throws Exception {
        TestAuthority other = PROXIES.client("CN=another-client");
        assertThat(get(other, "X-Remote-User", "jane").statusCode()).isEqualTo(401);

        trust.set(trusting(CLUSTER, PROXIES));
        assertThat(get(other, "X-Remote-User", "jane").statusCode()).isEqualTo(200);
    }

    @Test
    void headersOfWhoShowsNoCertificateSayNothing() throws Exception {
        try (Client client = new Client(server, OWN.sslContext())) {
            client.get("/metrics", "X-Remote-User", "admin", "X-Remote-Group", "system:masters");
        }
        assertThat(asked()).startsWith("{\"user\":\"system:anonymous\",\"groups\":[\"system:unauthenticated\"]");
    }

    @Test
    void aUsersCertificateMayNotNameAnotherUserInHeaders() throws Exception {
        get(JANE, "X-Remote-User", "admin", "X-Remote-Group", "system:masters");
        assertThat(asked()).startsWith("{\"user\":\"jane\",\"groups\":[\"dev\",\"ops\",\"system:authenticated\"]");

        TestAuthority inDisguise = CLUSTER.client("CN=front-proxy-client");
        get(inDisguise, "X-Remote-User", "admin", "X-Remote-Group", "system:masters");
        assertThat(asked()).startsWith("{\"user\":\"front-proxy-client\",\"groups\":[\"system:authenticated\"]");
    }

    @Test
    void headersWithACertificateFromElsewhereSayNothing() throws Exception {
        TestAuthority disguised = ELSEWHERE.client("CN=front-proxy-client");

        assertThat(get(disguised, "X-Remote-User", "admin").statusCode()).isEqualTo(401);
    }

    @Test
    void theProxysAuthorityDoesNotMakeUsers() throws Exception {
        assertThat(get(PROXIES.client("CN=jane,O=system:masters")).statusCode()).isEqualTo(401);
    }

    private HttpResponse<String> get(TestAuthority shown, String... headers) throws Exception {
        try (Client client = client(shown)) {
            return client.get("/metrics", headers);
        }
    }

    private Client client(TestAuthority shown) {
        return new Client(server, new CertificateClient(shown).tls(OWN.certificate()));
    }

    /** The user of the last SubjectAccessReview, and what follows. */
    private String asked() {
        String call = api.calls.getLast();
        return call.substring(call.indexOf("\"spec\":") + "\"spec\":".length());
    }

    private static TrustedClients trusting(TestAuthority users, TestAuthority proxies, String... names) {
        return new TrustedClients(users.authorities(), new FrontProxy(proxies.authorities(), List.of(names), HEADERS));
    }
}
