package io.evenkeel.serve;

import com.sun.net.httpserver.Headers;
import evenkeel.whatif.v1.AskRequest;
import evenkeel.whatif.v1.AskResponse;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.serve.ServingException;
import io.evenkeel.app.http.serve.ServingOptions.Guard;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.model.json.Trees;
import io.evenkeel.serve.ObjectsOnWire.StepException;
import io.evenkeel.serve.WhatIfMetrics.Refusal;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
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
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves what-ifs over gRPC, on each of its addresses to whom the guard there lets pass. */
final class WhatIfServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WhatIfServer.class);
    private static final long BETWEEN_SWEEPS_SECONDS = 30;
    private static final long LONGEST_CLOSING_SECONDS = 5;
    private static final int CALLS_OF_A_CONNECTION = 64;
    private static final int MOST_RESETS_IN_A_WINDOW = 200;
    private static final int WINDOW_SECONDS = 30;
    private static final long KEEP_ALIVE_SECONDS = 60;
    private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 20;
    /** Held here, as it is held weakly: it would write a stack to standard error whenever a client sends what is no message. */
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("io.grpc");

    static {
        LIBRARY.setLevel(java.util.logging.Level.OFF);
    }

    private final Sessions sessions;
    private final ScenarioQuestions scenarios;
    private final CallsOfUsers callsOfUsers;
    private final WhatIfLimits limits;
    private final WhatIfMetrics metrics;
    private final Connections connections;
    private final ExecutorService calls = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("what-if-", 0).factory());
    private final ScheduledExecutorService sweeps = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("what-if-sweep").factory());
    private final List<Server> servers = new CopyOnWriteArrayList<>();

    WhatIfServer(ClusterSource source, ScenarioQuestions scenarios, WhatIfLimits limits, WhatIfMetrics metrics) {
        this.limits = limits;
        this.scenarios = scenarios;
        this.metrics = metrics;
        connections = new Connections(limits, metrics);
        callsOfUsers = new CallsOfUsers(limits);
        sessions = new Sessions(
                source, limits, metrics, Math.max(1, Runtime.getRuntime().availableProcessors() / 2), System::nanoTime);
        metrics.observe(sessions, connections);
        var _ = sweeps.scheduleWithFixedDelay(
                sessions::sweep, BETWEEN_SWEEPS_SECONDS, BETWEEN_SWEEPS_SECONDS, TimeUnit.SECONDS);
    }

    /** Listens where it is wished. Throws a ServingException if a port is in use. */
    void listen(WhatIfPorts ports, Optional<Guard> guard) {
        if (ports.secure() > 0 && guard.isPresent()) {
            Guard guarded = guard.get();
            listen(
                    "--whatif-port",
                    new InetSocketAddress(guarded.address(), ports.secure()),
                    Optional.of(tls(guarded)),
                    guarded.access());
        }
        if (ports.plain() > 0) {
            listen(
                    "--insecure-whatif-port",
                    new InetSocketAddress("127.0.0.1", ports.plain()),
                    Optional.empty(),
                    AccessControl.OPEN_TO_ALL);
        }
    }

    private void listen(String option, InetSocketAddress address, Optional<SslContext> tls, AccessControl access) {
        try {
            InetSocketAddress listening = listen(address, tls, access);
            log.atInfo()
                    .setMessage(tls.isPresent() ? "Answering what-ifs" : "Answering what-ifs without authentication")
                    .addKeyValue("address", address.getHostString() + ":" + listening.getPort())
                    .log();
        } catch (IOException inUse) {
            String where = address.getHostString() + ":" + address.getPort();
            throw new ServingException(option, "cannot listen on " + where + ": " + inUse.getMessage());
        }
    }

    private static SslContext tls(Guard guard) {
        JdkSslContext http2 = new JdkSslContext(
                guard.tls(),
                false,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2),
                ClientAuth.OPTIONAL,
                null,
                false);
        return new DelegatingSslContext(http2) {
            @Override
            protected void initEngine(SSLEngine engine) {
                SSLParameters connection = engine.getSSLParameters();
                guard.connection().accept(connection);
                engine.setSSLParameters(connection);
            }
        };
    }

    /**
     * Listens on one more address, and returns it; port 0 takes a free one.
     *
     * @param tls empty for none
     */
    InetSocketAddress listen(InetSocketAddress address, Optional<SslContext> tls, AccessControl access)
            throws IOException {
        Admitting admitting = new Admitting(access, callsOfUsers, connections, metrics);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address)
                .executor(calls)
                .maxInboundMessageSize(limits.bytes())
                .maxConcurrentCallsPerConnection(CALLS_OF_A_CONNECTION)
                .maxConnectionIdle(limits.idle().toSeconds(), TimeUnit.SECONDS)
                .maxRstFramesPerWindow(MOST_RESETS_IN_A_WINDOW, WINDOW_SECONDS)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .addService(ServerInterceptors.intercept(whatIf(), admitting))
                .addService(ServerInterceptors.intercept(
                        new KarmadaEstimator(sessions, limits, metrics, InstantSource.system()).service(), admitting));
        builder.handshakeTimeout(limits.traffic().handshake().toMillis(), TimeUnit.MILLISECONDS);
        connections.limit(builder);
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
        long began = System.nanoTime();
        try {
            String answer = sessions.inTurn(() -> scenarios.answer(request.getScenario()));
            response.onNext(AskResponse.newBuilder().setAnswer(answer).build());
            response.onCompleted();
        } catch (StepException wrong) {
            response.onError(
                    Status.INVALID_ARGUMENT.withDescription(wrong.getMessage()).asException());
        } catch (StatusException known) {
            response.onError(known);
        } catch (RuntimeException | StackOverflowError bug) {
            response.onError(told(bug));
        } finally {
            metrics.answered("Ask", System.nanoTime() - began);
        }
    }

    /** A bug goes to the log, and who asked hears that there is one. */
    static StatusException told(Throwable bug) {
        log.atError().setMessage("What-if failed").setCause(bug).log();
        return Status.INTERNAL
                .withDescription("the question failed by a bug; the server's log says which")
                .asException();
    }

    /** Stops at once; what is being asked is cut off. */
    @Override
    public void close() {
        servers.forEach(Server::shutdownNow);
        try {
            for (Server server : servers) {
                server.awaitTermination(LONGEST_CLOSING_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        connections.close();
        calls.shutdownNow();
        sweeps.shutdownNow();
    }

    /** How many calls of each user are underway; used by several threads. */
    private static final class CallsOfUsers {
        private final WhatIfLimits limits;
        private final Map<String, Integer> underway = new HashMap<>();
        private int all;

        CallsOfUsers(WhatIfLimits limits) {
            this.limits = limits;
        }

        /** Lets one more in, or says why not. */
        synchronized Optional<String> enter(String user) {
            if (underway.getOrDefault(user, 0) >= limits.traffic().callsOfOne()) {
                return Optional.of("a user has " + limits.traffic().callsOfOne() + " calls at most at a time");
            }
            if (all >= limits.traffic().calls()) {
                return Optional.of(limits.traffic().calls() + " calls are underway, and there are no more at a time");
            }
            underway.merge(user, 1, Integer::sum);
            all++;
            return Optional.empty();
        }

        synchronized void leave(String user) {
            all--;
            underway.computeIfPresent(user, (_, calls) -> calls == 1 ? null : calls - 1);
        }
    }

    /** Lets the guard of the other endpoints decide: the method's path is the request's, and the verb is {@code post}. */
    private record Admitting(AccessControl access, CallsOfUsers calls, Connections connections, WhatIfMetrics metrics)
            implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Request request = request(call, headers);
            switch (access.admission(request)) {
                case AccessControl.Passed(Request passed) -> {
                    String user = passed.user();
                    Optional<String> tooMany = calls.enter(user);
                    if (tooMany.isPresent()) {
                        metrics.refused(Refusal.CALLS);
                        return refused(call, Status.RESOURCE_EXHAUSTED.withDescription(tooMany.get()));
                    }
                    Optional<SocketAddress> from =
                            Optional.ofNullable(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
                    Client client = new Client(
                            user, () -> access.refusal(request).isEmpty(), () -> from.ifPresent(connections::close));
                    return new Leaving<>(Contexts.interceptCall(client.inContext(), call, headers, next), user, calls);
                }
                case AccessControl.TurnedAway(Reply reply) -> {
                    Status why = status(reply);
                    metrics.refused(
                            switch (why.getCode()) {
                                case UNAUTHENTICATED -> Refusal.UNAUTHENTICATED;
                                case PERMISSION_DENIED -> Refusal.FORBIDDEN;
                                default -> Refusal.UNAVAILABLE;
                            });
                    return refused(call, why);
                }
            }
        }

        private static <Q> ServerCall.Listener<Q> refused(ServerCall<Q, ?> call, Status why) {
            call.close(why, new Metadata());
            return new ServerCall.Listener<>() {};
        }

        /** Hears of the call's end, which comes once, in one of two ways. */
        private static final class Leaving<Q> extends SimpleForwardingServerCallListener<Q> {
            private final String user;
            private final CallsOfUsers calls;

            Leaving(ServerCall.Listener<Q> call, String user, CallsOfUsers calls) {
                super(call);
                this.user = user;
                this.calls = calls;
            }

            @Override
            public void onCancel() {
                calls.leave(user);
                super.onCancel();
            }

            @Override
            public void onComplete() {
                calls.leave(user);
                super.onComplete();
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
