package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import evenkeel.whatif.v1.AskRequest;
import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.SchedulePodsByTemplate;
import evenkeel.whatif.v1.SchedulingOptions;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.EndpointServer.AccessControl.Passed;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.serve.ServingOptions.Guard;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.serve.WhatIfLimits.Traffic;
import io.evenkeel.testing.Ports;
import io.evenkeel.tls.SelfSignedCertificate;
import io.evenkeel.tls.TrustsAnybody;
import io.evenkeel.whatif.ClusterSnapshot;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What clients do on purpose or by mistake, and what a server holds for them at most. */
class WhatIfFloodTest {
    private static final int LONGEST_MILLIS = 30_000;
    private static final int CONNECTIONS = 4;

    private final ClusterSnapshot cluster = snapshot();
    private final WhatIfMetrics metrics = new WhatIfMetrics();
    private WhatIfServer server = server(Duration.ofSeconds(10));
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();

    private WhatIfServer server(Duration handshake) {
        return new WhatIfServer(
                new ClusterSource.Fixed(cluster, WhatIfFloodTest::snapshot),
                new ScenarioQuestions(InTreePlugins.registry(), FeatureGates.DEFAULTS, WhatIfLimits.USUAL),
                WhatIfLimits.USUAL.with(new Traffic(6, CONNECTIONS, handshake, 96, 16, Duration.ofSeconds(30))),
                metrics);
    }

    private static ClusterSnapshot snapshot() {
        return new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
    }

    @AfterEach
    void close() throws IOException {
        channels.forEach(ManagedChannel::shutdownNow);
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    private InetSocketAddress listening() throws IOException {
        return server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                AccessControl.OPEN_TO_ALL);
    }

    private ManagedChannel channel(NettyChannelBuilder builder) {
        ManagedChannel channel = builder.build();
        channels.add(channel);
        return channel;
    }

