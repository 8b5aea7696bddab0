package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import evenkeel.whatif.v1.CanSchedulePod;
import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.Open;
import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.Result;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import io.evenkeel.app.live.ServedEvenkeel;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.testing.Ports;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.file.Path;
import java.util.Optional;
import karmada.estimator.MaxAvailableReplicasRequest;
import karmada.estimator.MaxAvailableReplicasResponse;
import karmada.estimator.ReplicaRequirements;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code run --whatif-api}, over TLS, on a hollow cluster: to those who may ask. */
@TestInstance(Lifecycle.PER_CLASS)
class ServedWhatIfTest {
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "web"},
             "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "3"}}}]}}""";

    private HollowWorld world;
    private ServedEvenkeel evenkeel;
    private ManagedChannel channel;

    @BeforeAll
    void open(@TempDir Path directory) throws Exception {
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(3, 3, Capacity.of("4", "8Gi", 20)));
        world.cluster().tokens().add("of-asker", User.named("asker"));
        world.cluster().tokens().add("of-nobody", User.named("nobody"));
        world.cluster().authorize((user, asked) -> switch (user.name()) {
            case "asker" -> asked.verb().equals("post") && asked.name().startsWith("/");
            case "nobody", "system:anonymous" -> false;
            default -> true;
        });
        WhatIfPorts ports = new WhatIfPorts();
        int port = Ports.unused();
        new CommandLine(ports).parseArgs("--whatif-port=" + port);
        evenkeel = new ServedEvenkeel(
                world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml")),
                Ports.unused(),
                Optional.of(ports));
        channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                .sslContext(
                        GrpcSslContexts.configure(io.netty.handler.ssl.SslContextBuilder.forClient(), SslProvider.JDK)
                                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                                .build())
                .build();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(fitting(Origin.LIVE)).isEqualTo(3));
    }

    @AfterAll
    void close() {
        channel.shutdownNow();
        evenkeel.close();
        world.close();
    }

    private Channel with(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private int fitting(Origin origin) throws Exception {
        return ask(with("of-asker"), origin).getFitting().getCount();
    }

    private static Result ask(Channel asker, Origin origin) throws Exception {
        var session = ClientCalls.blockingBidiStreamingCall(asker, WhatIfMethods.SESSION, CallOptions.DEFAULT);
        try {
            assertThat(session.write(SessionRequest.newBuilder()
                            .setOpen(Open.newBuilder().setOrigin(origin))
                            .addSteps(Step.newBuilder()
                                    .setCanSchedulePod(CanSchedulePod.newBuilder()
                                            .setPod(KubernetesObject.newBuilder()
                                                    .setJson(POD))))
                            .build()))
                    .isTrue();
            SessionResponse response = session.read();
            return response.getResults(0);
        } finally {
            session.halfClose();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"of-nobody", "of-no-one-known"})
    void whoMayNotAskLearnsNothing(String token) {
        Status.Code expected = token.equals("of-nobody") ? Status.Code.PERMISSION_DENIED : Status.Code.UNAUTHENTICATED;

        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> ask(with(token), Origin.LIVE)))
                .isInstanceOfAny(StatusException.class, StatusRuntimeException.class)
                .satisfies(refused ->
                        assertThat(Status.fromThrowable(refused).getCode()).isEqualTo(expected));
    }

    @Test
    void aCopyIsAsTheClusterIs() throws Exception {
        assertThat(fitting(Origin.COPY)).isEqualTo(3);
        assertThat(ask(with("of-asker"), Origin.EMPTY).getFitting().getCount()).isZero();
    }

    @Test
    void karmadaLearnsHowManyReplicasFit() throws Exception {
        assertThat(replicas("3").getMaxReplicas()).isEqualTo(3);
        assertThat(replicas("2").getMaxReplicas()).isEqualTo(6);
    }

    private MaxAvailableReplicasResponse replicas(String cpu) throws Exception {
        return ClientCalls.blockingV2UnaryCall(
                with("of-asker"),
                WhatIfMethods.method(
                        KarmadaEstimator.SERVICE,
                        "MaxAvailableReplicas",
                        io.grpc.MethodDescriptor.MethodType.UNARY,
                        MaxAvailableReplicasRequest.getDefaultInstance(),
                        MaxAvailableReplicasResponse.getDefaultInstance()),
                CallOptions.DEFAULT,
                MaxAvailableReplicasRequest.newBuilder()
                        .setReplicaRequirements(
                                ReplicaRequirements.newBuilder().putResourceRequestBytes("cpu", quantity(cpu)))
                        .build());
    }

    /** A Quantity of Kubernetes: a message whose field 1 is the text. */
    private static ByteString quantity(String text) {
        return ByteString.copyFrom(new byte[] {0x0a, (byte) text.length()}).concat(ByteString.copyFromUtf8(text));
    }
}
