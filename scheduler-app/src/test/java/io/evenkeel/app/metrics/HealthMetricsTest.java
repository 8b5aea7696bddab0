package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.Routes.HealthCheck;
import io.evenkeel.app.metrics.LiveMetrics.HealthMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthMetricsTest {
    private final HealthMetrics metrics = new HealthMetrics();
    private final AtomicReference<Optional<String>> trouble = new AtomicReference<>(Optional.empty());
    private final Routes routes = new Routes(metrics)
            .addHealth("/livez", List.of())
            .addHealth("/readyz", List.of(new HealthCheck("sched-handler-sync", trouble::get)));
    private final EndpointServer server = serve();
    private final HttpClient client = HttpClient.newHttpClient();

    private EndpointServer serve() {
        try {
            return EndpointServer.plain(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    routes,
                    AccessControl.OPEN_TO_ALL,
                    Client.UNHARMED);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void eachCheckIsCountedByThePathThatAskedForIt() throws Exception {
        get("/livez");
        get("/readyz");
        get("/readyz?verbose");

        assertThat(scrape())
                .contains("kubernetes_healthcheck{name=\"ping\",type=\"livez\"} 1.0\n")
                .contains("kubernetes_healthcheck{name=\"sched-handler-sync\",type=\"readyz\"} 1.0\n")
                .contains("kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"livez\"} 1.0\n")
                .contains(
                        "kubernetes_healthchecks_total{name=\"sched-handler-sync\",status=\"success\",type=\"readyz\"}"
                                + " 2.0\n")
                .contains("process_start_time_seconds")
                .doesNotContain("jvm_");
    }

    @Test
    void aCheckThatFailsIsZeroAndCountedAsAnError() throws Exception {
        get("/readyz");
        trouble.set(Optional.of("handlers are not fully synchronized"));
        get("/readyz");

        assertThat(scrape())
                .contains("kubernetes_healthcheck{name=\"sched-handler-sync\",type=\"readyz\"} 0.0\n")
                .contains("kubernetes_healthcheck{name=\"ping\",type=\"readyz\"} 1.0\n")
                .contains("kubernetes_healthchecks_total{name=\"sched-handler-sync\",status=\"error\",type=\"readyz\"}"
                        + " 1.0\n")
                .contains(
                        "kubernetes_healthchecks_total{name=\"sched-handler-sync\",status=\"success\",type=\"readyz\"}"
                                + " 1.0\n");
    }

    /** As in the reference: who leaves a check out, or asks for one alone, does not measure. */
    @Test
    void whatIsLeftOutOrAskedForAloneIsNotCounted() throws Exception {
        get("/readyz?exclude=sched-handler-sync");
        get("/readyz/sched-handler-sync");

        assertThat(scrape()).doesNotContain("sched-handler-sync");
    }

    private void get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    }

    private String scrape() {
        try (var endpoint = MetricsEndpoint.of(List.of(metrics))) {
            return new String(
                    endpoint.answer(new Request("GET", "/metrics/slis", Map.of(), new Headers()))
                            .body(),
                    StandardCharsets.UTF_8);
        }
    }
}
