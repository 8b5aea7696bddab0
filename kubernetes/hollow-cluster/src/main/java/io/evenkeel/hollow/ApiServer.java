package io.evenkeel.hollow;

import io.evenkeel.hollow.Faults.Fault;
import io.evenkeel.hollow.Listener.Answerer;
import io.evenkeel.hollow.Listener.Outcome;
import io.evenkeel.hollow.Listener.RawRequest;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ApiException;
import io.evenkeel.hollow.resource.Refusals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The API over HTTP. It can be stopped and started again on its port, and then serves the same objects. */
final class ApiServer implements AutoCloseable {

    private final OpenWatches watches;
    private final Gateway gateway;
    private final Optional<SSLContext> tls;
    private int port;
    private @Nullable Listener listener;

    ApiServer(
            Registry registry,
            ObjectWriter writer,
            Tokens tokens,
            Supplier<Authorizer> authorizer,
            Faults faults,
            RequestLog log,
            Settings settings) {
        watches = new OpenWatches(
                registry.store(), writer, faults, settings.bookmarkInterval(), settings.offersWatchList());
        Resources resources = new Resources(registry, writer, watches, tokens);
        Router router = new Router(resources, new Reviews(tokens, authorizer, writer), authorizer);
        gateway = new Gateway(tokens, router, faults, log);
        tls = settings.tls();
        port = settings.port();
    }

    /** Accepts connections; on any free port the first time if none was set, on the same port ever after. */
    synchronized void start() {
        if (listener == null) {
            listener = Listener.open(port, tls, gateway);
            port = listener.port();
        }
    }

    /** Breaks all connections and refuses new ones. */
    synchronized void stop() {
        if (listener != null) {
            watches.closeAll();
            listener.close();
            listener = null;
        }
    }

    synchronized String url() {
        return (tls.isPresent() ? "https" : "http") + "://127.0.0.1:" + port;
    }

    /** Ends all watches; their clients will come back. */
    void closeWatches() {
        watches.closeAll();
    }

    int openWatches() {
        return watches.open();
    }

    @Override
    public void close() {
        stop();
    }

    /** How to serve; a port of 0 means any free one. */
    record Settings(int port, Optional<SSLContext> tls, Duration bookmarkInterval, boolean offersWatchList) {}

    /** Every request passes here: who calls, what for, may they, does something go wrong, and what is the answer. */
    private record Gateway(Tokens tokens, Router router, Faults faults, RequestLog log) implements Answerer {
        private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

        @Override
        public Outcome answer(RawRequest raw) throws IOException, InterruptedException {
            log.begun();
            try {
                Optional<User> user = tokens.userOfHeader(raw.header("Authorization"));
                ApiRequest request = ApiRequest.read(raw, user.orElse(User.ANONYMOUS));
                if (HEALTH.contains(request.path())) {
                    return new Outcome.Answered(ApiReply.text("ok"));
                }
                List<String> segments = RequestPath.segments(request.path());
                Attributes attributes = router.attributes(request, segments);
                delay();
                faults.awaitLetOn(attributes);
                return log.enter(
                        () -> outcome(request, segments, attributes, user.isPresent()),
                        outcome -> new LoggedRequest(
                                raw.protocol(),
                                request.method(),
                                raw.target().toString(),
                                outcome.code(),
                                request.user().name(),
                                attributes));
            } finally {
                log.ended();
            }
        }

        private Outcome outcome(
                ApiRequest request, List<String> segments, Attributes attributes, boolean authenticated) {
            if (!authenticated) {
                return new Outcome.Answered(ApiReply.status(Refusals.unauthorized()));
            }
            Optional<Fault> fault = faults.strike(attributes);
            return fault.isEmpty()
                    ? new Outcome.Answered(reply(request, segments, attributes))
                    : faulty(fault.get(), request, segments, attributes);
        }

        private Outcome faulty(Fault fault, ApiRequest request, List<String> segments, Attributes attributes) {
            return switch (fault) {
                case Fault.Refuse refuse -> new Outcome.Answered(ApiReply.status(refusal(refuse)));
                case Fault.DropRequest _ -> new Outcome.BrokenOff();
                case Fault.DropAnswer _ -> {
                    reply(request, segments, attributes);
                    yield new Outcome.BrokenOff();
                }
                case Fault.BreakConnection _ -> {
                    reply(request, segments, attributes);
                    yield new Outcome.Disconnected();
                }
            };
        }

        private ApiReply reply(ApiRequest request, List<String> segments, Attributes attributes) {
            try {
                return router.route(request, segments, attributes);
            } catch (ApiException e) {
                return ApiReply.status(e);
            } catch (RuntimeException e) {
                return ApiReply.status(Refusals.internal("Internal error occurred: " + e));
            }
        }

        private static ApiException refusal(Fault.Refuse refuse) {
            var details = new com.google.gson.JsonObject();
            if (refuse.retryAfterSeconds() > 0) {
                details.addProperty("retryAfterSeconds", refuse.retryAfterSeconds());
            }
            return switch (refuse.code()) {
                case 409 -> Refusals.refuse(409, "Conflict", "the object has been modified (ordered)", details);
                case 429 ->
                    Refusals.refuse(
                            429, "TooManyRequests", "too many requests, please try again later (ordered)", details);
                case 503 -> Refusals.refuse(503, "ServiceUnavailable", "the server is unavailable (ordered)", details);
                default -> Refusals.refuse(refuse.code(), "InternalError", "an error occurred (ordered)", details);
            };
        }

        private void delay() throws InterruptedException {
            Duration latency = faults.currentLatency();
            if (latency.isPositive()) {
                Thread.sleep(latency);
            }
        }
    }
}
