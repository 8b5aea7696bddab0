package io.evenkeel.app.http.auth;

import io.evenkeel.app.http.Request;
import io.evenkeel.kube.api.ApiTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Users by their bearer tokens: the API server reviews a token, and the answer is cached for a while. */
final class TokenReviews implements Identification {
    private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";
    private static final String SCHEME = "Bearer ";

    private final Optional<ApiTransport> server;
    private final ReviewedAnswers<String, Finding> known;

    TokenReviews(Optional<ApiTransport> server, Duration lifetime, InstantSource clock) {
        this(server, lifetime, clock, System::nanoTime);
    }

    TokenReviews(Optional<ApiTransport> server, Duration lifetime, InstantSource clock, LongSupplier nanos) {
        this.server = server;
        this.known = new ReviewedAnswers<>(
                "a token", (_, _) -> lifetime, digest -> digest, Finding.Known.class::isInstance, clock, nanos);
    }

    @Override
    public Finding identify(Request request) throws ReviewFailedException {
        String header = request.header("Authorization").strip();
        boolean bearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        String token = bearer ? header.substring(SCHEME.length()).strip() : "";
        if (token.isEmpty() || server.isEmpty()) {
            return NOTHING;
        }
        // tokens themselves are not kept
        String digest = Sha256.hex(token.getBytes(StandardCharsets.UTF_8));
        return known.to(digest, () -> ask(server.get(), token));
    }

    private static Finding ask(ApiTransport server, String token) throws ReviewFailedException {
        Map<String, Object> status = ReviewCall.status(server, PATH, json -> {
            json.writeStringField("apiVersion", "authentication.k8s.io/v1");
            json.writeStringField("kind", "TokenReview");
            json.writeObjectFieldStart("spec");
            json.writeStringField("token", token);
            json.writeEndObject();
        });
        if (!ReviewCall.truth(status, "authenticated")) {
            return new Finding.Refused("the token is no good");
        }
        Map<String, Object> user = ReviewCall.object(status, "user");
        Map<String, List<String>> extra = new LinkedHashMap<>();
        ReviewCall.object(user, "extra").forEach((key, values) -> extra.put(key, ReviewCall.texts(values)));
        return new Finding.Known(new User(
                        ReviewCall.text(user, "username"),
                        ReviewCall.text(user, "uid"),
                        ReviewCall.texts(user.getOrDefault("groups", List.of())),
                        extra)
                .authenticated());
    }
}
