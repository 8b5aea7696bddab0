package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.FakeApiServer;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.serve.AuthenticationOptions.TokenReviews;
import io.evenkeel.app.http.serve.AuthorizationOptions.AccessReviews;
import io.evenkeel.app.http.serve.AuthorizationOptions.DelegatedAccess;
import io.evenkeel.app.http.serve.Identification.Finding.Refused;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewBudget;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall.TooManyReviewsException;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.LogLines;
import io.evenkeel.testing.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What clients may make the scheduler ask of the API server. */
@Rotated(2)
class ReviewLimitsTest {
    private static final String NO_GOOD = "{\"status\":{\"error\":\"invalid bearer token\"}}";
    private static final String TOO_MANY = """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"Too many requests, please try again later.","reason":"TooManyRequests",\
        "details":{"retryAfterSeconds":1},"code":429}
        """;
    private static final int AT_ONCE = 400;

    private final AtomicLong nanos = new AtomicLong();
    private final InstantSource clock = () -> Instant.EPOCH.plusNanos(nanos.get());
    private final FakeApiServer server = new FakeApiServer();
    private final AccessControl access = new DelegatedAccess(
            List.of(),
            new TokenReviews(Optional.of(server), Duration.ofSeconds(10), clock, nanos::get),
            new AccessReviews(Optional.of(server), Duration.ofSeconds(10), Duration.ofSeconds(10), clock, nanos::get));

    @Test
    void whoComesOverTheLimitIsToldToComeAgain() {
        server.tokenReview = NO_GOOD;
        try (LogLines log = new LogLines(ReviewBudget.class)) {
            for (int i = 0; i < AT_ONCE; i++) {
                assertThat(codeFor("guess-" + i)).isEqualTo(401);
            }
            Reply refusal = refusal("another").orElseThrow();
            assertThat(refusal.code()).isEqualTo(429);
            assertThat(refusal.headers()).isEqualTo(Map.of("Retry-After", "1"));
            assertThat(refusal.body()).asString(StandardCharsets.UTF_8).isEqualTo(TOO_MANY);
            assertThat(codeFor("yet another")).isEqualTo(429);
            assertThat(server.calls).hasSize(AT_ONCE);

            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(4));
            assertThat(codeFor("another")).isEqualTo(429);
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
            assertThat(codeFor("another")).isEqualTo(401);
            assertThat(codeFor("yet another")).isEqualTo(429);

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Too many clients to review, refusing some [review=\"a token\", refused=\"1\"]");
        }
    }

    @Test
    void whatIsRememberedIsNotLimited() {
        server.tokenReview = "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"prometheus\"}}}";
        server.accessReview = "{\"status\":{\"allowed\":true}}";
        assertThat(refusal("prometheus")).isEmpty();
        server.tokenReview = NO_GOOD;
        for (int i = 0; i < 2 * AT_ONCE; i++) {
            refusal("guess-" + i);
        }
        assertThat(codeFor("guess")).isEqualTo(429);

        assertThat(refusal("prometheus")).isEmpty();
    }

    /** Two thousand bogus tokens and paths a second, and a reader who comes again when its answers are forgotten. */
    @Rotated(3)
    @Test
    void whoWasKnownIsReviewedAgainWhateverStrangersAsk() {
        for (int scrape = 0; scrape < 28; scrape++) {
            server.tokenReview = "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"prometheus\"}}}";
            server.accessReview = "{\"status\":{\"allowed\":true}}";
            assertThat(refusal("prometheus")).as("scrape %d", scrape).isEmpty();
            server.tokenReview = NO_GOOD;
            server.accessReview = "{\"status\":{\"allowed\":false}}";
            for (int second = 0; second < 3; second++) {
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
                for (int i = 0; i < 2_000; i++) {
                    refusal("guess-" + scrape + "-" + second + "-" + i);
                    access.refusal(DelegatedAccessTest.get("/" + scrape + "/" + second + "/" + i));
                }
            }
            assertThat(codeFor("guess")).isEqualTo(429);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(12));
        }
    }

    /** One who may read whatever is below a path asks for ever other paths, and is a stranger with each. */
    @Test
    void nobodyIsForgottenForOneWhoMayReadALot() throws Exception {
        ReviewedAnswers<String, Boolean> answers = new ReviewedAnswers<>(
                "access",
                (_, _) -> Duration.ofSeconds(10),
                question -> question.substring(0, question.indexOf('/')),
                allowed -> allowed,
                clock,
                nanos::get);
        for (int minute = 0; minute < 5; minute++) {
            assertThat(answers.to("prometheus/metrics", () -> true)).isTrue();
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
            int reviewed = 0;
            for (int i = 0; i < 10_000; i++) {
                try {
                    answers.to("tenant/" + minute + "/" + i, () -> true);
                    reviewed++;
                } catch (TooManyReviewsException _) {
                    // as it should be
                }
            }
            assertThat(reviewed).isEqualTo(AT_ONCE);
        }
        assertThat(answers.to("prometheus/metrics", () -> true)).isTrue();
    }

    @Test
    void strangersPathsAreLimitedTooAndLongOnesAreNotKept() {
        server.accessReview = "{\"status\":{\"allowed\":false}}";
        String path = "/" + "x".repeat(1000);
        for (int i = 0; i < AT_ONCE; i++) {
            assertThat(access.refusal(DelegatedAccessTest.get(path)).map(Reply::code))
                    .contains(403);
        }
        assertThat(server.calls).hasSize(AT_ONCE);
        assertThat(access.refusal(DelegatedAccessTest.get(path)).map(Reply::code))
                .contains(429);
        assertThat(access.refusal(DelegatedAccessTest.get("/metrics")).map(Reply::code))
                .contains(429);
    }

    @Test
    void whoShowsTheSameTokenWaitsForTheReviewThatIsUnderway() throws Exception {
        ReviewedAnswers<String, Identification.Finding> answers = new ReviewedAnswers<>(
                "a token", (_, _) -> Duration.ofSeconds(10), token -> token, _ -> true, clock, nanos::get);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger reviews = new AtomicInteger();
        AtomicInteger asking = new AtomicInteger();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Identification.Finding>> findings = IntStream.range(0, 50)
                    .mapToObj(i -> clients.submit(() -> {
                        asking.incrementAndGet();
                        return answers.to("token", () -> {
                            reviews.incrementAndGet();
                            awaitUninterrupted(answer);
                            return new Refused("no good");
                        });
                    }))
                    .toList();
            await().atMost(Patience.LIMIT).until(() -> asking.get() == 50 && reviews.get() >= 1);
            answer.countDown();
            for (Future<Identification.Finding> finding : findings) {
                assertThat(finding.get()).isEqualTo(new Refused("no good"));
            }
        }
        assertThat(reviews).hasValue(1);
    }

    @Test
    void aReviewThatFailsFailsForAllWhoWaitedAndIsAskedAnewByTheNext() {
        server.code = 503;
        assertThat(codeFor("token")).isEqualTo(401);
        server.code = 201;
        server.tokenReview = "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"alice\"}}}";
        server.accessReview = "{\"status\":{\"allowed\":true}}";
        assertThat(refusal("token")).isEmpty();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private int codeFor(String token) {
        return refusal(token).map(Reply::code).orElse(200);
    }

    private Optional<Reply> refusal(String token) {
        return access.refusal(DelegatedAccessTest.get("/metrics", "Authorization", "Bearer " + token));
    }
}
