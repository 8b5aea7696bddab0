package io.evenkeel.app.http.auth;

import io.evenkeel.kube.api.ApiTransport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Access to paths and resources: the API server answers a SubjectAccessReview, and the answer is cached for a while. */
final class AccessReviews {
    private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    /** Longer ones would fill the memory. */
    private static final int LONGEST_REMEMBERED = 256;

    /** @param reason why not, or an empty string */
    record Verdict(boolean allowed, String reason) {}

    private record Question(User user, Attributes attributes) {}

    private final Optional<ApiTransport> server;
    private final ReviewedAnswers<Question, Verdict> known;

    AccessReviews(
            Optional<ApiTransport> server, Duration allowedLifetime, Duration deniedLifetime, InstantSource clock) {
        this(server, allowedLifetime, deniedLifetime, clock, System::nanoTime);
    }

    AccessReviews(
            Optional<ApiTransport> server,
            Duration allowedLifetime,
            Duration deniedLifetime,
            InstantSource clock,
            LongSupplier nanos) {
        this.server = server;
        this.known = new ReviewedAnswers<>(
                "access",
                (question, verdict) -> question.attributes.isLongerThan(LONGEST_REMEMBERED)
                        ? Duration.ZERO
                        : verdict.allowed ? allowedLifetime : deniedLifetime,
                question -> question.user.name(),
                Verdict::allowed,
                clock,
                nanos);
    }

    Verdict review(User user, Attributes attributes) throws ReviewFailedException {
        if (user.isMaster()) {
            return new Verdict(true, "");
        }
        if (server.isEmpty()) {
            return new Verdict(false, "");
        }
        Question question = new Question(user, attributes);
        return known.to(question, () -> ask(server.get(), question));
    }

    private static Verdict ask(ApiTransport server, Question question) throws ReviewFailedException {
        Map<String, Object> status = ReviewCall.status(server, PATH, json -> {
            User user = question.user;
            json.writeStringField("apiVersion", "authorization.k8s.io/v1");
            json.writeStringField("kind", "SubjectAccessReview");
            json.writeObjectFieldStart("spec");
            json.writeStringField("user", user.name());
            if (!user.uid().isEmpty()) {
                json.writeStringField("uid", user.uid());
            }
            ReviewCall.strings(json, "groups", user.groups());
            json.writeObjectFieldStart("extra");
            for (Map.Entry<String, List<String>> extra : user.extra().entrySet()) {
                ReviewCall.strings(json, extra.getKey(), extra.getValue());
            }
            json.writeEndObject();
            question.attributes.write(json);
            json.writeEndObject();
        });
        boolean allowed = ReviewCall.truth(status, "allowed") && !ReviewCall.truth(status, "denied");
        return new Verdict(allowed, ReviewCall.text(status, "reason"));
    }
}