    private Socket socket(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(LONGEST_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static String ask(Channel channel, String scenario) throws Exception {
        return ClientCalls.blockingV2UnaryCall(
                        channel,
                        WhatIfMethods.ASK,
                        CallOptions.DEFAULT,
                        AskRequest.newBuilder().setScenario(scenario).build())
                .getAnswer();
    }

    private double refused(String reason) {
        return metrics.read()
                .filter(metric -> metric.getMetadata().getName().equals("evenkeel_whatif_refused"))
                .flatMap(metric -> ((CounterSnapshot) metric).getDataPoints().stream())
                .filter(point -> reason.equals(point.getLabels().get("reason")))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void connectionsThatAreTooManyAreClosedAsTheyCome() throws Exception {
        InetSocketAddress address = listening();
        for (int i = 0; i < CONNECTIONS; i++) {
            socket(address);
        }

        for (int i = 0; i < 20; i++) {
            assertThat(isClosed(socket(address))).isTrue();
        }

        assertThat(refused("connections")).isEqualTo(20);
        sockets.getFirst().close();
        ManagedChannel next = channel(NettyChannelBuilder.forAddress(address).usePlaintext());
        await().ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(ask(next, "{\"questions\": []}")).isNotEmpty());
    }

    @Test
    void aHandshakeThatDoesNotEndIsCutOff() throws Exception {
        server.close();
        server = server(Duration.ofMillis(200));

        assertThat(isClosed(socket(guarded(AccessControl.OPEN_TO_ALL)))).isTrue();
    }

    private InetSocketAddress guarded(AccessControl access) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                SelfSignedCertificate.forHosts(List.of("127.0.0.1"), Duration.ofDays(1))
                        .keyManagers(),
                new TrustManager[] {new TrustsAnybody()},
                null);
        WhatIfPorts ports = new WhatIfPorts();
        int port = Ports.unused();
        new CommandLine(ports).parseArgs("--whatif-port=" + port);
        server.listen(ports, Optional.of(new Guard("127.0.0.1", tls, _ -> {}, access)));
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Test
    void theGuardIsShownCertificateAndTokenOfAClient() throws Exception {
        List<Request> asked = new CopyOnWriteArrayList<>();
        InetSocketAddress address = guarded(request -> {
            asked.add(request);
            return request.certificates().isEmpty()
                    ? new AccessControl.TurnedAway(ErrorStatus.unauthorized())
                    : new Passed(request);
        });
        SelfSignedCertificate karmada = SelfSignedCertificate.forHosts(List.of("karmada"), Duration.ofDays(1));
        SslContextBuilder tls = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                .trustManager(InsecureTrustManagerFactory.INSTANCE);
        Channel without = channel(NettyChannelBuilder.forAddress(address).sslContext(tls.build()));
        Metadata token = new Metadata();
        token.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer of-karmada");
        Channel with = ClientInterceptors.intercept(
                channel(NettyChannelBuilder.forAddress(address)
                        .sslContext(tls.keyManager(karmada.keyManagers()[0]).build())),
                MetadataUtils.newAttachHeadersInterceptor(token));

        assertThat(ask(with, "{\"questions\": []}")).isEqualTo("{\"name\":\"\",\"results\":[]}");
        assertThatThrownBy(() -> ask(without, "{\"questions\": []}")).hasMessageStartingWith("UNAUTHENTICATED");

        assertThat(asked.getFirst().certificates()).containsExactly(karmada.certificate());
        assertThat(asked.getFirst().headers().getFirst("Authorization")).isEqualTo("Bearer of-karmada");
        assertThat(asked.getFirst().path()).isEqualTo("/evenkeel.whatif.v1.WhatIf/Ask");
        assertThat(refused("unauthenticated")).isEqualTo(1);
    }

    @Test
    void aMessageThatIsTooLargeIsNotRead() throws Exception {
        ManagedChannel channel =
                channel(NettyChannelBuilder.forAddress(listening()).usePlaintext());

        assertThatThrownBy(() -> ask(channel, " ".repeat(WhatIfLimits.USUAL.bytes())))
                .hasMessageStartingWith("RESOURCE_EXHAUSTED");
        assertThat(ask(channel, "{\"questions\": []}")).isEqualTo("{\"name\":\"\",\"results\":[]}");
    }

    /** Its requests stay in the network until it takes the answers, of which it misses none. */
    @Test
    void whoDoesNotReadKeepsNobodyElseWaiting() throws Exception {
        cluster.put(
                NodeBuilder.node("n1").allocatable("cpu", "100", "pods", "1000").build());
        InetSocketAddress address = listening();
        ManagedChannel channel = channel(NettyChannelBuilder.forAddress(address).usePlaintext());
        List<Long> answers = new CopyOnWriteArrayList<>();
        List<ClientCallStreamObserver<SessionRequest>> call = new ArrayList<>();
        ClientCalls.asyncBidiStreamingCall(
                channel.newCall(WhatIfMethods.SESSION, CallOptions.DEFAULT),
                new ClientResponseObserver<SessionRequest, SessionResponse>() {
                    @Override
                    public void beforeStart(ClientCallStreamObserver<SessionRequest> started) {
                        started.disableAutoRequestWithInitial(0);
                        call.add(started);
                    }

                    @Override
                    public void onNext(SessionResponse response) {
                        answers.add(response.getId());
                    }

                    @Override
                    public void onError(Throwable why) {}

                    @Override
                    public void onCompleted() {}
                });
        SessionRequest.Builder request = SessionRequest.newBuilder()
                .addSteps(Step.newBuilder()
                        .setSchedulePodsByTemplate(SchedulePodsByTemplate.newBuilder()
                                .setTemplate(KubernetesObject.newBuilder()
                                        .setJson(
                                                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\"}}"
                                                        .formatted("web".repeat(50))))
                                .setMost(500)
                                .setOptions(SchedulingOptions.newBuilder().setDryRun(true))));
        for (int id = 0; id < 40; id++) {
            call.getFirst().onNext(request.setId(id).build());
        }

        assertThat(ask(channel(NettyChannelBuilder.forAddress(address).usePlaintext()), "{\"questions\": []}"))
                .isNotEmpty();
        assertThat(answers).isEmpty();
        call.getFirst().request(40);
        await().untilAsserted(() -> assertThat(answers)
                .containsExactlyElementsOf(LongStream.range(0, 40).boxed().toList()));
    }
}
