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
        away(0);
    }

    private void away(long took) {
        outages.requested("GET", "10.0.0.1:6443", "<error>", took);
        outages.unreached("10.0.0.1:6443", "refused", took);
    }

    private void answered() {
        answered(0);
    }

    private void answered(long took) {
        outages.requested("GET", "10.0.0.1:6443", "503", took);
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
    void aServerThatComesAndGoesIsToldEachMinuteThatItAnswers() {
        for (int second = 0; second < 600; second++) {
            now = Duration.ofSeconds(second).toNanos();
            away();
            answered();
        }

        assertThat(log.lines())
                .hasSizeBetween(20, 26)
                .startsWith(AWAY, BACK, AWAY, BACK)
                .endsWith(AWAY);
    }

    @Test
    void theLastWordIsTrueAtEachMomentOfAnOutage() {
        for (int second = 0; second < 90; second += 3) {
            now = Duration.ofSeconds(second).toNanos();
            away();
            assertThat(log.lines()).as("at second %d", second).last().isEqualTo(AWAY);
            now += Duration.ofSeconds(1).toNanos();
            answered();
        }
        now += Duration.ofMinutes(1).toNanos();
        answered();

        assertThat(log.lines()).last().isEqualTo(BACK);
    }

    @Test
    void anOutageSoonAfterTheLastIsToldAtOnceAndItsEndToo() {
        away();
        answered();
        now = Duration.ofSeconds(5).toNanos();
        away();
        answered();

        assertThat(log.lines()).containsExactly(AWAY, BACK, AWAY, BACK);
    }

    /** A server that goes down ends the requests that it has, and one that is back lets those that waited for it fail. */
    @Test
    void aRequestThatBeganBeforeTheLastLineIsNoNews() {
        long second = Duration.ofSeconds(1).toNanos();
        now = 10 * second;
        away();
        now = 11 * second;
        answered(2 * second);
        assertThat(log.lines()).containsExactly(AWAY);

        now = 12 * second;
        answered();
        now = 13 * second;
        away(3 * second);
        assertThat(log.lines()).containsExactly(AWAY, BACK);
    }

    @Test
    void aClosedPortIsAnOutage() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        ConnectionOptions options = ConnectionOptions.of(Optional.empty()).withMaster("http://127.0.0.1:" + port);
        try (HttpTransport transport = HttpTransport.open(options, "1", new OutageLog(ApiObserver.NONE))) {
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
