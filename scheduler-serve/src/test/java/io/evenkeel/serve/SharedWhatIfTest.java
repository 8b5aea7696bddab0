package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import evenkeel.whatif.v1.CanSchedulePod;
import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.Open;
import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import io.evenkeel.app.live.ServedShards;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.testing.Ports;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code run --whatif-api} where two replicas share the shards of a cluster: each answers of all nodes, and says how old that is. */
class SharedWhatIfTest {
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "web"},
             "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "3"}}}]}}""";

    private static SessionResponse ask(int port, Origin origin) throws Exception {
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try {
            var session = ClientCalls.blockingBidiStreamingCall(channel, WhatIfMethods.SESSION, CallOptions.DEFAULT);
            assertThat(session.write(SessionRequest.newBuilder()
                            .setOpen(Open.newBuilder().setOrigin(origin))
                            .addSteps(Step.newBuilder()
                                    .setCanSchedulePod(CanSchedulePod.newBuilder()
                                            .setPod(KubernetesObject.newBuilder()
                                                    .setJson(POD))))
                            .build()))
                    .isTrue();
            SessionResponse response = session.read();
            session.halfClose();
            return response;
        } finally {
            channel.shutdownNow();
        }
    }

    private static ServedShards replica(String name, Path kubeconfig, int port) {
        WhatIfPorts ports = new WhatIfPorts();
        new CommandLine(ports).parseArgs("--whatif-port=0", "--insecure-whatif-port=" + port);
        return new ServedShards(name, kubeconfig, Optional.of(ports), Duration.ofMinutes(10));
    }

    @Test
    void eachAnswersOfAllNodesAndSaysHowOldThatIs(@TempDir Path directory) throws Exception {
        try (HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(6, 3, Capacity.of("4", "8Gi", 20)))) {
            Path kubeconfig = world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml"));
            int ofOne = Ports.unused();
            int ofOther = Ports.unused();
            try (ServedShards one = replica("one", kubeconfig, ofOne);
                    ServedShards other = replica("other", kubeconfig, ofOther)) {
                await().until(() -> one.held() > 0 && other.held() > 0);
                for (int port : new int[] {ofOne, ofOther}) {
                    SessionResponse live = ask(port, Origin.LIVE);
                    assertThat(live.getResults(0).getFitting().getCount()).isEqualTo(6);
                    assertThat(live.hasSeenSecondsAgo()).isTrue();
                    assertThat(ask(port, Origin.EMPTY).hasSeenSecondsAgo()).isFalse();
                }
            }
        }
    }
}
