package io.evenkeel.app.http.serve;

import static ch.qos.logback.classic.Level.DEBUG;
import static ch.qos.logback.classic.Level.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.FakeApiServer;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.serve.AuthenticationOptions.TokenReviews;
import io.evenkeel.app.http.serve.AuthorizationOptions.AccessReviews;
import io.evenkeel.app.http.serve.AuthorizationOptions.DelegatedAccess;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.ReviewedAnswers.ExpiringCache;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.testing.LogLines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelegatedAccessTest {
    private static final String ALICE = "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"alice\","
            + "\"uid\":\"7\",\"groups\":[\"dev\"],\"extra\":{\"scopes\":[\"all\"]}}}}";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource clock = now::get;
    private final FakeApiServer server = new FakeApiServer();
    private final AccessControl access = access(Optional.of(server), Optional.of(server));

    @Test
    void pathsForEverybodyPassWithoutAsking() {
        assertThat(access.refusal(get("/healthz"))).isEmpty();
        assertThat(server.calls).isEmpty();
    }

    @Test
    void whoeverMayPasses() {
        server.tokenReview = ALICE;
        server.accessReview = "{\"status\":{\"allowed\":true}}";

        assertThat(access.refusal(get("/metrics", "Authorization", "Bearer secret")))
                .isEmpty();
        assertThat(server.calls)
                .containsExactly(
                        "POST /apis/authentication.k8s.io/v1/tokenreviews {\"apiVersion\":\"authentication.k8s.io/v1\","
                                + "\"kind\":\"TokenReview\",\"spec\":{\"token\":\"secret\"}}",
                        "POST /apis/authorization.k8s.io/v1/subjectaccessreviews"
                                + " {\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\","
                                + "\"spec\":{\"user\":\"alice\",\"uid\":\"7\",\"groups\":[\"dev\",\"system:authenticated\"],"
                                + "\"extra\":{\"scopes\":[\"all\"]},"
                                + "\"nonResourceAttributes\":{\"path\":\"/metrics\",\"verb\":\"get\"}}}");
    }

    @Test
    void whoeverPassesIsNamed() {
        server.tokenReview = ALICE;
        server.accessReview = "{\"status\":{\"allowed\":true}}";

        assertThat(access.admission(get("/metrics", "Authorization", "Bearer secret")))
                .isInstanceOfSatisfying(
                        AccessControl.Passed.class,
                        passed -> assertThat(passed.request().user()).isEqualTo("alice"));
    }

    @Test
    void anAnonymousClientIsForbiddenInTheWordsOfKubernetes() {
        server.accessReview = "{\"status\":{\"allowed\":false,\"reason\":\"no RBAC policy matched\"}}";

        Reply refusal = access.refusal(get("/metrics")).orElseThrow();

        assertThat(refusal.code()).isEqualTo(403);
        assertThat(text(refusal))
                .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                        + "\"message\":\"forbidden: User \\\"system:anonymous\\\" cannot get path \\\"/metrics\\\":"
                        + " no RBAC policy matched\",\"reason\":\"Forbidden\",\"details\":{},\"code\":403}\n");
    }

    @Test
    void aBadTokenIsUnauthorized() {
        server.tokenReview = "{\"status\":{\"error\":\"invalid bearer token\"}}";

        Reply refusal =
                access.refusal(get("/metrics", "Authorization", "Bearer wrong")).orElseThrow();

        assertThat(refusal.code()).isEqualTo(401);
        assertThat(text(refusal)).contains("\"message\":\"Unauthorized\"").contains("\"code\":401");
    }

    @Test
    void answersAreRememberedForTenSeconds() {
        server.tokenReview = ALICE;
        server.accessReview = "{\"status\":{\"allowed\":true}}";
        Request request = get("/metrics", "Authorization", "Bearer secret");

        access.refusal(request);
        now.set(Instant.EPOCH.plusMillis(9_999));
        access.refusal(request);
        assertThat(server.calls).hasSize(2);

        now.set(Instant.EPOCH.plusSeconds(10));
        server.accessReview = "{\"status\":{\"allowed\":false}}";
        assertThat(access.refusal(request)).isPresent();
        assertThat(server.calls).hasSize(4);
    }

    @Test
    void aServerThatCannotBeAskedLetsNobodyInAndIsAskedAgain() {
        server.code = 503;
        assertThat(access.refusal(get("/metrics")).map(Reply::code)).contains(500);
        assertThat(access.refusal(get("/metrics", "Authorization", "Bearer secret"))
                        .map(Reply::code))
                .contains(401);

        server.code = 201;
        server.accessReview = "{\"status\":{\"allowed\":true}}";
        assertThat(access.refusal(get("/metrics"))).isEmpty();
    }

    @Test
    void aServerThatCannotBeAskedIsWorthOneWarningUntilItAnswers() {
        try (LogLines log = new LogLines(ReviewedAnswers.class)) {
            for (int code : new int[] {503, 503, 201, 503}) {
                server.code = code;
                server.accessReview = "{\"status\":{\"allowed\":true}}";
                now.set(now.get().plusSeconds(60));
                assertThat(access.refusal(get("/metrics")).isEmpty()).isEqualTo(code == 201);
            }

            assertThat(log.events()).extracting(ILoggingEvent::getLevel).containsExactly(WARN, DEBUG, WARN);
            assertThat(log.lines().getFirst()).startsWith("WARN Cannot review [review=\"access\", why=");
        }
    }

    /** Answers that are remembered, masters who need none, and reviews of the other kind are no news of the server. */
    @Test
    void clientsOfAllSortsInTurnAreNotWorthAWarningEach() {
        server.tokenReview = ALICE.replace("dev", "system:masters");
        Request master = get("/metrics", "Authorization", "Bearer masters");
        access.refusal(master);
        server.code = 503;

        try (LogLines log = new LogLines(ReviewedAnswers.class)) {
            for (int round = 0; round < 3; round++) {
                assertThat(access.refusal(get("/metrics"))).isPresent();
                assertThat(access.refusal(get("/metrics", "Authorization", "Bearer secret")))
                        .isPresent();
                assertThat(access.refusal(master)).isEmpty();
            }

            assertThat(log.lines()).filteredOn(line -> line.startsWith("WARN")).hasSize(2);
            assertThat(log.lines()).hasSize(6);
        }
    }

    @Test
    void withoutAServerOnlyThePathsForEverybodyAreRead() {
        AccessControl alone = access(Optional.empty(), Optional.empty());

        assertThat(alone.refusal(get("/readyz"))).isEmpty();
        assertThat(alone.refusal(get("/metrics", "Authorization", "Bearer secret"))
                        .map(Reply::code))
                .contains(403);
    }

    @Test
    void aResourceIsReviewedAsOneAndNotAsAPath() {
        server.accessReview = "{\"status\":{\"allowed\":false}}";
        String path = "/apis/why.evenkeel.io/v1alpha1/namespaces/shop/pods/web/placement";

        Reply refusal = access.refusal(get(path)).orElseThrow();

        assertThat(server.calls.getLast())
                .endsWith(
                        "\"resourceAttributes\":{\"verb\":\"get\",\"group\":\"why.evenkeel.io\",\"version\":\"v1alpha1\","
                                + "\"namespace\":\"shop\",\"resource\":\"pods\",\"subresource\":\"placement\",\"name\":\"web\"}}}");
        assertThat(text(refusal))
                .contains(
                        "pods.why.evenkeel.io \\\"web\\\" is forbidden: User \\\"system:anonymous\\\" cannot get resource"
                                + " \\\"pods/placement\\\" in API group \\\"why.evenkeel.io\\\" in the namespace \\\"shop\\\"");
    }

    @Test
    void whoAsksForPodsOfAllNamespacesIsReviewedForAll() {
        server.accessReview = "{\"status\":{\"allowed\":true}}";
        String path = "/apis/why.evenkeel.io/v1alpha1/namespaces/shop/pods/web/placement";

        assertThat(access.refusal(new Request("GET", path, Map.of("allNamespaces", List.of("")), new Headers())))
                .isEmpty();
        assertThat(access.refusal(get(path))).isEmpty();

        assertThat(server.calls).hasSize(2);
        assertThat(server.calls.getFirst()).contains("\"namespace\":\"\",");
        assertThat(server.calls.getLast()).contains("\"namespace\":\"shop\",");
    }

    @ParameterizedTest
    @CsvSource({
        "namespaces/shop/placements,               shop, in the namespace \\\"shop\\\"",
        "namespaces/shop/placements?allNamespaces, '',   at the cluster scope",
        "placements,                               '',   at the cluster scope"
    })
    void aListIsReviewedAsOne(String path, String namespace, String where) {
        server.accessReview = "{\"status\":{\"allowed\":false}}";
        String[] parts = path.split("\\?", -1);

        Reply refusal = access.refusal(new Request(
                        "GET",
                        "/apis/why.evenkeel.io/v1alpha1/" + parts[0],
                        parts.length > 1 ? Map.of(parts[1], List.of("")) : Map.of(),
                        new Headers()))
                .orElseThrow();

        assertThat(server.calls.getLast())
                .contains("\"verb\":\"list\",\"group\":\"why.evenkeel.io\"")
                .endsWith("\"namespace\":\"" + namespace
                        + "\",\"resource\":\"placements\",\"subresource\":\"\",\"name\":\"\"}}}");
        assertThat(text(refusal))
                .contains("placements.why.evenkeel.io is forbidden: User")
                .contains(where);
    }

    @Test
    void theMastersNeedNoReview() {
        server.tokenReview = ALICE.replace("dev", "system:masters");

        assertThat(access.refusal(get("/metrics", "Authorization", "Bearer secret")))
                .isEmpty();
        assertThat(server.calls).hasSize(1);
    }

    @Test
    void anAsteriskStandsForAnythingAndNothingElseDoes() {
        AccessControl some = new DelegatedAccess(
                List.of("/debug/*"),
                new TokenReviews(Optional.empty(), Duration.ZERO, clock),
                new AccessReviews(Optional.empty(), Duration.ZERO, Duration.ZERO, clock));

        assertThat(some.refusal(get("/debug/cache"))).isEmpty();
        assertThat(some.refusal(get("/debug"))).isPresent();
        assertThat(some.refusal(get("/healthz"))).isPresent();
    }

    @Test
    void theCacheForgetsTheOldestWhenItIsFull() {
        var cache = new ExpiringCache<Integer, String>(2, clock);
        cache.put(1, "one", Duration.ofSeconds(10));
        cache.put(2, "two", Duration.ofSeconds(10));
        cache.put(1, "uno", Duration.ofSeconds(10));
        cache.put(3, "three", Duration.ofSeconds(10));

        assertThat(cache.size()).isEqualTo(2);
        assertThat(cache.get(1)).contains("uno");
        assertThat(cache.get(2)).isEmpty();
    }

    private AccessControl access(Optional<ApiTransport> authentication, Optional<ApiTransport> authorization) {
        Identification tokens =
                new AuthenticationOptions().identification(() -> TrustedClients.NONE, authentication, clock);
        return new AuthorizationOptions().access(tokens, authorization, clock);
    }

    static Request get(String path, String... header) {
        Headers headers = new Headers();
        if (header.length > 0) {
            headers.set(header[0], header[1]);
        }
        return new Request("GET", path, Map.of(), headers);
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
