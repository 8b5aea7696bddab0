package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import evenkeel.whatif.v1.Verdict;
import io.evenkeel.app.cli.Evenkeel;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskTest {
    private static final String NODE = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-%d"},
             "status": {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "110"}}}""";
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "web"},
             "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]}}""";

    @Test
    void podsGoToTheNodesThatAreLeft(@TempDir Path directory) throws Exception {
        Path cluster = Files.writeString(
                directory.resolve("cluster.json"),
                "{\"kind\": \"List\", \"items\": [" + NODE.formatted(0) + ", " + NODE.formatted(1) + "]}");
        int port = unused();
        Thread server = new Thread(() -> Evenkeel.commandLine()
                .execute("serve", "--dump", cluster.toString(), "--insecure-whatif-port", String.valueOf(port)));
        server.setDaemon(true);
        server.start();
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try {
            assertThat(Ask.verdicts(channel, POD, 5, "node-0"))
                    .extracting(Verdict::getPod, Verdict::getNode)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("shop/web-0", "node-1"),
                            org.assertj.core.groups.Tuple.tuple("shop/web-1", "node-1"),
                            org.assertj.core.groups.Tuple.tuple("shop/web-2", ""));
        } finally {
            channel.shutdownNow();
        }
    }

    private static int unused() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
