package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.Nothing;
import evenkeel.whatif.v1.Open;
import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.Result;
import evenkeel.whatif.v1.SchedulePodsByTemplate;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import evenkeel.whatif.v1.Verdict;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WhatIfServerTest {
    private static final String NODE = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"},
             "status": {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "110"}}}""";
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "%s"},
             "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "%s"}}}]}}""";

    private final ClusterSnapshot cluster = snapshot();
    private final WhatIfServer server = new WhatIfServer(
            new ClusterSource.Fixed(cluster, WhatIfServerTest::snapshot),
            new ScenarioQuestions(InTreePlugins.registry(), FeatureGates.DEFAULTS, WhatIfLimits.USUAL),
            WhatIfLimits.USUAL);
    private Optional<ManagedChannel> channel = Optional.empty();

    private static ClusterSnapshot snapshot() {
        return new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
    }

    @AfterEach
    void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        server.close();
    }

    private BlockingClientCall<SessionRequest, SessionResponse> session() throws Exception {
        InetSocketAddress address = server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                AccessControl.OPEN_TO_ALL);
        channel = Optional.of(
                NettyChannelBuilder.forAddress(address).usePlaintext().build());
        return ClientCalls.blockingBidiStreamingCall(channel.get(), WhatIfMethods.SESSION, CallOptions.DEFAULT);
    }

    private static KubernetesObject json(String form, Object... values) {
        return KubernetesObject.newBuilder().setJson(form.formatted(values)).build();
    }

    private static Step template(String name, String cpu, int most) {
        return Step.newBuilder()
                .setSchedulePodsByTemplate(SchedulePodsByTemplate.newBuilder()
                        .setTemplate(json(POD, name, cpu))
                        .setMost(most))
                .build();
    }

    private static Step put(KubernetesObject object) {
        return Step.newBuilder().setPut(object).build();
    }

    private static List<String> nodes(Result result) {
        return result.getVerdicts().getVerdictsList().stream()
                .map(Verdict::getNode)
                .toList();
    }

    @Test
    void aSessionOfItsOwnTriesAndTakesBack() throws Exception {
        var session = session();
        assertThat(session.write(SessionRequest.newBuilder()
                        .setId(1)
                        .setOpen(Open.newBuilder().setOrigin(Origin.EMPTY))
                        .addAllSteps(Stream.of("a", "b")
                                .map(name -> put(json(NODE, name)))
                                .toList())
                        .addSteps(Step.newBuilder().setBegin(Nothing.getDefaultInstance()))
                        .addSteps(template("web", "1500m", 5))
                        .addSteps(Step.newBuilder().setRollback(Nothing.getDefaultInstance()))
                        .addSteps(template("web", "1500m", 1))
                        .build()))
                .isTrue();

        SessionResponse response = session.read();

        assertThat(response.getId()).isEqualTo(1);
        assertThat(response.getResultsCount()).isEqualTo(6);
        assertThat(nodes(response.getResults(3))).containsExactly("a", "b", "");
        assertThat(response.getResults(3).getVerdicts().getVerdicts(2).getMessage())
                .isEqualTo("0/2 nodes are available: 2 Insufficient cpu.");
        assertThat(nodes(response.getResults(5))).containsExactly("a");
    }
}
