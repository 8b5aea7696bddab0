package io.evenkeel.app.http.serve;

import com.google.gson.JsonObject;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.serve.Identification.Finding.Known;
import io.evenkeel.app.http.serve.Identification.Finding.Nothing;
import io.evenkeel.app.http.serve.Identification.Finding.Refused;
import io.evenkeel.app.http.serve.Identification.User;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall.ReviewFailedException;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall.TooManyReviewsException;
import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.write.Tree;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options about what a client may read, by the names that kube-scheduler gave them. */
@Command(optionListHeading = "Access")
final class AuthorizationOptions {
    @Option(
            names = "--authorization-kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the API server that reviews access (default: the scheduler's own)")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--authorization-webhook-cache-authorized-ttl",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "How long to cache that a user may read a path (default: 10s)")
    private Duration allowedMemory = Duration.ofSeconds(10);

    @Option(
            names = "--authorization-webhook-cache-unauthorized-ttl",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "How long to cache that a user may not read a path (default: 10s)")
    private Duration deniedMemory = Duration.ofSeconds(10);

    @Option(
            names = "--authorization-always-allow-paths",
            paramLabel = "PATH",
            split = ",",
            description = "Paths that need no authorization; an asterisk at the end matches anything (default:"
                    + " /healthz,/readyz,/livez)")
    private List<String> allowedPaths = List.of("/healthz", "/readyz", "/livez");

    public Optional<Path> kubeconfig() {
        return kubeconfig;
    }

    /** Without a reviewer, clients may read {@code --authorization-always-allow-paths} alone. */
    public AccessControl access(Identification identification, Optional<ApiTransport> reviewer, InstantSource clock) {
        return new DelegatedAccess(
                allowedPaths, identification, new AccessReviews(reviewer, allowedMemory, deniedMemory, clock));
    }

    /**
     * Identifies the client, and lets the API server decide whether it may read what it asks for. Some paths are for everybody and
     * pass without asking. Refusals are worded as by other Kubernetes components.
     */
    record DelegatedAccess(List<String> allowedPaths, Identification identification, AccessReviews access)
            implements AccessControl {
        private static final Logger log = LoggerFactory.getLogger(DelegatedAccess.class);

        DelegatedAccess {
            allowedPaths = List.copyOf(allowedPaths);
        }

        @Override
        public Admission admission(Request request) {
            if (allowedPaths.stream().anyMatch(allowed -> covers(allowed, request.path()))) {
                return new Passed(request);
            }
            Optional<User> user;
            try {
                user = user(request);
            } catch (TooManyReviewsException _) {
                return new TurnedAway(ErrorStatus.tooMany());
            } catch (ReviewFailedException _) {
                return new TurnedAway(ErrorStatus.unauthorized());
            }
            if (user.isEmpty()) {
                return new TurnedAway(ErrorStatus.unauthorized());
            }
            Attributes attributes = Attributes.of(request);
            try {
                AccessReviews.Verdict verdict = access.review(user.get(), attributes);
                return verdict.allowed()
                        ? new Passed(request.by(user.get().name()))
                        : new TurnedAway(forbidden(user.get(), attributes, verdict));
            } catch (TooManyReviewsException _) {
                return new TurnedAway(ErrorStatus.tooMany());
            } catch (ReviewFailedException _) {
                return new TurnedAway(ErrorStatus.internal("access to the path could not be reviewed"));
            }
        }

        private static Reply forbidden(User user, Attributes attributes, AccessReviews.Verdict verdict) {
            String what = attributes.refused(user.name());
            return ErrorStatus.forbidden(verdict.reason().isEmpty() ? what : what + ": " + verdict.reason());
        }

        /** The user behind the request, anonymous if it shows no credential; empty if the shown ones are bad. */
        private Optional<User> user(Request request) throws ReviewFailedException {
            return switch (identification.identify(request)) {
                case Known known -> Optional.of(known.user());
                case Nothing _ -> Optional.of(User.ANONYMOUS);
                case Refused refused -> {
                    log.atDebug()
                            .setMessage("Client not authenticated")
                            .addKeyValue("why", refused.why())
                            .log();
                    yield Optional.empty();
                }
            };
        }

        private static boolean covers(String allowed, String path) {
            return allowed.endsWith("*")
                    ? path.startsWith(allowed.substring(0, allowed.length() - 1))
                    : path.equals(allowed);
        }
    }

