package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import evenkeel.whatif.v1.AskRequest;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {
    private static final Path EXAMPLE = Path.of("../docs/examples/whatif.jsonl");
    private static final Path DOCUMENT = Path.of("../docs/whatif.md");

    @Test
    void theExampleIsAnsweredAsTheDocumentSaysAndAsOverGrpc() throws Exception {
        Typed typed = Typed.evenkeel("serve", "--scenario", EXAMPLE.toString());

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(Files.readString(DOCUMENT)).contains("\n" + typed.out());
        assertThat(typed.out()).isEqualTo(overGrpc(Files.readString(EXAMPLE)) + "\n");
    }

    private static String overGrpc(String scenario) throws Exception {
        ClusterSnapshot none = new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
        try (WhatIfServer server = new WhatIfServer(
                new ClusterSource.Fixed(none, () -> none),
                new ScenarioQuestions(InTreePlugins.registry(), FeatureGates.DEFAULTS, WhatIfLimits.USUAL),
                WhatIfLimits.USUAL,
                new WhatIfMetrics())) {
            ManagedChannel channel = NettyChannelBuilder.forAddress(server.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            Optional.empty(),
                            AccessControl.OPEN_TO_ALL))
                    .usePlaintext()
                    .build();
            try {
                return ClientCalls.blockingV2UnaryCall(
                                channel,
                                WhatIfMethods.ASK,
                                CallOptions.DEFAULT,
                                AskRequest.newBuilder().setScenario(scenario).build())
                        .getAnswer();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    @Test
    void aLineThatMakesNoSenseIsNamedAndTheOthersAreAnswered(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("s.jsonl"), "{\"questions\": 3}\n{\"questions\": []}\n");

        Typed typed = Typed.evenkeel("serve", "--scenario", file.toString());

        assertThat(typed.err()).isEqualTo("evenkeel: " + file + ":1: questions: expected a list of steps\n");
        assertThat(typed.out()).isEqualTo("{\"name\":\"\",\"results\":[]}\n");
        assertThat(typed.exitCode()).isEqualTo(1);
    }

    @Test
    void aDumpNeedsAPort() {
        assertThat(Typed.evenkeel("serve", "--dump", "x.json", "--insecure-whatif-port", "0")
                        .err())
                .isEqualTo(
                        "evenkeel: --insecure-whatif-port 0 leaves no port on which --dump is served; see 'evenkeel serve"
                                + " --help'\n");
    }

    @Test
    void whatHasNoEffectIsRefused() {
        Typed typed = Typed.evenkeel("serve", "--dump", "x.json", "--whatif-port", "1");

        assertThat(typed.err())
                .isEqualTo("evenkeel: --whatif-port has no effect with --dump; see 'evenkeel serve --help'\n");
        assertThat(typed.exitCode()).isEqualTo(2);
    }
}
