package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutageLogTest {
    private static final String AWAY =
            "WARN The API server does not answer [server=\"10.0.0.1:6443\", why=\"refused\"]";
    private static final String BACK = "INFO The API server answers again [server=\"10.0.0.1:6443\"]";

    private final LogLines log = new LogLines(OutageLog.class);
    private long now;
    private final OutageLog outages = new OutageLog(ApiObserver.NONE, () -> now);

    @AfterEach
    void close() {
        log.close();
    }

    private void away() {
        outages.requested("GET", "10.0.0.1:6443", "<error>", 1);
        outages.unreached("10.0.0.1:6443", "refused");
    }

    private void answered() {
        outages.requested("GET", "10.0.0.1:6443", "503", 1);
    }

    @Test
    void anOutageIsTwoLinesHoweverManyAsk() {
        answered();
        for (int i = 0; i < 16; i++) {
            away();
        }
        answered();
        answered();

        assertThat(log.lines()).containsExactly(AWAY, BACK);
    }

    @Test
    void aServerThatComesAndGoesIsALineAMinute() {
        for (int second = 0; second < 120; second++) {
            now = Duration.ofSeconds(second).toNanos();
            away();
            answered();
        }

        assertThat(log.lines()).containsExactly(AWAY, BACK, AWAY, BACK);
    }

    @Test
    void aClosedPortIsAnOutage() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        ConnectionOptions options = ConnectionOptions.of(Optional.empty()).withMaster("http://127.0.0.1:" + port);
        try (HttpTransport transport = HttpTransport.open(options, "1", outages)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> transport.stream(ApiCall.get("/api/v1/pods")))
                        .isInstanceOf(IOException.class);
            }
        }

        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("WARN The API server does not answer [server=\"127.0.0.1:" + port + "\", why=\"")
                .contains("refused");
    }
}
