package io.evenkeel.serve;

import com.sun.net.httpserver.Headers;
import evenkeel.whatif.v1.AskRequest;
import evenkeel.whatif.v1.AskResponse;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.model.json.Trees;
import io.evenkeel.serve.ObjectsOnWire.StepException;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Serves what-ifs over gRPC, on each of its addresses to whom the guard there lets pass. */
final class WhatIfServer implements AutoCloseable {
    private static final long BETWEEN_SWEEPS_SECONDS = 30;
    private static final int CALLS_OF_A_CONNECTION = 64;

    private final Sessions sessions;
    private final ScenarioQuestions scenarios;
    private final WhatIfLimits limits;
    private final ExecutorService calls = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("what-if-", 0).factory());
    private final ScheduledExecutorService sweeps = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("what-if-sweep").factory());
    private final List<Server> servers = new CopyOnWriteArrayList<>();

    WhatIfServer(ClusterSource source, ScenarioQuestions scenarios, WhatIfLimits limits) {
        this.limits = limits;
        this.scenarios = scenarios;
        sessions = new Sessions(
                source, limits, Math.max(1, Runtime.getRuntime().availableProcessors() / 2), System::nanoTime);
        var _ = sweeps.scheduleWithFixedDelay(
                sessions::sweep, BETWEEN_SWEEPS_SECONDS, BETWEEN_SWEEPS_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Listens on one more address, and returns it; port 0 takes a free one.
     *
     * @param tls empty for none
     */
    InetSocketAddress listen(InetSocketAddress address, Optional<SslContext> tls, AccessControl access)
            throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address)
                .executor(calls)
                .maxInboundMessageSize(limits.requestBytes())
                .maxConcurrentCallsPerConnection(CALLS_OF_A_CONNECTION)
                .maxConnectionIdle(limits.idle().toSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .addService(ServerInterceptors.intercept(whatIf(), new Guard(access)));
        tls.ifPresent(builder::sslContext);
        Server server = builder.build().start();
        servers.add(server);
        return (InetSocketAddress) server.getListenSockets().getFirst();
    }

    private ServerServiceDefinition whatIf() {
        return ServerServiceDefinition.builder(WhatIfMethods.SERVICE)
                .addMethod(
                        WhatIfMethods.SESSION,
                        ServerCalls.asyncBidiStreamingCall(responses -> sessions.begin(Client.current(), responses)))
                .addMethod(WhatIfMethods.ASK, ServerCalls.asyncUnaryCall(this::ask))
                .build();
    }

    private void ask(AskRequest request, StreamObserver<AskResponse> response) {
        try {
            String answer = sessions.inTurn(() -> scenarios.answer(request.getScenario()));
            response.onNext(AskResponse.newBuilder().setAnswer(answer).build());
            response.onCompleted();
        } catch (StepException wrong) {
            response.onError(
                    Status.INVALID_ARGUMENT.withDescription(wrong.getMessage()).asException());
        } catch (StatusException known) {
            response.onError(known);
        }
    }

    @Override
    public void close() {
        servers.forEach(Server::shutdownNow);
        calls.shutdownNow();
        sweeps.shutdownNow();
    }

    /** Lets the guard of the other endpoints decide: the method's path is the request's, and the verb is {@code post}. */
    private record Guard(AccessControl access) implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Request request = request(call, headers);
            switch (access.admission(request)) {
                case AccessControl.Passed(Request passed) -> {
                    Client client = new Client(
                            passed.user(), () -> access.refusal(request).isEmpty());
                    return Contexts.interceptCall(client.inContext(), call, headers, next);
                }
                case AccessControl.TurnedAway(Reply reply) -> {
                    call.close(status(reply), new Metadata());
                    return new ServerCall.Listener<>() {};
                }
            }
        }

        private static Request request(ServerCall<?, ?> call, Metadata metadata) {
            Headers headers = new Headers();
            for (String name : metadata.keys()) {
                if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                    Iterable<String> values = metadata.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
                    if (values != null) {
                        values.forEach(value -> headers.add(name, value));
                    }
                }
            }
            return new Request(
                    "POST",
                    "/" + call.getMethodDescriptor().getFullMethodName(),
                    Map.of(),
                    headers,
                    certificates(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION)),
                    "",
                    () -> !call.isCancelled());
        }

        private static List<X509Certificate> certificates(@Nullable SSLSession session) {
            if (session == null) {
                return List.of();
            }
            try {
                return Arrays.stream(session.getPeerCertificates())
                        .map(X509Certificate.class::cast)
                        .toList();
            } catch (SSLPeerUnverifiedException noneShown) {
                return List.of();
            }
        }

        private static Status status(Reply reply) {
            Status.Code code = switch (reply.code()) {
                case 401 -> Status.Code.UNAUTHENTICATED;
                case 403 -> Status.Code.PERMISSION_DENIED;
                case 429 -> Status.Code.RESOURCE_EXHAUSTED;
                default -> Status.Code.UNAVAILABLE;
            };
            String message = Trees.parse(new String(reply.body(), StandardCharsets.UTF_8))
                    .get("message")
                    .getAsString();
            return code.toStatus().withDescription(message);
        }
    }
}