    /** Access to paths and resources: the API server answers a SubjectAccessReview, and the answer is cached for a while. */
    static final class AccessReviews {
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
            User user = question.user;
            Tree spec = new Tree()
                    .put("user", user.name())
                    .putNonEmpty("uid", user.uid())
                    .put("groups", user.groups())
                    .put("extra", user.extra())
                    .put(question.attributes.kind(), question.attributes.fields());
            Tree review = new Tree()
                    .put("apiVersion", "authorization.k8s.io/v1")
                    .put("kind", "SubjectAccessReview")
                    .put("spec", spec);
            JsonObject status = ReviewCall.status(server, PATH, review);
            boolean allowed = ReviewCall.truth(status, "allowed") && !ReviewCall.truth(status, "denied");
            return new Verdict(allowed, ReviewCall.text(status, "reason"));
        }
    }

    /**
     * A request as a SubjectAccessReview asks about it.
     *
     * @param kind the review's field for it
     * @param refusal the words that refuse a user, behind the name
     */
    record Attributes(String kind, Map<String, String> fields, String subject, String refusal) {
        /**
         * By the path's form, as an API server tells them apart. The namespace is empty for all, the subresource for the resource
         * itself, the name for a list.
         *
         * <pre>
         *   /metrics                                                          a path
         *   /apis/why.evenkeel.io/v1alpha1                                    a path
         *   /apis/why.evenkeel.io/v1alpha1/namespaces/shop/pods/web/placement the resource pods/placement of namespace shop
         *   …/placement?allNamespaces                                         the same resource of all namespaces
         *   /apis/why.evenkeel.io/v1alpha1/namespaces/shop/placements         a list of placements of namespace shop
         *   /apis/why.evenkeel.io/v1alpha1/placements                         a list of placements of all namespaces
         * </pre>
         */
        static Attributes of(Request request) {
            String verb = request.method().toLowerCase(Locale.ROOT);
            List<String> parts = List.of(request.path().split("/", -1));
            boolean isNamespaced = parts.size() >= 7 && parts.get(4).equals("namespaces");
            boolean isResource = parts.size() >= 5
                    && parts.size() <= 9
                    && parts.get(1).equals("apis")
                    && (isNamespaced || (parts.size() == 5 && !parts.get(4).isEmpty()));
            Map<String, String> fields = new LinkedHashMap<>();
            if (!isResource) {
                fields.put("path", request.path());
                fields.put("verb", verb);
                return new Attributes(
                        "nonResourceAttributes", fields, "", "cannot " + verb + " path \"" + request.path() + "\"");
            }
            List<String> resource = parts.subList(isNamespaced ? 6 : 4, parts.size());
            String name = resource.size() > 1 ? resource.get(1) : "";
            String subresource = resource.size() > 2 ? resource.get(2) : "";
            String read = resource.size() > 1 ? "get" : "list";
            String namespace = isNamespaced && !request.asks("allNamespaces") ? parts.get(5) : "";
            fields.put("verb", verb.equals("head") || verb.equals("get") ? read : verb);
            fields.put("group", parts.get(2));
            fields.put("version", parts.get(3));
            fields.put("namespace", namespace);
            fields.put("resource", resource.getFirst());
            fields.put("subresource", subresource);
            fields.put("name", name);
            return new Attributes(
                    "resourceAttributes",
                    fields,
                    resource.getFirst() + "." + parts.get(2) + (name.isEmpty() ? "" : " \"" + name + '"') + " is ",
                    "cannot " + fields.get("verb") + " resource \"" + resource.getFirst()
                            + (subresource.isEmpty() ? "" : "/" + subresource) + "\" in API group \"" + parts.get(2)
                            + "\" "
                            + (namespace.isEmpty()
                                    ? "at the cluster scope"
                                    : "in the namespace \"" + namespace + "\""));
        }

        /** Whether it is worth no place in the memory: longer ones are strangers' guesses. */
        boolean isLongerThan(int characters) {
            return fields.values().stream().mapToInt(String::length).sum() > characters;
        }

        String refused(String user) {
            return subject + "forbidden: User \"" + user + "\" " + refusal;
        }
    }
}
